package rules

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// measures is what the second pass showed of copies.
type measures struct {
	things     []*measuredThing // by hash
	copies     int64            // of these things
	meanFanOut float64          // documents per thing
	maxFanOut  int64
	widest     *measuredThing
	fields     []*fieldMeasure
}

type measuredThing struct {
	hash uint64
	*thing
}

// A fieldMeasure says whose attribute a field is, the thing's or the link's,
// and whether its copies agree.
type fieldMeasure struct {
	node     *profile.Node
	index    int
	volatile volatility

	constant  bool    // one value everywhere
	judged    bool    // there were enough copies to tell
	lambda    float64 // Goodman-Kruskal λ of the field given the thing, each copy judged by the others
	eta       float64 // share of a number's variance that the thing accounts for; NaN if it is no number
	specific  float64 // share of the copies whose value only one thing has
	disagree  float64 // share of the copies that differ from their thing's most frequent value
	drifted   int     // things of which copies disagree
	conflicts []conflict

	lacking         bool  // there are originals, and none has a field of the name
	compared, stale int64 // copies with an original, and those that differ from it
	staleCopies     []staleCopy
	leaf            leaf
}

type volatility uint8

const (
	notVolatile volatility = iota
	slow
	mediumVolatile
	strongVolatile
)

// A conflict is a thing with two values of a field in its copies.
type conflict struct {
	thing *measuredThing
	often variant // the most frequent
	other variant
}

// A staleCopy is a value of copies that the original does not have.
type staleCopy struct {
	thing    *measuredThing
	value    variant
	original leafValue

	ambiguous bool // the original has several such values
}

const (
	judgedCopies      = 3  // copies of a thing from which it can be judged
	judgedOccurrences = 20 // copies in all
	fewCopies         = 10 // ... where there are only a few documents
)

// measure evaluates the probes; it is done once.
func (c *copies) measure(p *Pass) *measures {
	if c.measured != nil {
		return c.measured
	}
	m := &measures{}
	c.measured = m
	for _, hash := range slices.Sorted(maps.Keys(c.probe.things)) {
		t := &measuredThing{hash, c.probe.things[hash]}
		m.things = append(m.things, t)
		m.copies += t.copies
		m.meanFanOut += float64(t.docs)
		if t.docs > m.maxFanOut || t.docs == m.maxFanOut && t.at.Compare(m.widest.at) < 0 {
			m.maxFanOut, m.widest = t.docs, t
		}
	}
	if len(m.things) == 0 {
		return m
	}
	m.meanFanOut /= float64(len(m.things))
	if id := c.entity.ID(); id != nil && id.ID && c.snapshots != nil { // several versions of a document are one
		m.meanFanOut *= min(1, id.Unique)
		m.maxFanOut = int64(math.Ceil(float64(m.maxFanOut) * min(1, id.Unique)))
	}
	for i, f := range c.fields {
		fm := &fieldMeasure{node: f, index: i, volatile: p.volatility(f), eta: math.NaN(), lambda: math.NaN()}
		fm.judge(m.things, c.entity.N() < sampleMode)
		m.fields = append(m.fields, fm)
	}
	for _, f := range m.fields {
		f.lacking = c.lacks(p, f.node)
	}
	if c.original != nil {
		for _, f := range m.fields {
			c.compare(f)
		}
	}
	return m
}

// volatility tells how often a field of the name changes. Open, high, low and
// close say something only together (see lexicon.CountVolatile); a text such
// as the level "beginner" is not what the words are about.
func (p *Pass) volatility(f *profile.Node) volatility {
	name := f.Step.Name
	text := f.Types[profile.String] > 0 && !holdsDates(f)
	if text {
		digits, _ := f.Scalars.FormCount(profile.FormDecimal)
		whole, _ := f.Scalars.FormCount(profile.FormInteger)
		text = digits+whole < f.Present()
	}
	switch {
	case p.Lexicon.Has(lexicon.VolatileStrong, name) && !text:
		if slices.Contains(priceRange, lexicon.Fold(name)) && !p.partOfPriceRange(f) {
			return notVolatile
		}
		return strongVolatile
	case p.Lexicon.Has(lexicon.VolatileMedium, name):
		return mediumVolatile
	case p.Lexicon.Has(lexicon.Slow, name):
		return slow
	}
	return notVolatile
}

var priceRange = []string{"open", "high", "low", "close"}

func (p *Pass) partOfPriceRange(f *profile.Node) bool {
	n := 0
	for _, g := range f.Parent.Object.Fields() {
		if slices.Contains(priceRange, lexicon.Fold(g.Step.Name)) {
			n++
		}
	}
	return n >= 2
}

// judge finds out whether the field belongs to the thing, and how many copies
// disagree. A copy is judged by the other copies of its thing: taking the most
// frequent value of all of them would flatter things with few copies.
func (f *fieldMeasure) judge(things []*measuredThing, few bool) {
	overall := map[uint64]int64{}
	holders := map[uint64]int{}
	total, alike, differing := int64(0), 0.0, int64(0)
	for _, t := range things {
		c := &t.cells[f.index]
		if c.count < judgedCopies {
			continue
		}
		kept := int64(0)
		best := 0
		for i, v := range c.values {
			overall[v.hash] += v.count
			holders[v.hash]++
			kept += v.count
			if better(v, c.values[best]) {
				best = i
			}
		}
		if kept == 0 {
			continue
		}
		total += kept
		alike += leaveOneOut(c.values)
		if len(c.values) > 1 || c.shift > 0 {
			f.drifted++
			differing += kept - c.values[best].count
			f.conflicts = append(f.conflicts, conflictOf(t, c, best))
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
	f.disagree = float64(differing) / float64(total)
	f.specific = float64(own) / float64(total)
	if modal == total {
		f.constant = true // it tells nothing
		return
	}
	f.judged = true
	base := float64(modal) / float64(total)
	f.lambda = (alike/float64(total) - base) / (1 - base)
	f.eta = explainedVariance(things, f.index)
}

// pairs finds the conflicts where there are too few copies for statistics.
func (f *fieldMeasure) pairs(things []*measuredThing) {
	f.drifted, f.conflicts = 0, nil
	for _, t := range things {
		c := &t.cells[f.index]
		if len(c.values) < 2 {
			continue
		}
		best := 0
		for i, v := range c.values {
			if better(v, c.values[best]) {
				best = i
			}
		}
		f.drifted++
		f.conflicts = append(f.conflicts, conflictOf(t, c, best))
	}
}

func better(a, b variant) bool {
	return a.count > b.count || a.count == b.count && a.places[0].Compare(b.places[0]) < 0
}

func conflictOf(t *measuredThing, c *cell, best int) conflict {
	other := -1
	for i, v := range c.values {
		if i != best && (other < 0 || better(v, c.values[other])) {
			other = i
		}
	}
	if other < 0 {
		return conflict{thing: t, often: c.values[best], other: c.values[best]}
	}
	return conflict{thing: t, often: c.values[best], other: c.values[other]}
}

// leaveOneOut counts the copies that have the most frequent value of the
// other copies; where several are, each counts by its part.
func leaveOneOut(values []variant) float64 {
	alike := 0.0
	for i, v := range values {
		if v.count < 2 {
			continue
		}
		most, ties := int64(0), 1
		for j, w := range values {
			if j != i && w.count > most {
				most = w.count
			}
		}
		for j, w := range values {
			if j != i && w.count == v.count-1 {
				ties++
			}
		}
		switch {
		case v.count-1 > most:
			alike += float64(v.count)
		case v.count-1 == most:
			alike += float64(v.count) / float64(ties)
		}
	}
	return alike
}

// explainedVariance is the correlation ratio η²: which share of a number's
// variance lies between the things, not between the copies of one. The price
// of a stock moves a little around a level of its own; the number of shares
// held has nothing to do with the stock. The ranks are compared, not the
// sizes, so that one expensive thing does not decide.
func explainedVariance(things []*measuredThing, field int) float64 {
	type point struct {
		number float64
		count  int64
		thing  int
	}
	var points []point
	total := int64(0)
	for i, t := range things {
		c := &t.cells[field]
		if c.count < 2 {
			continue
		}
		for _, v := range c.values {
			if !v.exact {
				return math.NaN()
			}
			points = append(points, point{v.number, v.count, i})
			total += v.count
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

// entityEta is the share of its variance from which a number is an attribute
// of the thing.
const entityEta = 0.6

// determined is the strength from which a field is a function of the thing,
// even if its original has no such field.
const determined = 0.95

// pooled reports whether the values of a field are shared by many things, as
// levels and places in a list are: then copies that disagree may as well be
// links that differ.
func (f *fieldMeasure) pooled() bool { return f.judged && f.specific < ownValues/2 }

// ofThing reports whether the field is an attribute of the thing rather than
// of its link with the document.
func (f *fieldMeasure) ofThing(strength float64) bool {
	return !f.ofLink() && (f.judged && f.lambda >= strength || f.varies() && f.eta >= entityEta)
}

// ofLink reports whether the field says something about the link because the
// things do without it.
func (f *fieldMeasure) ofLink() bool {
	return f.lacking && f.judged && f.lambda < determined
}

// varies reports whether the number differs from copy to copy in most things.
func (f *fieldMeasure) varies() bool { return f.judged && !math.IsNaN(f.eta) && f.drifted > 0 }

const (
	learned       = 0.9 // share of the copies that repeat a leaf of another name
	learnedThings = 5
	sameNamed     = 0.5 // ... of the same name
)

// compare finds the leaf of the original that the field repeats, and the
// copies that differ from it.
func (c *copies) compare(f *fieldMeasure) {
	best, bestScore := -1, 0.0
	few := c.entity.N() < sampleMode
	for i, l := range c.original.settings.leaves {
		agreeing, compared, things := c.agreement(f, i)
		if compared == 0 {
			continue
		}
		share := float64(agreeing) / float64(compared)
		same := l.second == nil && len(l.path) == 1 && c.sameName(f.node, c.ref.To.Root().At(l.path))
		moves := f.volatile == strongVolatile && (f.ofThing(0.4) || holdsDates(f.node))
		composed := l.second != nil && strings.HasSuffix(lexicon.Fold(f.node.Step.Name), "name")
		switch {
		case same && (share >= sameNamed || moves):
			share += 2
		case few && composed && agreeing >= 2 && agreeing+1 >= compared:
			share++
		case share >= learned && things >= learnedThings && telling(f.node) && (composed || l.second == nil && c.alikeNames(f.node, l)):
			share++
		default:
			continue
		}
		if share > bestScore {
			best, bestScore = i, share
		}
	}
	if best < 0 {
		return
	}
	f.leaf = c.original.settings.leaves[best]
	for _, t := range c.measured.things {
		o := c.original.lookup(t.hash)
		if o == nil {
			continue
		}
		truth := o.of(best)
		if len(truth) == 0 {
			continue
		}
		for _, v := range t.cells[f.index].values {
			f.compared += v.count
			if !slices.ContainsFunc(truth, func(l leafValue) bool { return l.hash == v.hash }) {
				f.stale += v.count
				f.staleCopies = append(f.staleCopies, staleCopy{t, v, truth[0], len(truth) > 1})
			}
		}
	}
	slices.SortFunc(f.staleCopies, func(a, b staleCopy) int { return a.value.places[0].Compare(b.value.places[0]) })
}

// alikeNames reports whether two names have a word in common, or values that
// are no accident: a URL, a text. Equal years under different names prove
// nothing.
func (c *copies) alikeNames(f *profile.Node, l leaf) bool {
	var words []string
	for _, s := range l.path {
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

func (c *copies) agreement(f *fieldMeasure, leaf int) (agreeing, compared int64, things int) {
	for _, t := range c.measured.things {
		o := c.original.lookup(t.hash)
		if o == nil {
			continue
		}
		truth := o.of(leaf)
		if len(truth) == 0 {
			continue
		}
		things++
		for _, v := range t.cells[f.index].values {
			compared += v.count
			if slices.ContainsFunc(truth, func(l leafValue) bool { return l.hash == v.hash }) {
				agreeing += v.count
			}
		}
	}
	return agreeing, compared, things
}

// quoted returns the text of the value at a position, as written.
func (p *Pass) quoted(at profile.Pos) string {
	d, err := p.Document(at)
	if err != nil || at.Off < d.Base || at.Off+int64(at.Len) > d.Base+int64(len(d.Src)) {
		return "?"
	}
	text := []rune(string(d.Src[at.Off-d.Base : at.Off-d.Base+int64(at.Len)]))
	if len(text) > maxQuotedText {
		text = append(text[:maxQuotedText-1], '…')
	}
	return string(text)
}
