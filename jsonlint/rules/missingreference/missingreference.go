// Package missingreference reports documents that lack a reference that others of
// their kind have.
package missingreference

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/identity"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/predict"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/relations"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule is missing-reference on documents.
var Rule = check.Rule{Name: "missing-reference", Run: func(p *check.Pass) {
	for _, r := range relations.Relations(p) {
		for _, k := range append(slices.Clip(r.Kinds), untold(p, r)...) {
			if m := missingOf(p, k); m != nil {
				m.watch(p)
				p.After(func() { reportMissing(p, m) })
			}
		}
	}
}}

// untold returns a reference that distinguishes the kinds, as documents without a
// kind should have it, because no document with a kind lacks it. It returns nothing
// if missing-discriminator reports these documents.
func untold(p *check.Pass, r *relations.Relation) []*model.Reference {
	c := r.From.Collection
	d, rest := c.Discriminator, slices.IndexFunc(c.Entities, (*model.Entity).Rest)
	node := c.Profile.Root.At(r.Path)
	if d == nil || rest < 0 || node == nil || d.Named(c.Name, p.Lexicon) {
		return nil
	}
	if path := referring(node).Path(); len(path) > len(d.Path) || !slices.Equal(path, d.Path[:len(path)]) {
		return nil
	}
	whole := *r.Reference
	whole.From, whole.Node = c.Entities[rest], node
	return []*model.Reference{&whole}
}

type missingRef struct {
	*model.Reference
	field   *profile.Node    // the field itself, or the object that contains the reference
	objects int64            // that should have it
	key     profile.Path     // of the documents' id; empty if they have none
	lacking *places.Finder   // the objects without it
	sorts   []*predict.Probe // fields that may explain which ones lack it, for each kind of document that counts
}

// missingOf decides from the profile whether a reference is missing somewhere. It
// returns nil if not.
func missingOf(p *check.Pass, r *model.Reference) *missingRef {
	field := referring(r.Node)
	if field.Parent == nil || field.Step.Kind != profile.Field || !r.Certain() || r.Owned() || mostlyOther(r) {
		return nil
	}
	m := &missingRef{Reference: r, field: field, objects: field.Parent.Types[profile.Object]}
	have := field.Count - field.Duplicated
	share := float64(have) / float64(max(1, m.objects))
	if field.Parent.Parent != nil && share < p.Threshold("sure-presence") {
		return nil // objects inside a document may be of any kind
	}
	if !r.Stem && r.Odds.Sum() < model.Sure || have >= m.objects || float64(m.objects) < p.Threshold("min-documents") || share < p.Threshold("presence") {
		return nil
	}
	if absent := field.Types[profile.Null]; 2*absent >= m.objects-have {
		return nil // null means that there is nothing to refer to, and so does the missing field
	}
	if r.From.Collection == r.To.Collection && r.From == r.To || p.Lexicon.Has(lexicon.OptionalReference, field.Step.Name) {
		return nil // a root has no parent, and the first has no predecessor
	}
	if !m.alone(p.Lexicon) || m.nothingThere(p.DB) {
		return nil
	}
	if slices.Equal(field.Path(), identity.PartitionPath(p.Collections[r.From.Collection.Name].PartitionKey)) {
		return nil // the rule partition-key reports it as an error
	}
	if id := r.From.ID(); id != nil {
		m.key = id.Path
	}
	return m
}

// mostlyOther reports whether most values of a field are empty, or do not lead to
// documents and do not look like their keys either: the names of departments among a few
// of their ids.
func mostlyOther(r *model.Reference) bool {
	empty, _ := r.Node.Scalars.FormCount(profile.FormEmpty)
	return 2*empty > r.Node.Present() || 2*r.Found < r.Tested && 2*relations.CountForm(r.Node, relations.IDForm(r.Key.Node)) < r.Node.Present()
}

// nothingThere reports whether no document of the target refers to the documents
// without the reference: a conversation without messages has no last message. That a
// conversation names only the last of its messages says nothing of the others.
func (m *missingRef) nothingThere(db *model.Database) bool {
	lack, have := float64(m.objects)-float64(m.field.Count), float64(m.field.Count)
	return slices.ContainsFunc(db.References, func(back *model.Reference) bool {
		named := back.Node.Scalars.Values.Distinct()
		return back.From == m.To && back.To == m.From && have/2 < named && named < have+lack/2
	})
}

// referring returns the object that contains the reference, as a DBRef does, or the
// field itself if there is none.
func referring(n *profile.Node) *profile.Node {
	if n.Step.Kind != profile.Field || n.Parent == nil || n.Parent.Parent == nil || n.Parent.Step.Kind != profile.Field || !slices.Contains(idFieldsWords(), n.Step.Name) {
		return n
	}
	return n.Parent
}

// alone reports whether the field is present independently of others: not together
// with others, as an optional part of the document, and not instead of another one.
func (m *missingRef) alone(lex *lexicon.Lexicon) bool {
	shapes := m.field.Parent.Object.Shapes
	if !shapes.Exact() {
		return false
	}
	with, without := map[*profile.Node]int64{}, map[*profile.Node]int64{}
	var having, lacking int64
	for _, s := range shapes.All() {
		in, total := without, &lacking
		if slices.Contains(s.Fields, m.field) {
			in, total = with, &having
		}
		*total += s.Count
		for _, f := range s.Fields {
			in[f] += s.Count
		}
	}
	for _, f := range m.field.Parent.Object.Fields() {
		if f == m.field || lex.Has(lexicon.Metadata, f.Step.Name) || lex.Has(lexicon.System, f.Step.Name) {
			continue
		}
		share := float64(with[f]) / float64(having)
		together := without[f] == 0 && math.Pow(1-share, float64(lacking)) < chance
		inTurn := with[f] == 0 && 10*without[f] >= 9*lacking || without[f] == lacking && math.Pow(share, float64(lacking)) < chance
		if together || inTurn {
			return false
		}
	}
	return true
}

// chance is the probability below which fields are not missing together by accident.
const chance = 0.02

// watch looks for the objects that lack the reference, and counts which values of
// other fields occur with them: the role of a user may decide who has none.
func (m *missingRef) watch(p *check.Pass) {
	holder := m.field.Parent
	m.lacking = places.Find(p, m.From, holder.Path(), 1, plans.ValuesShown, func(d *profile.Document, i int, hit func(int, profile.Pos, string)) {
		if d.Class(i) != profile.Object {
			return
		}
		if _, has := d.Get(i, m.field.Step.Name); !has {
			at := d.At(i)
			at.Len = 1
			hit(0, at, "")
		}
	})
	site := &predict.Site{Path: holder.Path(), Kinds: 2}
	for _, f := range holder.Object.Fields() {
		if f != m.field && predict.FewValues(f) {
			site.Inside = append(site.Inside, profile.Path{f.Step})
		}
	}
	site.Classify = func(d *profile.Document, i int) (kind int, ok bool) {
		if _, has := d.Get(i, m.field.Step.Name); has {
			kind = 1
		}
		return kind, d.Class(i) == profile.Object
	}
	for _, e := range m.From.Collection.Entities {
		if e == m.From || m.objects > m.From.N() && m.From.Rest() {
			m.sorts = append(m.sorts, check.Watch(p, e, predict.NewProbe(site)))
		}
	}
}

// rigid returns how likely it is that these objects lack the field by mistake:
// unlikely if other fields are optional too, likely if each object has all of
// them.
func (m *missingRef) rigid() float64 {
	optional := 0.0
	fields := m.field.Parent.Object.Fields()
	for _, f := range fields {
		if f != m.field && f.Count < m.objects {
			optional++
		}
	}
	share := (optional + 0.5) / (float64(len(fields)) + 1)
	odds := (1 - share) / share / optionalReferences
	return min(0.6, odds/(1+odds))
}

// optionalReferences is how much more often a reference that many objects lack
// is optional than forgotten, if nothing else is known.
const optionalReferences = 5

func reportMissing(p *check.Pass, m *missingRef) {
	x, sorts := &m.lacking.Sorts[0], m.sorts[0]
	for _, other := range m.sorts[1:] {
		sorts.Merge(other)
	}
	if x.Count == 0 || predict.Parted(sorts.Tables) {
		return
	}
	share := 1 - float64(x.Count)/float64(m.objects)
	severity, confidence := finding.Warning, 0.6
	switch {
	case share >= p.Threshold("sure-presence"):
		confidence = 0.7
	case m.objects >= plans.ExampleDocuments && share < p.Threshold("likely-presence"):
		confidence = m.rigid()
	}
	if x.Count > 1 && share < p.Threshold("likely-presence") {
		severity = finding.Info // nobody forgot it so often
	}
	path := m.field.Path()
	var names []string
	for _, place := range x.Places {
		if text, ok := identity.Text(p, place.At, m.key); ok {
			names = append(names, text)
		}
	}
	which := ""
	if len(names) > 0 {
		which = fmt.Sprintf(" (%s %s)", m.key, strings.Join(slices.Compact(names), ", "))
	}
	noun, label := "document", m.From.Label()
	if m.field.Parent.Parent != nil {
		noun = "object"
	} else if m.objects > m.From.N() {
		label = m.From.Collection.Name
	}
	raw := check.Raw{
		At: x.First(),
		Finding: finding.Finding{
			Severity: severity, Confidence: confidence,
			Message: fmt.Sprintf("%s is missing in %s of %s of %s%s; in all others it refers to %s", path, quantity.Grouped(x.Count),
				wording.Count(m.objects, noun), label, which, m.To.Collection.Name),
			Advice: fmt.Sprintf("Write %[2]s in every %[1]s, or null where there is none: no query from %[3]s finds a %[1]s without it, and nobody can tell whether it was forgotten.",
				noun, path, m.To.Collection.Name, noun),
			Evidence: []finding.Evidence{
				{Name: "objects", Value: m.objects},
				{Name: "missing", Value: x.Count},
				{Name: "presence", Value: math.Round(1000*share) / 1000},
			},
		},
		Related: []check.RawRelated{{Message: fmt.Sprintf("%s in another document", path), At: m.field.FirstAny()}},
	}
	raw.Related = append(raw.Related, x.AlsoAt("missing here too", places.RelatedPlaces)...)
	raw.Fixes = missingFix(p, m)
	p.Report(m.From, path, raw)
}

// missingFix adds the reference to a document.
func missingFix(p *check.Pass, m *missingRef) []finding.Fix {
	if m.field.Parent.Parent != nil || m.field != m.Node {
		return nil
	}
	title := fmt.Sprintf("%s in every document, null where there is none", m.Path)
	return plans.Changed(p, m.From.Collection.Name, title, m.sorts[0].Kinds[0].Smallest, func(document *reshape.Value) bool {
		null, err := reshape.Raw([]byte("null"))
		return err == nil && document.AddAfterID(p.Limits.IDKeys, m.field.Step.Name, null)
	})
}

var idFieldsWords = rulebook.Words("missing-reference", "id-fields")
