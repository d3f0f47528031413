package copies

import (
	"errors"
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
)

const (
	planBytes     = 16 << 10 // of the document in a plan
	originalBytes = 4 << 10  // of each document it refers to
)

// FixVolatile shows a document with references in place of the copies, and the
// documents it refers to: existing ones, or new ones.
func FixVolatile(p *check.Pass, v *Volatile) ([]finding.Fix, error) {
	at := v.probe.example
	if !at.Known() || at.DocLen > planBytes {
		return nil, nil
	}
	d, err := p.Document(at)
	if err != nil {
		return nil, err
	}
	before := reshape.From(d.Document, 0)
	var hashes []uint64
	for o := range d.Select(0, v.Path) {
		if id, ok := d.Get(o, v.ID.Step.Name); ok {
			hashes = append(hashes, IdentityHash(d.Canonical(id), v.probe.settings.tail))
		}
	}
	originals, err := originalsOf(p, v, hashes)
	if err != nil {
		return nil, err
	}
	extract := reshape.Extract{Path: v.Path, ID: v.ID.Step.Name, Keep: v.stays(p, before, originals), RefName: v.RefName()}
	if key := p.Limits.IDKeys[0]; v.Ref == nil && v.ID.Step.Name != "id" && v.ID.Step.Name != "_id" {
		extract.EntityID = key
	}
	linked, things, err := reshape.ExtractEntity(v.pointed(before, originals), extract)
	if err != nil {
		return nil, err
	}
	for _, thing := range things {
		for _, name := range v.LinkFields() {
			if len(thing.Keys()) > 1 {
				thing.Remove(name)
			}
		}
		if _, _, ok := lexicon.ReferenceStem(v.ID.Step.Name); ok && extract.EntityID != "" {
			thing.Remove(v.ID.Step.Name) // it is now the thing's own id
		}
	}
	after := []finding.DocumentInPlace{{Collection: v.Entity.Collection.Name, Document: linked.AppendJSON(nil)}}
	title := fmt.Sprintf("store each %s once, in %s, and refer to it by %s", v.Noun(), v.Home(), v.RefName())
	if len(originals) > 0 {
		title = fmt.Sprintf("refer to %s by %s instead of copying", v.Home(), v.RefName())
		var differ bool
		if things, differ = v.reconciled(things, originals); differ {
			title += ", after choosing between the versions shown"
		}
	} else {
		id := v.ID.Step.Name
		if extract.EntityID != "" {
			id = extract.EntityID
		}
		things = distinctThings(things, id, v.clock)
		if len(things) == 0 {
			return nil, errors.New("no copy has an identity")
		}
	}
	for _, thing := range things {
		after = append(after, finding.DocumentInPlace{Collection: v.Home(), Document: thing.AppendJSON(nil)})
	}
	return []finding.Fix{{Title: title, Safety: finding.Plan, Before: before.AppendJSON(nil), After: after}}, nil
}

// pointed returns the document with each copy identified like its original: by
// the same id, in the same type.
func (v *Volatile) pointed(document *reshape.Value, originals []*reshape.Value) *reshape.Value {
	if len(originals) == 0 {
		return document
	}
	key := v.TargetKey().Path
	ids := map[string]*reshape.Value{}
	for _, o := range originals {
		if by, id := o.Select(v.Ref.Key.Path), o.Select(key); len(by) == 1 && len(id) == 1 {
			ids[by[0].Text()] = id[0]
		}
	}
	document = document.Clone()
	for _, copied := range document.Select(v.Path) {
		if by := copied.Get(v.ID.Step.Name); by != nil && ids[by.Text()] != nil {
			copied.Set(v.ID.Step.Name, ids[by.Text()].Clone())
		}
	}
	return document
}

// TargetKey returns the key by which the originals should be referred to: their
// id.
func (v *Volatile) TargetKey() *model.Key {
	if id := v.Ref.To.ID(); id != nil && id.ID {
		return id
	}
	return v.Ref.Key
}

// stays returns which members stay in the document: those that belong to the
// link, a few labels for display, and those that a shown original lacks.
func (v *Volatile) stays(p *check.Pass, document *reshape.Value, originals []*reshape.Value) func(name string) bool {
	stay := append(v.LinkFields(), v.SlowFields(p)...)
	if len(originals) > 0 {
		for _, copied := range document.Select(v.Path) {
			for _, name := range copied.Keys() {
				if name != v.ID.Step.Name && slices.ContainsFunc(originals, func(o *reshape.Value) bool { return !o.Has(name) }) {
					stay = append(stay, name)
				}
			}
		}
	}
	return func(name string) bool { return slices.Contains(stay, name) }
}

// reconciled returns the originals and, next to them, the differing versions in
// copies. Only the owner of the data knows which is right.
func (v *Volatile) reconciled(things, originals []*reshape.Value) (all []*reshape.Value, differ bool) {
	all = slices.Clone(originals)
	key := v.TargetKey().Path
	for _, thing := range things {
		id := thing.Get(v.ID.Step.Name)
		at := slices.IndexFunc(originals, func(o *reshape.Value) bool {
			by := o.Select(key)
			return id != nil && len(by) == 1 && by[0].Text() == id.Text()
		})
		if at < 0 {
			all, differ = append(all, thing), true
			continue
		}
		version, changed := originals[at].Clone(), false
		for _, m := range thing.Members() {
			if own := version.Get(m.Name); m.Name != v.ID.Step.Name && own != nil && !own.Equal(m.Value) {
				version.Set(m.Name, m.Value)
				changed = true
			}
		}
		if changed && !slices.ContainsFunc(all, version.Equal) {
			all, differ = append(all, version), true
		}
	}
	return all, differ
}

// distinctThings keeps one version of each thing in the document shown: the
// newest, or the first. It puts other versions next to it, so that nothing is
// lost.
func distinctThings(things []*reshape.Value, id string, clock *profile.Node) []*reshape.Value {
	var newer func(a, b *reshape.Value) int
	if clock != nil {
		newer = reshape.By(profile.Path{clock.Step})
	}
	distinct, conflicts := reshape.Distinct(things, id, newer)
	return append(distinct, conflicts...)
}

// originalsOf reads the existing documents of a document's things, unless they
// are large.
func originalsOf(p *check.Pass, v *Volatile, hashes []uint64) ([]*reshape.Value, error) {
	if v.Original == nil {
		return nil, nil
	}
	var originals []*reshape.Value
	seen := map[uint64]bool{}
	for _, hash := range hashes {
		o, ok := v.Original.lookup(hash)
		if seen[hash] {
			continue
		}
		seen[hash] = true
		if !ok || o.at.DocLen > originalBytes {
			return nil, nil
		}
		d, err := p.Document(o.at.Pos())
		if err != nil {
			return nil, err
		}
		originals = append(originals, reshape.From(d.Document, 0))
	}
	return originals, nil
}
