package copies

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/naming"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/sample"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// A Leaf is a value of an original that copied fields are compared with: the
// value at a path, or two names of a person joined ("Ada" and "Lovelace").
type Leaf struct {
	Path   profile.Path
	Second profile.Path // for a joined value
}

// String returns the name of the leaf in findings.
func (l Leaf) String() string {
	if l.Second == nil {
		return l.Path.String()
	}
	return l.Compose(l.Path.String(), l.Second.String())
}

const (
	maxLeaves     = 48
	maxOriginals  = 1 << 15
	leafDepth     = 4
	leafValues    = 8 // per leaf and document
	leafInclusion = 0.5
)

// An originalProbe collects the values of the leaves by the document's key.
type originalProbe struct {
	settings *originalSettings
	key      profile.Trail
	things   *sample.ByHash[original]
	values   []leafHash // in the previous document
	all      writers    // by leaf
	aside    bool       // it sees another kind than the one that most copies refer to
}

type originalSettings struct {
	leaves []Leaf
	all    columns // by leaf
}

type original struct {
	at       sample.PackedPos // the first document with the key
	values   []leafHash       // sorted
	diverged bool             // another document with the key differs
	aside    bool             // of another kind than the one that most copies refer to
}

// A leafHash is a value of an original. Its position is relative to the start
// of the document.
type leafHash struct {
	hash     uint64
	off, len uint32
	leaf     uint32
}

// A LeafValue is a value of one leaf of an original.
type LeafValue struct {
	hash uint64
	At   profile.Pos // of the value, or of its first part
}

// lacks reports whether the things have documents of their own, but none with a
// field of the name. The field is then about the link.
func (c *Site) lacks(p *check.Pass, f *profile.Node) bool {
	home := c.homeOf(p)
	if home == nil {
		return false
	}
	found := false
	home.Root().Walk(func(n *profile.Node) bool {
		found = found || n != c.Holder && n.Step.Kind == profile.Field && c.sameWord(f, n.Step.Name)
		return !found && n != c.Holder
	})
	return !found
}

// sameWord reports whether a copied field has the name of a field of the original.
func (c *Site) sameWord(f *profile.Node, name string) bool {
	stem := c.stem()
	last := c.Holder.Step.Name
	if c.Flat {
		last = stem[len(stem)-1]
	}
	return naming.Repeats(f.Step.Name, name, strings.Join(stem, ""), last)
}

// homeOf returns the kind of documents that the copies were taken from. If no
// reference says, it is the only kind whose ids include those of the copies and
// whose field of the same name includes the values of a telling field, such as
// the name.
func (c *Site) homeOf(p *check.Pass) *model.Entity {
	if c.Ref != nil {
		return c.Ref.To
	}
	var home *model.Entity
	for _, e := range p.DB.Entities() {
		id := e.ID()
		if e == c.Entity || id == nil || !id.ID || !included(c.ID, id.Node, identified) {
			continue
		}
		if !slices.ContainsFunc(c.fields, func(f *profile.Node) bool {
			n := e.Root().At(profile.Path{f.Step})
			return n != nil && Copied(n) && Telling(f) && included(f, n, identified)
		}) {
			continue
		}
		if home != nil {
			return nil
		}
		home = e
	}
	return home
}

// included reports whether a share of a field's values are values of another
// field.
func included(f, in *profile.Node, share float64) bool {
	if in.Scalars == nil {
		return false
	}
	tested, found, _ := f.Scalars.Values.Inclusion(&in.Scalars.Values)
	return tested >= 3 && float64(found) >= share*float64(tested)
}

// findOriginals makes the probes for the documents that copies refer to, one
// per kind and key. They also see the other kinds of the collection.
func findOriginals(p *check.Pass, all []*Site) {
	type target struct {
		entity *model.Entity
		key    *model.Key
	}
	probes := map[target]*originalProbe{}
	for _, c := range all {
		if c.Ref == nil {
			continue
		}
		t := target{c.Ref.To, c.Ref.Key}
		probe := probes[t]
		if probe == nil {
			probe = &originalProbe{settings: &originalSettings{}, key: profile.NewTrail(c.Ref.Key.Path), things: sample.NewByHash[original](maxOriginals)}
			probes[t] = probe
		}
		for _, to := range c.Ref.Targets() {
			probe.settings.want(p, c, to)
			// Do not add what would be dropped later.
			probe.things.KeepBelow(uint32(to.Key.Node.Scalars.Values.Cutoff(maxOriginals)))
		}
		c.Original = probe
	}
}

// want adds the leaves that fields of the copies may repeat: those of the same
// name, and those whose values include many of the field's.
func (s *originalSettings) want(p *check.Pass, c *Site, to model.Target) {
	root := to.Entity.Root()
	var names []*profile.Node
	root.Walk(func(n *profile.Node) bool {
		if n.Depth > leafDepth {
			return false
		}
		if n == to.Key.Node || !Copied(n) || InsideMap(n) {
			return true
		}
		if n.Depth <= 2 && n.Types[profile.String] == n.Present() && p.Lexicon.Has(lexicon.PersonName, n.Step.Name) {
			names = append(names, n)
		}
		for _, f := range c.fields {
			same := n.Depth == 1 && c.sameWord(f, n.Step.Name)
			if f != n && (same || Telling(f) && included(f, n, leafInclusion)) {
				s.add(Leaf{Path: n.Path()})
			}
		}
		return true
	})
	if len(names) > 4 {
		return
	}
	for _, a := range names {
		for _, b := range names {
			if a != b && a.Parent == b.Parent {
				s.add(Leaf{Path: a.Path(), Second: b.Path()})
			}
		}
	}
}

func InsideMap(n *profile.Node) bool {
	for ; n != nil; n = n.Parent {
		if n.Step.Kind == profile.MapValues {
			return true
		}
	}
	return false
}

// Telling reports whether the values of a field are distinctive: there are
// several, and not just small numbers, so that equal values are hardly
// accidental.
func Telling(f *profile.Node) bool {
	return f.Scalars.Values.Distinct() >= 3 && f.Types[profile.Bool] == 0 && (f.Scalars.Ints == 0 || f.Scalars.MaxInt > 1000)
}

func (s *originalSettings) add(l Leaf) {
	same := func(o Leaf) bool {
		return slices.Equal(o.Path, l.Path) && slices.Equal(o.Second, l.Second)
	}
	if len(s.leaves) < maxLeaves && !slices.ContainsFunc(s.leaves, same) {
		s.leaves = append(s.leaves, l)
	}
}

// New returns a probe that fills the same sample.
func (o *originalProbe) New() check.Probe {
	return &originalProbe{settings: o.settings, key: profile.NewTrail(o.key.Path()), things: o.things, all: o.settings.all.writers(), aside: o.aside}
}

// beside returns a probe for another kind that fills the same sample.
func (o *originalProbe) beside() *originalProbe {
	return &originalProbe{settings: o.settings, key: o.key, things: o.things, aside: true}
}

func (o *originalProbe) Skips(d *profile.Document) bool { return o.key.Absent(d) }

func (o *originalProbe) Visit(d *profile.Document) {
	key, ok := o.key.First(d)
	if !ok || d.Tokens[key].Kind >= scan.Object || d.Tokens[key].Kind == scan.Null {
		return
	}
	hash := d.Hash(key)
	for leaf, to := range o.all {
		if v, ok := d.First(0, o.settings.leaves[leaf].Path); ok && d.Tokens[v].Kind < scan.Object && d.Tokens[v].Kind != scan.Null {
			addValue(to, hash, d, v)
		}
	}
	if !o.things.Keeps(hash) {
		return
	}
	o.values = o.values[:0]
	for i, l := range o.settings.leaves {
		before, n := len(o.values), 0
		for v := range d.Select(0, l.Path) {
			if k := d.Tokens[v].Kind; k == scan.Null || k >= scan.Object {
				continue
			}
			if n++; n > leafValues {
				o.values = o.values[:before]
				break
			}
			if hash, ok := l.hash(d, v); ok {
				at := d.At(v)
				o.values = append(o.values, leafHash{hash, uint32(at.Off - at.Doc), at.Len, uint32(i)})
			}
		}
	}
	slices.SortFunc(o.values, leafHash.compare)
	o.things.Put(hash, original{at: sample.Pack(d.Start()), values: slices.Clone(o.values), aside: o.aside}, combineOriginals)
}

func (v leafHash) compare(w leafHash) int {
	return cmp.Or(cmp.Compare(v.leaf, w.leaf), cmp.Compare(v.hash, w.hash), cmp.Compare(v.off, w.off))
}

// hash returns the hash of the value at v, joined with its second part, if any.
func (l Leaf) hash(d *profile.Document, v int) (uint64, bool) {
	if l.Second == nil {
		return valueHash(d, v), true
	}
	w, ok := d.First(0, l.Second)
	if !ok || d.Tokens[w].Kind != scan.String || d.Tokens[v].Kind != scan.String {
		return 0, false
	}
	return profile.HashText([]byte(l.Compose(d.String(v), d.String(w)))), true
}

func (Leaf) Compose(first, second string) string { return first + " " + second }

func combineOriginals(a, b original) original {
	switch {
	case a.aside && !b.aside:
		return b
	case b.aside && !a.aside:
		return a
	}
	equal := slices.EqualFunc(a.values, b.values, func(a, b leafHash) bool { return a.leaf == b.leaf && a.hash == b.hash })
	if b.at.Compare(a.at) < 0 {
		a, b = b, a
	}
	a.diverged = a.diverged || b.diverged || !equal
	return a
}

func (o *originalProbe) Merge(other check.Probe) {
	from := other.(*originalProbe)
	from.all.flush()
	o.settings.all.merge(from.settings.all)
	o.things.Merge(from.things, combineOriginals)
}

// lookup returns the original of a thing. It returns false if there is none, or
// none that is certain.
func (o *originalProbe) lookup(hash uint64) (original, bool) {
	t, ok := o.things.Get(hash)
	return t, ok && !t.diverged
}

// byLeaf yields the leaves that the original has, with their values.
func (t original) byLeaf() iter.Seq2[int, []leafHash] {
	return func(yield func(int, []leafHash) bool) {
		for rest := t.values; len(rest) > 0; {
			leaf, n := rest[0].leaf, 1
			for n < len(rest) && rest[n].leaf == leaf {
				n++
			}
			if !yield(int(leaf), rest[:n]) {
				return
			}
			rest = rest[n:]
		}
	}
}

func (t original) value(l leafHash) LeafValue {
	at := t.at.Pos()
	at.Off, at.Len = at.Doc+int64(l.off), l.len
	return LeafValue{l.hash, at}
}
