// Package duplicatereference reports lists of references with duplicates.
package duplicatereference

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
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/relations"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// Rule is duplicate-reference on documents.
var Rule = check.Rule{Name: "duplicate-reference", Run: func(p *check.Pass) {
	for _, e := range p.DB.Entities() {
		var lists []*repeatedRefs
		e.Root().Walk(func(n *profile.Node) bool {
			if n.Array != nil {
				if ref, ok := referenceList(p, e, n); ok {
					lists = append(lists, &repeatedRefs{entity: e, array: n, ref: ref, probe: check.Watch(p, e, &repeatProbe{at: profile.NewTrail(n.Path())})})
				}
			}
			return true
		})
		p.After(func() {
			for _, d := range lists {
				reportRepeated(p, d, tallyOf(d, lists))
			}
		})
	}
}}

type repeatedRefs struct {
	entity *model.Entity
	array  *profile.Node
	ref    *model.Reference // nil if only the name or type shows that the elements are references
	probe  *repeatProbe
}

// referenceList reports whether an array is a set of references.
func referenceList(p *check.Pass, e *model.Entity, n *profile.Node) (*model.Reference, bool) {
	if n.Array.Len.Max < 2 {
		return nil, false
	}
	ref, ok := references(p, n)
	return ref, ok && !sequence(p, e, n, ref)
}

// references reports whether the elements of an array are references, of which
// some may be repeated.
func references(p *check.Pass, n *profile.Node) (*model.Reference, bool) {
	elem := n.Array.Elem
	switch {
	case elem.Array != nil:
		return nil, false
	case elem.Object == nil:
		if r := p.DB.ReferenceAt(elem); r != nil {
			return r, mayRepeat(elem)
		}
		_, many, ok := lexicon.ReferenceStem(n.Step.Name)
		named := ok && many && n.Step.Kind == profile.Field && elem.Scalars != nil && relations.IDTyped(elem)
		made := elem.Types[profile.ObjectID] > 0 && elem.Types[profile.ObjectID] == elem.Present() // ids of documents, wherever these are
		return nil, (named || made) && !p.Lexicon.Has(lexicon.ExternalID, n.Step.Name) && mayRepeat(elem)
	case elem.Scalars != nil:
		return nil, false
	}
	r := referenceIn(p, elem, 1)
	return r, r != nil
}

// referenceIn returns a reference in an object, or as many objects deeper: product
// of lines, or the id of their product.
func referenceIn(p *check.Pass, object *profile.Node, deeper int) *model.Reference {
	fields := object.Object.Fields()
	for _, f := range fields {
		if r := p.DB.ReferenceAt(f); r != nil && mayRepeat(f) {
			return r
		}
	}
	for _, f := range fields {
		if deeper > 0 && f.Object != nil && f.Array == nil {
			if r := referenceIn(p, f, deeper-1); r != nil {
				return r
			}
		}
	}
	return nil
}

// mayRepeat reports whether values repeat at all, in one document or between
// two.
func mayRepeat(n *profile.Node) bool {
	return !n.Scalars.Values.Exact() || n.Scalars.Values.Repeated() > 0
}

// sequence reports whether the names around an array mean a sequence, or the
// document records what happened. An array that is named after the things it
// refers to, each of which is in one array only, is a set whatever is around it:
// the orders of an invoice, unlike its products.
func sequence(p *check.Pass, e *model.Entity, n *profile.Node, ref *model.Reference) bool {
	if ref != nil && owns(n) && lexicon.MatchStem(n.Step.Name, ref.To.Collection.Name) >= lexicon.SameNoun {
		return false
	}
	names := []string{e.Collection.Name, e.Word()}
	for _, s := range n.Path() {
		if s.Kind == profile.Field {
			names = append(names, s.Name)
		}
	}
	return slices.ContainsFunc(names, p.Lexicon.Sequence)
}

// owned is the share of references to different things from which each thing
// belongs to one array.
const owned = 0.9

// owns reports whether nearly all elements of an array refer to different things.
func owns(n *profile.Node) bool {
	elem := n.Array.Elem
	return elem.Scalars != nil && elem.Scalars.Values.Distinct() >= owned*float64(elem.Present())
}

// A repeatProbe finds array elements that repeat an earlier one.
type repeatProbe struct {
	at profile.Trail

	arrays    int64 // with at least two elements
	repeating int64 // of these, with a repeated element
	elements  int64 // repeated elements
	often     int64 // of these, third and later occurrences
	first     []repeat
	smallest  profile.Pos
}

// A repeat is a repeated element, with the text to remove.
type repeat struct{ at, cut profile.Pos }

// repeatsKept bounds the elements that a fix removes.
const repeatsKept = 1000

func (x *repeatProbe) New() check.Probe { return &repeatProbe{at: profile.NewTrail(x.at.Path())} }

func (x *repeatProbe) Skips(d *profile.Document) bool { return x.at.Absent(d) }

func (x *repeatProbe) Visit(d *profile.Document) {
	for i := range x.at.All(d) {
		if d.Class(i) != profile.Array || d.Len(i) < 2 {
			continue
		}
		x.arrays++
		seen := map[uint64]int{}
		found, before := false, uint32(0)
		for _, v := range d.Elements(i) {
			end := d.Tokens[v].End
			if d.Class(v) != profile.Null && !(d.Class(v) < profile.Object && relations.Absent(d, v)) {
				hash := d.Hash(v)
				seen[hash]++
				if n := seen[hash]; n > 1 {
					found = true
					x.elements++
					if n > 2 {
						x.often++
					}
					cut := d.At(v)
					cut.Off, cut.Len = d.Base+int64(before), end-before
					x.keep(repeat{d.At(v), cut})
				}
			}
			before = end
		}
		if found {
			x.repeating++
			x.smallest = places.SmallerDocument(x.smallest, d.Start())
		}
	}
}

func (x *repeatProbe) keep(more ...repeat) {
	x.first = places.KeepFirst(x.first, repeatsKept, func(a, b repeat) int { return a.at.Compare(b.at) }, more...)
}

func (x *repeatProbe) Merge(o check.Probe) {
	y := o.(*repeatProbe)
	x.arrays += y.arrays
	x.repeating += y.repeating
	x.elements += y.elements
	x.often += y.often
	x.keep(y.first...)
	x.smallest = places.SmallerDocument(x.smallest, y.smallest)
}

// severalTimes reduces the share of lists that may repeat an id once an id
// occurs three times. Something added twice by mistake occurs twice; where
// repeats are counts, some ids occur more often.
const severalTimes = 0.3

// A tally counts the lists of one kind of document that refer to one collection.
// A repeated reference means the same in each of them.
type tally struct {
	arrays, repeating int64
	often             bool
}

func tallyOf(d *repeatedRefs, lists []*repeatedRefs) (t tally) {
	for _, o := range lists {
		if o == d || d.ref != nil && o.ref != nil && d.ref.To.Collection == o.ref.To.Collection {
			t.arrays, t.repeating = t.arrays+o.probe.arrays, t.repeating+o.probe.repeating
			t.often = t.often || o.probe.often > 0
		}
	}
	return t
}

func reportRepeated(p *check.Pass, d *repeatedRefs, t tally) {
	x := d.probe
	if x.repeating == 0 {
		return
	}
	often := float64(x.repeating) / float64(x.arrays)
	most := p.Threshold("repeating-share")
	if t.often {
		most *= severalTimes
	}
	if float64(t.repeating) > most*float64(t.arrays) && (t.repeating > 1 || t.arrays >= plans.ExampleDocuments) {
		return // repeats have a meaning here
	}
	confidence := 0.6
	switch {
	case d.ref != nil && x.arrays >= plans.ExampleDocuments:
		confidence = 0.9
	case d.ref != nil:
		confidence = 0.7
	}
	path := d.array.Path()
	target := ""
	if d.ref != nil {
		target = " to " + d.ref.To.Collection.Name
	}
	var names []string
	raw := check.Raw{At: x.first[0].at}
	for n, r := range x.first[:min(plans.ValuesShown, len(x.first))] {
		names = append(names, places.Quote(p, r.at))
		if n > 0 {
			raw.Related = append(raw.Related, check.RawRelated{Message: "again here", At: r.at})
		}
	}
	example := ""
	if names = slices.Compact(names); len(names) > 0 {
		example = ": " + strings.Join(names, ", ")
	}
	if x.elements > int64(len(names)) && len(names) == plans.ValuesShown {
		example += " …"
	}
	raw.Finding = finding.Finding{
		Severity: finding.Warning, Confidence: confidence,
		Message: fmt.Sprintf("%s holds the same reference%s twice in %s of %s%s", path, target, quantity.Grouped(x.repeating),
			wording.Count(x.arrays, "list"), example),
		Advice: fmt.Sprintf("Keep each id of %s once, and add with an operation that does ($addToSet, ArrayUnion, a set) instead of a push. Counts and joins count a repeated id twice, and removing it once leaves the other.", path),
		Evidence: []finding.Evidence{
			{Name: "lists", Value: x.arrays},
			{Name: "lists.repeating", Value: x.repeating},
			{Name: "repeated", Value: x.elements},
			{Name: "share", Value: math.Round(10000*often) / 10000},
		},
	}
	for _, r := range x.first {
		raw.Edits = append(raw.Edits, check.RawEdit{At: r.cut})
	}
	raw.Fixes = repeatFix(p, d)
	p.Report(d.entity, path, raw)
}

// repeatFix removes the repeated elements. The edits are those of the finding.
func repeatFix(p *check.Pass, d *repeatedRefs) []finding.Fix {
	title := fmt.Sprintf("each id once in %s", d.array.Path())
	fixes := plans.Changed(p, d.entity.Collection.Name, title, d.probe.smallest, func(document *reshape.Value) bool {
		return document.Replace(d.array.Path(), distinctElements)
	})
	if fixes == nil {
		fixes = []finding.Fix{{Title: title}}
	}
	fixes[0].Safety = finding.Unsafe
	return fixes
}

// distinctElements returns an array without repeated elements.
func distinctElements(array *reshape.Value) *reshape.Value {
	if array.Kind() != scan.Array {
		return nil
	}
	var kept []*reshape.Value
	for _, v := range array.Elements() {
		if !slices.ContainsFunc(kept, v.Equal) {
			kept = append(kept, v)
		}
	}
	return reshape.Array(kept...)
}
