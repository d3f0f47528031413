package missingid

import (
	"cmp"
	"math"
	"slices"

	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
)

// A pair is two fields that together may identify documents: an order and the
// number of a line in it.
type pair struct {
	a, b string
	seen map[uint64]bool // both values of each document; nil once two documents agree
}

const (
	mostPairs     = 8
	pairDocuments = 1 << 16
	coincidences  = 7 // expected number that is zero by chance only once in a thousand times
)

// pairs returns pairs of fields that are unlikely to be different in each document
// by chance, the least likely first: a year and a region rather than two numbers.
// Before them come two fields that refer to documents of two collections, as in the
// favourites of users.
func pairs(p *check.Pass, e *model.Entity) []pair {
	if e.N() > pairDocuments {
		return nil
	}
	var fields []*profile.Node
	n := float64(e.N())
	for _, f := range e.Root().Object.Fields() {
		if f.Scalars != nil && f.Present() == e.N() && f.ScalarCount() == e.N() && f.Scalars.Values.Exact() {
			fields = append(fields, f)
		}
	}
	type candidate struct {
		pair
		expected float64
	}
	var found []candidate
	for i, f := range fields {
		for _, g := range fields[:i] {
			a, b := g.Scalars.Values.Distinct(), f.Scalars.Values.Distinct()
			// If the fields are independent, both values agree in at least this many
			// pairs of documents; fewest if all values are equally frequent.
			expected := n * (n/a - 1) / 2 * (n/b - 1) / (n - 1)
			if r, o := p.DB.ReferenceAt(g), p.DB.ReferenceAt(f); r != nil && o != nil && r.To.Collection != o.To.Collection {
				expected = math.Inf(1)
			}
			if a*b >= n && expected >= coincidences {
				found = append(found, candidate{pair{g.Step.Name, f.Step.Name, map[uint64]bool{}}, expected})
			}
		}
	}
	slices.SortStableFunc(found, func(x, y candidate) int { return cmp.Compare(y.expected, x.expected) })
	var best []pair
	for _, c := range found[:min(len(found), mostPairs)] {
		best = append(best, c.pair)
	}
	return best
}

// fresh returns the pair without any documents.
func (p pair) fresh() pair { return pair{p.a, p.b, map[uint64]bool{}} }

func (p *pair) visit(d *profile.Document) {
	if p.seen == nil {
		return
	}
	a, okA := d.Get(0, p.a)
	b, okB := d.Get(0, p.b)
	if okA && okB {
		p.add(d.Hash(a)*31 + d.Hash(b))
	}
}

func (p *pair) add(hash uint64) {
	if p.seen[hash] {
		p.seen = nil
		return
	}
	p.seen[hash] = true
}

func (p *pair) merge(o *pair) {
	if o.seen == nil {
		p.seen = nil
	}
	for hash := range o.seen {
		if p.seen == nil {
			return
		}
		p.add(hash)
	}
}
