package model

import (
	"cmp"
	"math"
	"slices"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// A Discriminator is a field whose value distinguishes the kinds of object. Its
// name is not trusted: what counts is what its value predicts, as for the
// tagged unions of Klessinger et al., "Extracting JSON Schemas with Tagged
// Unions" (2023).
type Discriminator struct {
	Node   *profile.Node
	Path   profile.Path
	Values []profile.SampledValue // most frequent first

	// Explained is the share, 0 to 1, of the variation in objects' names that the
	// value accounts for. More values than chance allows count against it.
	Explained float64

	// Gain is the number of bits saved in writing down which objects have which
	// names if each value has its own list, minus the cost of these lists.
	Gain float64

	// news is the gain if names that come and go together count once, minus the
	// cost of choosing among the candidates.
	news float64

	// Determined is the number of names that come and go with the value alone.
	Determined int

	// Purity is the share of objects in the most frequent cluster of their value.
	// Recall is that share in the cluster where it is lowest.
	Purity, Recall float64

	// Coverage is the share of objects that have the field.
	Coverage float64
}

const (
	kindValues   = 50   // distinct values of a discriminator, at most
	kindObjects  = 2    // objects per kind on average, unless the field is called type or the like
	kindCoverage = 0.95 // share of the objects that must have it
	kindMinimum  = 0.5  // share of the objects below which it is not considered

	clusterPurity = 0.95
	clusterRecall = 0.9

	determinedLeft = 0.1  // share of a determined name's variation that may remain
	determinedVary = 0.04 // variation from which a name comes and goes: in 1 of 25 objects
	determinedName = 2    // names that a field called type must determine
	determinedAny  = 3    // names that any other field must determine
	kindExplained  = 0.7  // variation that any other field must account for
)

// Discriminators tests what the values of each candidate predict, and returns
// the candidates, best first. Candidates are fields with few values directly in
// the objects at a path, or one level down in documents. Names decide only
// between equals.
func Discriminators(shapes *profile.Shapes, clusters []*Cluster, total int64, lex *lexicon.Lexicon) []*Discriminator {
	if shapes == nil || total < 2 {
		return nil
	}
	all := shapes.All()
	substantial := Substantial(clusters, total)
	candidates := shapes.Tabulated()
	sets := setsOf(all)
	var out []*Discriminator
	for _, node := range candidates {
		if name := node.Step.Name; lex.Has(lexicon.System, name) && !lex.Has(lexicon.Discriminator, name) {
			continue // a framework counts versions: __v
		} else if lexicon.NaturalKey(lexicon.Fold(name)) {
			continue // it says whose the object is, not of which kind: username
		}
		d := testDiscriminator(node, all, sets, clusters, substantial, total)
		if d == nil {
			continue
		}
		// In a handful of objects some field goes with any division into two.
		if d.news -= math.Log2(float64(len(candidates))); d.news >= Convincing || lex.Has(lexicon.Discriminator, node.Step.Name) {
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

// setsOf returns a number for each field: that of the set of objects that have
// it, or of the set of those that lack it.
func setsOf(shapes []*profile.Shape) map[*profile.Node]uint64 {
	whole, with := uint64(0), map[*profile.Node]uint64{}
	for _, s := range shapes {
		whole ^= s.Hash()
		for _, f := range s.Fields {
			with[f] ^= s.Hash()
		}
	}
	for f, set := range with {
		with[f] = min(set, whole^set)
	}
	return with
}

func testDiscriminator(node *profile.Node, all []*profile.Shape, sets map[*profile.Node]uint64, clusters, substantial []*Cluster, total int64) *Discriminator {
	n := node.ScalarCount()
	values := slices.DeleteFunc(node.Scalars.Values.Values(), func(v profile.SampledValue) bool {
		nothing := v.HasText && v.Text == "" // the same as a missing value
		if nothing {
			n -= v.Count
		}
		return nothing
	})
	if len(values) < 2 || len(values) > kindValues || float64(n) < kindMinimum*float64(total) || !Tells(node) {
		return nil
	}
	d := &Discriminator{Node: node, Path: node.Path(), Values: values, Coverage: float64(n) / float64(total)}

	// Leave out objects without the field. Otherwise they would form a kind that
	// explains every missing name.
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
	if d.explain(whole, parts, sets); d.Gain < Convincing {
		return nil
	}
	d.Purity, d.Recall = purity(values, tables, clusters, substantial)
	return d
}

// A presence counts the objects that have each name.
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

// variation returns the Gini impurity of a name: the number of objects times
// p(1-p), where p is the share of objects that have the name.
func (p *presence) variation(f *profile.Node) float64 {
	if p.total == 0 {
		return 0
	}
	share := float64(p.counts[f]) / float64(p.total)
	return float64(p.total) * share * (1 - share)
}

// explain compares the parts with the whole. It computes the share of the
// variation that lies between the parts, corrected for their number like the
// adjusted coefficient of determination; the number of names that the parts
// explain completely; and the gain in bits. A name is written down once for all
// objects, or once per part, whichever is shorter; one bit says which.
func (d *Discriminator) explain(whole *presence, parts []*presence, sets map[*profile.Node]uint64) {
	n, k := float64(whole.total), float64(len(parts))
	d.Gain = -(k - 1) * math.Log2(n)
	d.news = d.Gain
	if n <= k {
		return
	}
	correction := (n - 1) / (n - k)
	fields := make([]*profile.Node, 0, len(whole.counts))
	for f := range whole.counts {
		fields = append(fields, f)
	}
	slices.SortFunc(fields, func(a, b *profile.Node) int { return cmp.Compare(a.Step.Name, b.Step.Name) }) // the order affects sums of floats
	total, left := 0.0, 0.0
	told := map[uint64]bool{}
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
		if !told[sets[f]] {
			told[sets[f]] = true
			d.news += max(0, bits)
		}
		if v >= determinedVary*n && within <= determinedLeft*v {
			d.Determined++
		}
	}
	if total > 0 {
		d.Explained = max(0, 1-left/total)
	}
}

// purity also returns the lowest recall of the substantial clusters. Without
// it, every field would predict the cluster that nearly all objects are in.
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

// Separates reports whether the value determines which of several clusters an
// object is in, and the cluster determines the value.
func (d *Discriminator) Separates(substantial []*Cluster) bool {
	return len(substantial) > 1 && d.Purity >= clusterPurity && d.Recall >= clusterRecall
}

// single reports whether most values occur in one object: they are then names
// of objects rather than of kinds.
func (d *Discriminator) single() bool {
	objects := int64(0)
	for _, v := range d.Values {
		objects += v.Count
	}
	return objects < kindObjects*int64(len(d.Values))
}

// Named reports whether the field is called type, or the like, of the documents of a
// collection. Documents that lack it lack their kind.
func (d *Discriminator) Named(collection string, lex *lexicon.Lexicon) bool {
	return len(d.Path) == 1 && lex.HasIn(lexicon.Discriminator, d.Node.Step.Name, lexicon.Singular(collection))
}

// Works reports whether the field distinguishes kinds reliably: its value
// separates clusters, or determines several names at once. A status determines
// names too (closedAt, closedBy), but a document moves from one to the next
// without becoming another kind, and a flag stands for an optional part.
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
