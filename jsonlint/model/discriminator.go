package model

import (
	"cmp"
	"math"
	"slices"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// A Discriminator is a field whose value tells the kinds of object apart. It
// is tested, not believed: what counts is what its value predicts, in the
// manner of the tagged unions of Klessinger et al., "Extracting JSON Schemas
// with Tagged Unions" (2023).
type Discriminator struct {
	Node   *profile.Node
	Path   profile.Path
	Values []profile.SampledValue // most frequent first

	// Explained is the share of the variation in which names an object has
	// that the value accounts for, 0 to 1; more values than chance allows are
	// held against it.
	Explained float64

	// Gain is what is saved in writing down which objects have which names if
	// each value has its own list, less the price of these lists, in bits.
	Gain float64

	// Determined is the number of names that come and go with the value and
	// with nothing else.
	Determined int

	// Purity is the share of objects that stand in the cluster which is the
	// most frequent one for their value. Recall is that share in the cluster
	// where it is lowest.
	Purity, Recall float64

	// Coverage is the share of objects that have the field.
	Coverage float64
}

const (
	kindValues   = 50   // distinct values a discriminator has at most
	kindObjects  = 2    // objects of a kind on average, unless the field is called type or the like
	kindCoverage = 0.95 // objects that must have it
	kindMinimum  = 0.5  // objects that must have it to be looked at

	clusterPurity = 0.95
	clusterRecall = 0.9

	determinedLeft = 0.1  // of a name's variation that may remain where it is determined
	determinedVary = 0.04 // variation from which a name comes and goes: in 1 of 25 objects
	determinedName = 2    // names that a field called type determines
	determinedAny  = 3    // names that any other field determines
	kindExplained  = 0.7  // variation that any other field must account for
)

// Discriminators tests every field with few values directly in the objects at
// a path, or one level down in documents, for what its value predicts; best
// first. Names decide between equals only.
func Discriminators(shapes *profile.Shapes, clusters []*Cluster, total int64, lex *lexicon.Lexicon) []*Discriminator {
	if shapes == nil || total < 2 {
		return nil
	}
	all := shapes.All()
	substantial := Substantial(clusters, total)
	var out []*Discriminator
	for _, node := range shapes.Tabulated() {
		if d := testDiscriminator(node, all, clusters, substantial, total); d != nil {
			out = append(out, d)
		}
	}
	slices.SortStableFunc(out, func(a, b *Discriminator) int { return compareDiscriminators(a, b, lex) })
	return out
}

func compareDiscriminators(a, b *Discriminator, lex *lexicon.Lexicon) int {
	score := func(d *Discriminator) float64 {
		s := d.Explained + d.Purity + d.Coverage
		if lex.Has(lexicon.Discriminator, d.Node.Step.Name) {
			s += 0.3
		}
		if len(d.Path) > 1 {
			s -= 0.1
		}
		return s - 0.002*float64(len(d.Values))
	}
	return cmp.Or(cmp.Compare(score(b), score(a)), cmp.Compare(a.Path.String(), b.Path.String()))
}

func testDiscriminator(node *profile.Node, all []*profile.Shape, clusters, substantial []*Cluster, total int64) *Discriminator {
	n := node.ScalarCount()
	values := slices.DeleteFunc(node.Scalars.Values.Values(), func(v profile.SampledValue) bool {
		nothing := v.HasText && v.Text == "" // says nothing, as a missing one
		if nothing {
			n -= v.Count
		}
		return nothing
	})
	if len(values) < 2 || len(values) > kindValues || float64(n) < kindMinimum*float64(total) || !Tells(node) {
		return nil
	}
	d := &Discriminator{Node: node, Path: node.Path(), Values: values, Coverage: float64(n) / float64(total)}

	// Objects without the field say nothing about it: they are left out, or
	// they would be a kind of their own that explains every missing name.
	whole := newPresence()
	parts := make([]*presence, len(values))
	for i := range parts {
		parts[i] = newPresence()
	}
	tables := make(map[*profile.Shape]map[uint64]int64, len(all))
	for _, s := range all {
		table := s.Values(node)
		tables[s] = table
		for i, v := range values {
			if c := table[v.Hash]; c > 0 {
				parts[i].add(s, c, node)
				whole.add(s, c, node)
			}
		}
	}
	if whole.total == 0 {
		return nil
	}
	if d.explain(whole, parts); d.Gain < Convincing {
		return nil
	}
	d.Purity, d.Recall = purity(values, tables, clusters, substantial)
	return d
}

// presence counts in how many objects each name is.
type presence struct {
	total  int64
	counts map[*profile.Node]int64
}

func newPresence() *presence { return &presence{counts: map[*profile.Node]int64{}} }

func (p *presence) add(s *profile.Shape, count int64, except *profile.Node) {
	p.total += count
	for _, f := range s.Fields {
		if f != except {
			p.counts[f] += count
		}
	}
}

// variation of a name is the number of objects times p(1-p), p being the
// share of objects that have it: its Gini impurity.
func (p *presence) variation(f *profile.Node) float64 {
	if p.total == 0 {
		return 0
	}
	share := float64(p.counts[f]) / float64(p.total)
	return float64(p.total) * share * (1 - share)
}

// explain finds out what the parts say about the whole: which share of the
// variation is between them, corrected for their number as in the adjusted
// coefficient of determination; of how many names they leave nothing to
// explain; and what it is worth. A name is written down once for all objects, or
// for each part, whichever is shorter; one bit says which.
func (d *Discriminator) explain(whole *presence, parts []*presence) {
	n, k := float64(whole.total), float64(len(parts))
	d.Gain = -(k - 1) * math.Log2(n)
	if n <= k {
		return
	}
	correction := (n - 1) / (n - k)
	fields := make([]*profile.Node, 0, len(whole.counts))
	for f := range whole.counts {
		fields = append(fields, f)
	}
	slices.SortFunc(fields, func(a, b *profile.Node) int { return cmp.Compare(a.Step.Name, b.Step.Name) }) // sums of floats depend on the order
	total, left := 0.0, 0.0
	for _, f := range fields {
		v := whole.variation(f)
		if v == 0 {
			continue
		}
		within, bits := 0.0, PresenceBits(whole.counts[f], whole.total)-1
		for _, p := range parts {
			within += p.variation(f)
			bits -= PresenceBits(p.counts[f], p.total)
		}
		within *= correction
		total += v
		left += within
		d.Gain += max(0, bits)
		if v >= determinedVary*n && within <= determinedLeft*v {
			d.Determined++
		}
	}
	if total > 0 {
		d.Explained = max(0, 1-left/total)
	}
}

// purity also returns the lowest recall of the substantial clusters: without
// it every field would predict the one cluster that nearly all objects are in.
func purity(values []profile.SampledValue, tables map[*profile.Shape]map[uint64]int64, clusters, substantial []*Cluster) (purity, recall float64) {
	count := func(c *Cluster, hash uint64) (n int64) {
		for _, s := range c.Shapes {
			n += tables[s][hash]
		}
		return n
	}
	modal, total := int64(0), int64(0)
	predicted, members := map[*Cluster]int64{}, map[*Cluster]int64{}
	for _, v := range values {
		best, most := (*Cluster)(nil), int64(0)
		for _, c := range clusters {
			n := count(c, v.Hash)
			total += n
			members[c] += n
			if n > most {
				best, most = c, n
			}
		}
		modal += most
		predicted[best] += most
	}
	if total == 0 {
		return 0, 0
	}
	recall = 1
	for _, c := range substantial {
		if members[c] == 0 {
			recall = 0
			continue
		}
		recall = min(recall, float64(predicted[c])/float64(members[c]))
	}
	return float64(modal) / float64(total), recall
}

// Separates reports whether the value decides which of several clusters an
// object is in, and the cluster decides the value.
func (d *Discriminator) Separates(substantial []*Cluster) bool {
	return len(substantial) > 1 && d.Purity >= clusterPurity && d.Recall >= clusterRecall
}

// single reports whether most values stand for one object: then they are names of
// these, and not of kinds.
func (d *Discriminator) single() bool {
	objects := int64(0)
	for _, v := range d.Values {
		objects += v.Count
	}
	return objects < kindObjects*int64(len(d.Values))
}

// Works reports whether the field tells kinds apart well enough to rely on:
// its value separates clusters, or it decides on several names at once. A
// status decides on names too (closedAt, closedBy), but a document passes
// from one to the next without becoming another kind, and a flag stands for
// an optional part.
func (d *Discriminator) Works(substantial []*Cluster, lex *lexicon.Lexicon) bool {
	name := d.Node.Step.Name
	switch {
	case d.Coverage < kindCoverage, d.single() && !lex.Has(lexicon.Discriminator, name):
		return false
	case d.Separates(substantial):
		return true
	case lex.Has(lexicon.Discriminator, name):
		return d.Determined >= determinedName
	case lex.Has(lexicon.VolatileMedium, name), lex.Has(lexicon.VolatileStrong, name), d.Node.Types[profile.String] < d.Node.ScalarCount():
		return false
	}
	return d.Determined >= determinedAny && d.Explained >= kindExplained
}
