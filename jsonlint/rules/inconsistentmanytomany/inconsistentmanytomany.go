// Package inconsistentmanytomany reports relations whose two halves, kept in
// two documents, disagree.
package inconsistentmanytomany

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/identity"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/relations"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// Rule is inconsistent-many-to-many on documents.
var Rule = check.Rule{Name: "inconsistent-many-to-many", Run: func(p *check.Pass) {
	t := &twoSided{pass: p, edges: map[halfKey]*half{}}
	all := relations.Relations(p)
	between := map[[2]*model.Collection][]int{} // indexes, so that only opposite relations are compared
	for i, r := range all {
		ends := [2]*model.Collection{r.From.Collection, r.To.Collection}
		between[ends] = append(between[ends], i)
	}
	for i, r := range all {
		for _, k := range between[[2]*model.Collection{r.To.Collection, r.From.Collection}] {
			if s := all[k]; k >= i && !r.Doubtful() && !s.Doubtful() && t.opposite(r, s) {
				t.candidates = append(t.candidates, &candidatePair{a: t.half(r, s), b: t.half(s, r)})
			}
		}
	}
	if len(t.candidates) > 0 {
		p.After(t.report)
	}
}}

// twoSided looks for the two halves of relations.
type twoSided struct {
	pass       *check.Pass
	edges      map[halfKey]*half
	candidates []*candidatePair
}

// A half is one direction of a relation.
type half struct {
	*relations.Relation
	own   profile.Path // key by which the other half refers to the documents
	edges *relations.Edges
	docs  []*relations.KeyIndex // documents referred to
}

type halfKey struct {
	relation *relations.Relation
	own      string
}

// A candidatePair is two relations in opposite directions.
type candidatePair struct {
	a, b    *half
	overlap float64
	odds    float64            // log-odds that the two are halves of one relation
	onlyA   relations.OneSided // pairs that only a has
	onlyB   relations.OneSided
	single  *half // the half whose single references choose from overlapping lists; nil if the two are symmetric
}

// opposite reports whether two relations may be halves of one.
func (t *twoSided) opposite(r, s *relations.Relation) bool {
	if !r.LeadsTo(s) || !s.LeadsTo(r) {
		return false
	}
	return (r.Many() || s.Many()) && ofOne(r.Key) && ofOne(s.Key) && refers(r) && refers(s) && !ofAnother(r) && !t.selection(r) && !t.selection(s)
}

// ofOne reports whether each value of a key belongs to one document. Two documents that
// share a value, such as the group they are in, may each hold a part of the other side.
func ofOne(k *model.Key) bool { return k.ID || k.Own || k.Unique >= 1 }

// ofAnother reports whether a reference belongs to another document that is copied
// into this one: user.courseIds of a user with an id. This document does not maintain
// that relation.
func ofAnother(r *relations.Relation) bool {
	for n := r.Node.Parent; n != nil && n.Parent != nil; n = n.Parent {
		if n.Step.Kind != profile.Field || n.Object == nil {
			continue
		}
		for _, f := range n.Object.Fields() {
			if f != r.Node && identity.IsIDName(f.Step.Name) {
				return true
			}
		}
	}
	return false
}

// refers reports whether a relation is a real reference. A single value that
// equals a unique attribute of another document may be an attribute of both.
func refers(r *relations.Relation) bool {
	return r.Many() || r.Stem || r.Key.Identifies()
}

// selection reports whether the name of a list says that it is part of a whole:
// recentBooks, books.latest.
func (t *twoSided) selection(r *relations.Relation) bool {
	return slices.ContainsFunc(r.Path, func(s profile.Step) bool {
		return s.Kind == profile.Field && t.pass.Lexicon.Has(lexicon.BoundMarker, s.Name)
	})
}

func (t *twoSided) half(r, s *relations.Relation) *half {
	key := halfKey{r, s.Key.Path.String()}
	if t.edges[key] == nil {
		t.edges[key] = &half{r, s.Key.Path, relations.WatchEdges(t.pass, r, s.Key.Path), relations.WatchKeys(t.pass, r.Targets())}
	}
	return t.edges[key]
}

func (t *twoSided) report() {
	for _, c := range t.candidates {
		if err := c.compare(t.pass); err != nil {
			t.pass.Fail(err)
			return
		}
	}
	// A field may overlap with several others (authors, editors). It belongs to
	// the one it agrees with most.
	slices.SortStableFunc(t.candidates, func(a, b *candidatePair) int { return cmp.Compare(b.overlap, a.overlap) })
	taken := map[*relations.Relation]bool{}
	for _, c := range t.candidates {
		if c.overlap < t.pass.Threshold("overlap") || c.odds <= 0 {
			continue
		}
		if c.single != nil { // several references may choose from the same lists
			if taken[c.single.Relation] {
				continue
			}
			taken[c.single.Relation] = true
		} else {
			if taken[c.a.Relation] {
				continue
			}
			taken[c.a.Relation], taken[c.b.Relation] = true, true
		}
		c.onlyA = knownElsewhere(t.pass, c.onlyA, c.a, c.b)
		c.onlyB = knownElsewhere(t.pass, c.onlyB, c.b, c.a)
		if c.onlyA.Count+c.onlyB.Count > 0 {
			reportPair(t.pass, c)
		}
	}
}

// edgesRead is the number of pairs whose documents are read again.
const edgesRead = 1000

// knownElsewhere drops pairs that the other document has outside its list, such as
// in a list of deleted ones: the code that writes it has not forgotten them. The
// same holds if the list is full. It does not apply to single references, because
// a single reference excludes all documents that it does not name.
func knownElsewhere(p *check.Pass, only relations.OneSided, a, b *half) relations.OneSided {
	if !b.Many() || only.Count == 0 || len(only.Edges) > edgesRead {
		return only
	}
	full, twice := b.edges.Limit(), namesTwice(p, a, b)
	var forgotten []relations.FoundEdge
	for _, e := range only.Edges {
		if full > 0 && b.edges.From(e.To) >= full || !twice && holdsElsewhere(p, e, a, b) {
			only.Count--
		} else {
			forgotten = append(forgotten, e)
		}
	}
	only.Edges = forgotten
	return only
}

// namesTwice reports whether documents also have the entries of b's list in
// another place. That place is then not an alternative to the list.
func namesTwice(p *check.Pass, a, b *half) bool {
	listed, twice := 0, 0
	for _, at := range relations.SomeKeys(a.docs, listsRead) {
		d, err := p.Document(at)
		if err != nil {
			continue
		}
		keys := map[uint64]bool{}
		for v := range d.Select(0, b.Path) {
			keys[d.Hash(v)] = true
		}
		if len(keys) == 0 {
			continue
		}
		listed++
		if outside(p, d, b, func(i int) bool { return keys[d.Hash(i)] }) {
			twice++
		}
	}
	return 2*twice > listed
}

// listsRead is the number of documents whose lists are read.
const listsRead = 40

// holdsElsewhere reports whether the document that an edge of a leads to has
// the other document's key outside b's field.
func holdsElsewhere(p *check.Pass, e relations.FoundEdge, a, b *half) bool {
	at, ok := relations.FindKey(a.docs, e.To)
	if !ok {
		return false
	}
	d, err := p.Document(at)
	if err != nil {
		return false
	}
	return outside(p, d, b, func(i int) bool {
		if !b.Tail {
			return d.Hash(i) == e.From()
		}
		before, key, ok := d.Tail(i)
		return ok && profile.HashText(key) == e.From() && relations.KeysOf(p, b.Relation).Leads(before)
	})
}

// outside reports whether a document has one of some keys in a place other than
// the field of the half. A number may be anything but in a field that refers to the
// same documents.
func outside(p *check.Pass, d *profile.Document, b *half, key func(i int) bool) bool {
	own := map[int]bool{}
	for v := range d.Select(0, b.Path) {
		own[v] = true
	}
	for i := range d.Tokens {
		if kind := d.Tokens[i].Kind; (kind == scan.String || kind == scan.ObjectID) && !own[i] && key(i) {
			return true
		}
	}
	for _, r := range p.DB.ReferencesFrom(b.From) {
		if r.To.Collection == b.To.Collection {
			for v := range d.Select(0, r.Path) {
				if !own[v] && key(v) {
					return true
				}
			}
		}
	}
	return false
}

// compare counts the pairs that both sides have, and those that only one has.
func (c *candidatePair) compare(p *check.Pass) (err error) {
	if c.onlyA, err = c.a.edges.Without(p.Ctx, c.b.edges); err != nil {
		return err
	}
	if c.a != c.b {
		if c.onlyB, err = c.b.edges.Without(p.Ctx, c.a.edges); err != nil {
			return err
		}
	}
	beyond, pairs := c.onlyA.Count+c.onlyB.Count, c.both()+max(c.onlyA.Count, c.onlyB.Count)
	switch {
	case c.a == c.b: // a single field, which should be symmetric
		if c.overlap = share(c.both(), c.onlyA.Count); c.overlap < p.Threshold("symmetric-overlap") {
			c.overlap = 0 // a directed relation: followers, prerequisites
		}
	case c.a.Many() != c.b.Many() && !c.many().Exclusive():
		// A document is in several lists but names one of them, so only the lists can
		// be incomplete.
		c.keepSingle(p)
	default:
		c.overlap = share(c.both(), c.onlyA.Count+c.onlyB.Count)
	}
	only := c.onlyA.Count + c.onlyB.Count
	if c.single != nil {
		c.odds = model.ChoiceOdds(c.both(), only, beyond-only)
		return nil
	}
	chance := float64(pairs) / relations.Possible(c.a.edges, c.b.edges)
	c.odds = model.HalfOdds(c.both(), only, chance, c.a != c.b && c.a.Bare && c.b.Bare)
	return nil
}

// both returns the number of pairs that both sides have.
func (c *candidatePair) both() int64 { return c.onlyA.Both }

func share(both, only int64) float64 {
	if both+only == 0 {
		return 0
	}
	return float64(both) / float64(both+only)
}

// many returns the edges of the half that holds lists.
func (c *candidatePair) many() *relations.Edges {
	if c.a.Many() {
		return c.a.edges
	}
	return c.b.edges
}

// keepSingle keeps the pairs that the single references name.
func (c *candidatePair) keepSingle(p *check.Pass) {
	only := &c.onlyA
	if c.a.Many() {
		c.single, c.onlyA.Count, only = c.b, 0, &c.onlyB
	} else {
		c.single, c.onlyB.Count = c.a, 0
	}
	if c.overlap = share(c.both(), only.Count); c.overlap < p.Threshold("list-overlap") {
		c.overlap = 0
	}
}

// pairsShown is the number of pairs of which a finding names the documents.
const pairsShown = 3

func reportPair(p *check.Pass, c *candidatePair) {
	// Report the side with more of the pairs.
	a, b, only := c.a, c.b, c.onlyA
	if c.onlyB.Count > c.onlyA.Count {
		a, b, only = c.b, c.a, c.onlyB
	}
	missing := c.onlyA.Count + c.onlyB.Count
	confidence := 1 / (1 + math.Exp(-min(c.odds, model.Sure)))
	example := ""
	slices.SortFunc(only.Edges, func(e, f relations.FoundEdge) int { return e.At.Compare(f.At) })
	lacking := fmt.Sprint(b.From.Collection.Name, b.Path, missing) // several fields may name what one list lacks
	raw := check.Raw{At: only.Edges[0].At.Pos(), Sure: true}
	for _, e := range only.Edges[:min(pairsShown, len(only.Edges))] {
		at := e.At.Pos()
		from, ok := identity.Text(p, at, a.own)
		if !ok {
			continue
		}
		to := places.Quote(p, at)
		lacking += from + to
		if example == "" {
			example = fmt.Sprintf(": %s has %s in %s, but %s has no %s in %s", from, to, a.Path, to, from, b.Path)
		}
		if other, ok := relations.FindKey(a.docs, e.To); ok {
			raw.Related = append(raw.Related, check.RawRelated{Message: fmt.Sprintf("%s has no %s in %s", to, from, b.Path), At: other})
		}
	}
	between := fmt.Sprintf("%s.%s and %s.%s disagree in", a.From.Collection.Name, a.Path, b.From.Collection.Name, b.Path)
	repair := fmt.Sprintf("Add the missing half of each pair, or remove the other half, and write %s and %s together in one transaction or batch", a.Path, b.Path)
	if a == b {
		between = fmt.Sprintf("%s.%s is not mutual in", a.From.Collection.Name, a.Path)
		repair = "Add the missing half of each pair, or remove the other half, and write both documents together in one transaction or batch"
	}
	raw.Finding = finding.Finding{
		Severity: finding.Error, Confidence: confidence,
		Message: fmt.Sprintf("%s %s of %s%s", between, quantity.Grouped(missing), wording.Count(c.both()+missing, "pair"), example),
		Advice:  repair + ". Where that is not possible, keep one side only and query the other way with an index on it.",
		Evidence: []finding.Evidence{
			{Name: "pairs.both", Value: c.both()},
			{Name: "pairs." + a.From.Collection.Name + ".only", Value: only.Count},
			{Name: "pairs.missing", Value: missing},
			{Name: "overlap", Value: math.Round(1000*c.overlap) / 1000},
		},
	}
	raw.Cause, raw.Fixes = lacking, pairFix(p, a, b, only.Edges)
	p.Report(a.From, a.Path, raw)
}
