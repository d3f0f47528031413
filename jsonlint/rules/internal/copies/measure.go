package copies

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/relations"
)

// Measures is what the second pass showed of copies.
type Measures struct {
	Things     []*measuredThing // by hash
	copies     int64            // of these things
	MeanFanOut float64          // documents per thing
	MaxFanOut  int64
	widest     *measuredThing
	Fields     []*FieldMeasure
}

type measuredThing struct {
	Hash uint64
	*thing
}

// A FieldMeasure says whether a field is an attribute of the thing or of its
// link with the document, and whether its copies agree.
type FieldMeasure struct {
	Node     *profile.Node
	Index    int
	Volatile volatility

	Constant  bool    // one value everywhere
	Judged    bool    // there were enough copies to judge
	Lambda    float64 // Goodman-Kruskal λ of the field given the thing, each copy judged by the others
	eta       float64 // share of a number's variance that the thing accounts for; NaN if the field is not a number
	specific  float64 // share of the copies whose value only one thing has
	Disagree  float64 // share of the copies that differ from their thing's most frequent value
	Drifted   int     // things of which copies disagree
	Conflicts []conflict

	lacking         bool  // there are originals, and none has a field with this name
	Compared, Stale int64 // copies with an original, and those that differ from it
	StaleCopies     []staleCopy
	Leaf            Leaf
	leaf            int // its number
}

type volatility uint8

const (
	notVolatile volatility = iota
	slow
	mediumVolatile
	StrongVolatile
)

// A conflict is a thing with two values of a field in its copies.
type conflict struct {
	Thing *measuredThing
	Often variant // the most frequent
	Other variant
}

// A staleCopy is a value of copies that the original does not have.
type staleCopy struct {
	Thing    *measuredThing
	Value    variant
	Original LeafValue

	Ambiguous bool // the original has several such values
}

const (
	judgedCopies      = 3  // copies of a thing from which it can be judged
	judgedOccurrences = 20 // copies in all
	fewCopies         = 10 // ... where there are only a few documents
)

// Measure evaluates the probes; it is done once.
func (c *Site) Measure(p *check.Pass) *Measures {
	if c.Measured != nil {
		return c.Measured
	}
	m := &Measures{}
	c.Measured = m
	for _, hash := range slices.Sorted(maps.Keys(c.probe.things)) {
		t := &measuredThing{hash, c.probe.things[hash]}
		m.Things = append(m.Things, t)
		m.copies += t.copies
		m.MeanFanOut += float64(t.Docs)
		if t.Docs > m.MaxFanOut || t.Docs == m.MaxFanOut && t.At.Compare(m.widest.At) < 0 {
			m.MaxFanOut, m.widest = t.Docs, t
		}
	}
	if len(m.Things) == 0 {
		return m
	}
	m.MeanFanOut /= float64(len(m.Things))
	if id := c.Entity.ID(); id != nil && id.ID && c.snapshots != nil { // several versions of a document are one
		m.MeanFanOut *= min(1, id.Unique)
		m.MaxFanOut = int64(math.Ceil(float64(m.MaxFanOut) * min(1, id.Unique)))
	}
	for i, f := range c.fields {
		fm := &FieldMeasure{Node: f, Index: i, Volatile: VolatilityOf(p, f), eta: math.NaN(), Lambda: math.NaN()}
		fm.judge(m.Things, c.Entity.N() < places.EnoughDocuments)
		m.Fields = append(m.Fields, fm)
	}
	for _, f := range m.Fields {
		f.lacking = c.lacks(p, f.Node)
	}
	if c.Original != nil {
		known := c.known()
		if describesItself(known) {
			known = nil
		}
		for _, f := range m.Fields {
			c.compare(f, known)
		}
	}
	m.Fields = slices.DeleteFunc(m.Fields, func(f *FieldMeasure) bool { return f.Compared == 0 && slices.Contains(c.unnamed, f.Node) })
	return m
}

// VolatilityOf says how often a field with this name changes. Open, high, low
// and close mean something only in combination (see lexicon.CountVolatile). A
// text such as the level "beginner" is not what the words mean.
func VolatilityOf(p *check.Pass, f *profile.Node) volatility {
	name := f.Step.Name
	text := f.Types[profile.String] > 0 && !HoldsDates(f)
	if text {
		digits, _ := f.Scalars.FormCount(profile.FormDecimal)
		whole, _ := f.Scalars.FormCount(profile.FormInteger)
		text = digits+whole < f.Present()
	}
	switch {
	case p.Lexicon.Has(lexicon.VolatileStrong, name) && !text:
		if p.Lexicon.Has(lexicon.PriceRange, name) && !partOfPriceRange(p, f) {
			return notVolatile
		}
		return StrongVolatile
	case p.Lexicon.Has(lexicon.VolatileMedium, name):
		return mediumVolatile
	case p.Lexicon.Has(lexicon.Slow, name):
		return slow
	}
	return notVolatile
}

func partOfPriceRange(p *check.Pass, f *profile.Node) bool {
	n := 0
	for _, g := range f.Parent.Object.Fields() {
		if p.Lexicon.Has(lexicon.PriceRange, g.Step.Name) {
			n++
		}
	}
	return n >= 2
}

// judge determines whether the field belongs to the thing, and how many copies
// disagree. Each copy is judged by the other copies of its thing: comparing
// with the most frequent value of all copies would favour things with few
// copies.
func (f *FieldMeasure) judge(things []*measuredThing, few bool) {
	overall := map[uint64]int64{}
	holders := map[uint64]int{}
	total, alike, differing := int64(0), 0.0, int64(0)
	for _, t := range things {
		c := &t.Cells[f.Index]
		if c.count < judgedCopies {
			continue
		}
		kept := int64(0)
		best := 0
		for i, v := range c.values {
			overall[v.hash] += v.Count
			holders[v.hash]++
			kept += v.Count
			if better(v, c.values[best]) {
				best = i
			}
		}
		if kept == 0 {
			continue
		}
		total += kept
		alike += leaveOneOut(c.values)
		if len(c.values) > 1 || c.Shift > 0 {
			f.Drifted++
			differing += kept - c.values[best].Count
			f.Conflicts = append(f.Conflicts, conflictOf(t, c, best))
		}
	}
	need := int64(judgedOccurrences)
	if few {
		need = fewCopies
	}
	if total < need {
		f.pairs(things)
		return
	}
	modal, own := int64(0), int64(0)
	for hash, n := range overall {
		modal = max(modal, n)
		if holders[hash] == 1 {
			own += n
		}
	}
	f.Disagree = float64(differing) / float64(total)
	f.specific = float64(own) / float64(total)
	if modal == total {
		f.Constant = true // a constant shows nothing
		return
	}
	f.Judged = true
	base := float64(modal) / float64(total)
	f.Lambda = (alike/float64(total) - base) / (1 - base)
	f.eta = explainedVariance(things, f.Index)
}

// pairs finds the conflicts where there are too few copies for statistics.
func (f *FieldMeasure) pairs(things []*measuredThing) {
	f.Drifted, f.Conflicts = 0, nil
	for _, t := range things {
		c := &t.Cells[f.Index]
		if len(c.values) < 2 {
			continue
		}
		best := 0
		for i, v := range c.values {
			if better(v, c.values[best]) {
				best = i
			}
		}
		f.Drifted++
		f.Conflicts = append(f.Conflicts, conflictOf(t, c, best))
	}
}

func better(a, b variant) bool {
	return a.Count > b.Count || a.Count == b.Count && a.Places[0].Compare(b.Places[0]) < 0
}

func conflictOf(t *measuredThing, c *cell, best int) conflict {
	other := -1
	for i, v := range c.values {
		if i != best && (other < 0 || better(v, c.values[other])) {
			other = i
		}
	}
	if other < 0 {
		return conflict{Thing: t, Often: c.values[best], Other: c.values[best]}
	}
	return conflict{Thing: t, Often: c.values[best], Other: c.values[other]}
}

// leaveOneOut counts the copies that have the most frequent value of the other
// copies. If several values are equally frequent, each counts as a fraction.
func leaveOneOut(values []variant) float64 {
	alike := 0.0
	for i, v := range values {
		if v.Count < 2 {
			continue
		}
		most, ties := int64(0), 1
		for j, w := range values {
			if j != i && w.Count > most {
				most = w.Count
			}
		}
		for j, w := range values {
			if j != i && w.Count == v.Count-1 {
				ties++
			}
		}
		switch {
		case v.Count-1 > most:
			alike += float64(v.Count)
		case v.Count-1 == most:
			alike += float64(v.Count) / float64(ties)
		}
	}
	return alike
}

// explainedVariance is the correlation ratio η²: the share of a number's
// variance that lies between things, not between copies of one thing. The price
// of a stock moves a little around a level of its own; the number of shares
// held is unrelated to the stock. Ranks are compared instead of sizes, so that
// a single expensive thing does not dominate.
func explainedVariance(things []*measuredThing, field int) float64 {
	type point struct {
		number float64
		count  int64
		thing  int
	}
	var points []point
	total := int64(0)
	for i, t := range things {
		c := &t.Cells[field]
		if c.count < 2 {
			continue
		}
		for _, v := range c.values {
			if !v.exact {
				return math.NaN()
			}
			points = append(points, point{v.number, v.Count, i})
			total += v.Count
		}
	}
	if total < fewCopies {
		return math.NaN()
	}
	slices.SortStableFunc(points, func(a, b point) int { return cmp.Compare(a.number, b.number) })
	sums, counts := map[int]float64{}, map[int]int64{}
	mean := float64(total) / 2
	all := 0.0
	for i, before := 0, int64(0); i < len(points); {
		j, n := i, int64(0)
		for ; j < len(points) && points[j].number == points[i].number; j++ {
			n += points[j].count
		}
		rank := float64(before) + float64(n)/2
		for ; i < j; i++ {
			w := float64(points[i].count)
			sums[points[i].thing] += w * (rank - mean)
			counts[points[i].thing] += points[i].count
			all += w * (rank - mean) * (rank - mean)
		}
		before += n
	}
	if all == 0 {
		return math.NaN()
	}
	between := 0.0
	for _, thing := range slices.Sorted(maps.Keys(sums)) {
		between += sums[thing] * sums[thing] / float64(counts[thing])
	}
	// Adjusted for the number of things: with few copies of each, chance alone
	// explains something (Kelley's ε²).
	k, n := float64(len(sums)), float64(total)
	if n <= k {
		return math.NaN()
	}
	return 1 - (1-between/all)*(n-1)/(n-k)
}

// entityEta is the share of its variance from which a number is an attribute of
// the thing.
const entityEta = 0.6

// determined is the strength from which a field is a function of the thing,
// even if its original has no such field.
const determined = 0.95

// pooled reports whether many things share the values of a field, as with
// levels and positions in a list. Copies that disagree may then be links that
// differ.
func (f *FieldMeasure) pooled() bool { return f.specific < ownValues/2 }

// OfThing reports whether the field is an attribute of the thing rather than
// of its link with the document.
func (f *FieldMeasure) OfThing(strength float64) bool {
	return !f.ofLink() && (f.Judged && f.Lambda >= strength || f.varies() && f.eta >= entityEta)
}

// ofLink reports whether the field describes the link, because the things do
// not have it.
func (f *FieldMeasure) ofLink() bool {
	return f.lacking && f.Judged && f.Lambda < determined
}

// varies reports whether the number differs between copies, and is not one of a few
// values that all things share, such as levels and ranks.
func (f *FieldMeasure) varies() bool {
	return f.Judged && !math.IsNaN(f.eta) && f.Drifted > 0 && f.specific >= ownValues/2
}

const (
	learned       = 0.9 // share of the copies that repeat a leaf of another name
	learnedThings = 5
	sameNamed     = 0.6 // ... of the same name
	fewSameNamed  = 0.5 // ... of a handful of things
)

// compare finds the leaf of the original that the field repeats, and the
// copies that differ from it.
func (c *Site) compare(f *FieldMeasure, known []thingWithOriginal) {
	best := c.repeated(f, known)
	if best < 0 || f.Lambda < ownValues && f.Volatile != StrongVolatile && HoldsDates(f.Node) {
		return // when each took place: a flight has one number on many days
	}
	f.Leaf, f.leaf = c.Original.settings.leaves[best], best
	for _, t := range known {
		for leaf, truth := range t.original.byLeaf() {
			if leaf != best {
				continue
			}
			for _, v := range t.Cells[f.Index].values {
				f.Compared += v.Count
				if !holds(truth, v.hash) {
					f.Stale += v.Count
					f.StaleCopies = append(f.StaleCopies, staleCopy{t.measuredThing, v, t.original.value(truth[0]), len(truth) > 1})
				}
			}
		}
	}
	slices.SortFunc(f.StaleCopies, func(a, b staleCopy) int { return a.Value.Places[0].Compare(b.Value.Places[0]) })
}

// repeated returns which leaf of the originals a field repeats, -1 for none.
func (c *Site) repeated(f *FieldMeasure, known []thingWithOriginal) int {
	best, bestScore := -1, 0.0
	few := c.Entity.N() < places.EnoughDocuments
	agreements := c.agreements(f, known)
	unnamed := slices.Contains(c.unnamed, f.Node)
	for i, l := range c.Original.settings.leaves {
		a := agreements[i]
		if a.compared == 0 || a.chosen || a.keys == a.things { // a key is what the reference says itself
			continue
		}
		share := float64(a.agreeing) / float64(a.compared)
		same := c.sameLeaf(f.Node, l) && c.agrees(f, share, known, i)
		proven := share >= learned && a.things >= learnedThings && Telling(f.Node)
		composed := l.Second != nil && strings.HasSuffix(lexicon.Fold(f.Node.Step.Name), "name")
		switch {
		case unnamed && (l.Second != nil || !proven || !coincidenceOf(f, known, i).close()):
			continue // a state may be each document's own
		case unnamed:
		case same:
			share += 2
		case few && composed && a.agreeing >= 2 && a.agreeing+1 >= a.compared:
			share++
		case proven && (composed || l.Second == nil && c.alikeNames(f.Node, l)):
			share++
		default:
			continue
		}
		if l.String() == f.Node.Step.Name {
			share += 1e-9 // of two that agree alike
		}
		if share > bestScore {
			best, bestScore = i, share
		}
	}
	return best
}

// agreements counts, for each leaf of the originals, how many copies have its value in a field.
func (c *Site) agreements(f *FieldMeasure, known []thingWithOriginal) []agreement {
	all := make([]agreement, len(c.Original.settings.leaves))
	for _, t := range known {
		for leaf, truth := range t.original.byLeaf() {
			all[leaf].add(t.Cells[f.Index].values, truth)
			if holds(truth, t.Hash) {
				all[leaf].keys++
			}
		}
	}
	return all
}

// names reports whether all values of a field are names of originals, each of one:
// then those that differ are names of other things.
func (c *Site) names(f *profile.Node, l Leaf) bool {
	n := c.Ref.To.Root().At(l.Path)
	if n == nil || n.Scalars == nil || n.Types[profile.String] < n.Present() || n.Scalars.Values.Distinct() < float64(n.Present()) {
		return false
	}
	tested, found, _ := f.Scalars.Values.Inclusion(&n.Scalars.Values)
	return tested > 1 && found == tested
}

// agrees reports whether the copies that have a leaf's value under its name, a share
// of all, have it by no accident. A handful of documents cannot show more than the
// share.
func (c *Site) agrees(f *FieldMeasure, share float64, known []thingWithOriginal, leaf int) bool {
	few, least := c.Entity.N() < places.EnoughDocuments, sameNamed
	if len(known) < places.EnoughDocuments {
		least = fewSameNamed
	}
	return (share >= least || c.names(f.Node, c.Original.settings.leaves[leaf])) && (few || !coincidenceOf(f, known, leaf).accidental())
}

// alikeNames reports whether two names have a word in common, or values that
// are no accident: a URL, a text. Equal years under different names prove
// nothing.
func (c *Site) alikeNames(f *profile.Node, l Leaf) bool {
	var words []string
	for _, s := range l.Path {
		words = append(words, lexicon.Tokens(s.Name)...)
	}
	for _, w := range lexicon.Tokens(f.Step.Name) {
		if slices.ContainsFunc(words, func(o string) bool { return lexicon.Singular(o) == lexicon.Singular(w) }) {
			return true
		}
	}
	texts := int64(0)
	for _, form := range []profile.Form{profile.FormText, profile.FormURL, profile.FormEmail} {
		n, _ := f.Scalars.FormCount(form)
		texts += n
	}
	return 10*texts >= 9*f.Present()
}

// A thingWithOriginal is a thing with its original.
type thingWithOriginal struct {
	*measuredThing
	original original
}

func (c *Site) known() []thingWithOriginal {
	var out []thingWithOriginal
	for _, t := range c.Measured.Things {
		if o, ok := c.Original.lookup(t.Hash); ok {
			out = append(out, thingWithOriginal{t, o})
		}
	}
	return out
}

// describesItself reports whether nearly all copies are in the document of the
// original itself: translations of its own name.
func describesItself(known []thingWithOriginal) bool {
	own, others := int64(0), int64(0)
	for _, t := range known {
		others += t.Docs
		if at := t.original.at.Pos(); at.File == t.At.File && at.Doc == t.At.Doc {
			own++
			others--
		}
	}
	return relations.MostlyOwn(own, others)
}

// An agreement counts how many copies have a value of one leaf of their original.
type agreement struct {
	agreeing, compared int64
	things             int
	keys               int  // things of which the leaf is the key
	chosen             bool // copies of one thing have different elements of its list: a buyer chooses a size
}

func (a *agreement) add(copies []variant, truth []leafHash) {
	a.things++
	held := 0
	for _, v := range copies {
		a.compared += v.Count
		if holds(truth, v.hash) {
			a.agreeing += v.Count
			held++
		}
	}
	a.chosen = a.chosen || held > 1
}

func holds(truth []leafHash, hash uint64) bool {
	return slices.ContainsFunc(truth, func(l leafHash) bool { return l.hash == hash })
}
