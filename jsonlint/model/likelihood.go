package model

import (
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/shapevet/shapevet/jsonlint/profile"
)

// Whether a field refers to a key is weighed, not decided by single conditions. The log-odds are
//
//	prior + ln P(k of n hits | refers) / P(k of n hits | chance) + name + key
//
// where n distinct values were looked up and k are keys. The weight of a hit
// depends on how likely it is by accident (see [chance]): it is almost zero
// among dense small integers, and almost conclusive among ObjectIds. Inclusion,
// uniqueness, ranges and names are the features that Rostin et al., "A
// machine learning approach to foreign key discovery" (WebDB 2009), found to
// be informative. Zhang et al., "On multi-column foreign key discovery" (VLDB
// 2010), showed that inclusion also needs a measure of randomness.
//
// The share that resolves is not known under either hypothesis: hits of one
// field are correlated. Both likelihoods are therefore beta-binomial. Either all
// values of a reference resolve except for errors, or any share of them does,
// because the target is a sample or has lost documents.
const (
	priorOdds = -4.0 // of a field and a key whose values have met once; see [nameless]

	wholeShare             = 0.7 // share of the references that resolve except for errors
	wholeHits, wholeMiss   = 50, 0.1
	partHits, partMiss     = 1, 1
	leastChance, topChance = 1e-6, 0.98
)

// nameless returns the prior log-odds that a field refers to one of so many keys,
// none of which its name suggests. It refers to one of them at most. A name that
// fits is the rarer, the more keys there are, which makes up for that.
func nameless(keys int) float64 { return min(priorOdds, -math.Log(float64(keys))) }

// An accident is the distribution of the share of values that are keys without
// referring to them: its mean, and how certain that is, as a number of values.
type accident struct{ mean, known float64 }

const (
	supposed = 2.0  // weight of a share that only the form of the values suggests: a domain is shared or is not
	measured = 20.0 // weight of a share that was measured among as many neighbours as values are looked up
)

// valueOdds returns what hits show: the log of how much likelier they are if
// the field refers to the key than by accident. Fewer hits than by accident are
// never evidence for a reference.
func valueOdds(found, tested int, chance accident) float64 {
	k, misses := float64(found), float64(tested-found)
	whole := math.Log(wholeShare) + logBeta(wholeHits+k, wholeMiss+misses) - logBeta(wholeHits, wholeMiss)
	part := math.Log(1-wholeShare) + logBeta(partHits+k, partMiss+misses) - logBeta(partHits, partMiss)
	a, b := chance.known*chance.mean, chance.known*(1-chance.mean)
	top := max(whole, part)
	odds := top + math.Log(math.Exp(whole-top)+math.Exp(part-top)) - (logBeta(a+k, b+misses) - logBeta(a, b))
	if k < chance.mean*float64(tested) {
		return min(odds, 0)
	}
	return odds
}

// UniqueOdds returns the log of the odds that values are meant to be unique,
// given how many repeat another one. Either all should be different except for
// errors, just as a reference resolves except for errors, or any share of them
// may repeat.
func UniqueOdds(values, repeats int64) float64 {
	k, others := float64(repeats), float64(values-repeats)
	return logBeta(wholeHits+others, wholeMiss+k) - logBeta(wholeHits, wholeMiss) - logBeta(partHits+others, partMiss+k)
}

func logBeta(a, b float64) float64 {
	x, _ := math.Lgamma(a)
	y, _ := math.Lgamma(b)
	z, _ := math.Lgamma(a + b)
	return x + y - z
}

// formChance is how likely a value is to equal a key of the same form by
// accident, judged by the form alone. The fewer values people choose from, the
// likelier it is. For integers and codes see [chance].
var formChance = [profile.NumForms]float64{
	profile.FormText: 0.01, profile.FormEmpty: topChance, profile.FormPlaceholder: topChance, profile.FormDecimal: topChance,
	profile.FormBool: topChance, profile.FormHex24: leastChance, profile.FormHex: 1e-5, profile.FormUUID: leastChance, profile.FormRandom: leastChance,
	profile.FormDate: topChance, profile.FormDateTimeZone: topChance, profile.FormSpacedTime: topChance, profile.FormDateTime: topChance,
	profile.FormSlashDate: topChance, profile.FormLocalDateTime: topChance, profile.FormLongDate: topChance, profile.FormTime: topChance, profile.FormRFC1123: topChance, profile.FormEmail: 0.005, profile.FormURL: 0.001,
	profile.FormPath: 0.005, profile.FormFragment: 0.1, profile.FormPrefixNumber: 0.02, profile.FormWord: 0.05, profile.FormToken: 0.01,
}

// A readText is a kept value with what its text says.
type readText struct {
	hash   uint64
	form   profile.Form
	length int   // in characters
	number int64 // if the form is that of an integer
	counts bool  // number is its value
}

// readTexts reads the texts of a sample. Zero is no number here, but no value, or no id yet.
func readTexts(values *profile.Sample) (all []readText) {
	for v := range values.Texts() {
		t := readText{hash: v.Hash, form: profile.FormOf([]byte(v.Text)), length: utf8.RuneCountInString(v.Text)}
		if t.form == profile.FormLeadingZero {
			t.form = profile.FormInteger
		}
		if t.form == profile.FormInteger {
			switch n, err := strconv.ParseInt(v.Text, 10, 64); {
			case n == 0:
				t.form = profile.FormPlaceholder
			case err == nil:
				t.number, t.counts = n, true
			}
		}
		all = append(all, t)
	}
	return all
}

// numbers returns the integers among texts.
func numbers(texts []readText) (all []int64) {
	for _, t := range texts {
		if t.counts {
			all = append(all, t.number)
		}
	}
	return all
}

// neighbours returns the hashes of the integers next to those among texts, in steps that
// are as round as they are.
func neighbours(texts []readText) (all []uint64) {
	for _, v := range numbers(texts) {
		for _, next := range [2]int64{v - step(v), v + step(v)} {
			all = append(all, profile.HashText(strconv.AppendInt(nil, next, 10)))
		}
	}
	return all
}

// A domain is the range that those values of a field come from which are keys.
type domain struct {
	form   profile.Form
	held   []int64 // the integers that are keys
	length int     // of codes, in characters
}

// domainOf returns the range of the values that are keys of the group. Values of another
// form are ignored, because they cannot be keys by accident.
func (g *targetGroup) domainOf(texts []readText) domain {
	var d domain
	var forms, length [profile.NumForms]int
	for _, t := range texts {
		if held, _ := g.has(t.hash); !held {
			continue
		}
		if t.counts {
			d.held = append(d.held, t.number)
		}
		forms[t.form]++
		length[t.form] += t.length
	}
	for f, n := range forms {
		if n > forms[d.form] {
			d.form = profile.Form(f)
		}
	}
	if n := forms[d.form]; n > 0 {
		d.length = length[d.form] / n
	}
	return d
}

// chance estimates how likely one of the values in a domain is a key of the group by
// accident. For codes this is the number of keys compared with all codes of
// their length. Integers cluster: what counts is how dense the keys are around
// the values, so their neighbours are looked up. Round integers are compared
// with round ones.
func (g *targetGroup) chance(d domain, a *asker) accident {
	p, known := formChance[d.form], supposed
	switch d.form {
	case profile.FormUpper:
		p = g.distinct() / math.Pow(26, float64(d.length))
	case profile.FormInteger:
		hits, tested := formChance[profile.FormWord], 1.0 // among texts, digits are one word of many
		if counts(g.targets[0].Key.Node) {
			hits = g.density(d.held)
		}
		for _, next := range a.neighbours() {
			if held, known := g.has(next); known {
				tested++
				if held {
					hits++
				}
			}
		}
		p = hits / tested
		known += (measured - supposed) * min(1, (tested-1)/(2*glimpse))
	}
	return accident{min(max(p, leastChance), topChance), known}
}

// roundness returns the evidence against a reference if only round numbers are hits,
// such as prices or stocks, although few keys are round. References would be
// distributed like the keys.
func (g *targetGroup) roundness(hits []int64) float64 {
	if len(hits) == 0 || slices.ContainsFunc(hits, func(v int64) bool { return step(v) < roundStep }) {
		return 0
	}
	round, keys := 0.5, g.integers()
	for _, v := range keys {
		if step(v) >= roundStep {
			round++
		}
	}
	return max(roundOdds, float64(len(hits))*math.Log(min(1, round/(float64(len(keys))+1))))
}

// reach returns by how much the numbers confirm a name that suggests a reference:
// they end about where the keys end, and begin where these begin. n values are spread
// over the range of the keys, and the largest one is about 1/n of it below the end.
// Other numbers end anywhere, but many begin with 0 or 1, and those without gaps may
// count anything. Of the keys, only a sample is known.
func (g *targetGroup) reach(a *asker) float64 {
	numbers := numbers(a.texts())
	low, high := g.bounds()
	if len(numbers) == 0 || low > high || !counts(g.targets[0].Key.Node) {
		return 0
	}
	smallest, largest := slices.Min(numbers), slices.Max(numbers)
	n := 1 / (1/float64(len(numbers)) + 1/float64(len(g.integers())))
	near := func(a, b int64) float64 {
		gap := math.Abs(float64(a)-float64(b)) / (float64(high) - float64(low) + 1)
		return min(max(0, math.Log(n)-n*gap), reachOdds)
	}
	if smallest > 1 && low > 1 {
		return near(low, smallest) + near(high, largest)
	}
	if a.sample.Distinct() > gapless*float64(largest-smallest+1) {
		return 0
	}
	return near(high, largest)
}

const (
	reachOdds = 3.0 // the highest: collections may have as many documents as others by accident
	gapless   = 0.9 // share of all numbers up to the largest
)

const (
	roundStep = 1000
	roundOdds = -4.0 // the lowest: a table may have the entries that others refer to at round numbers
)

// magnitude returns the smallest power of ten above all values.
func magnitude(values []int64) float64 {
	scale := 1.0
	for _, v := range values {
		for scale <= float64(v) {
			scale *= 10
		}
	}
	return scale
}

// step returns the largest power of ten that divides a number.
func step(v int64) int64 {
	s := int64(1)
	for v != 0 && v%10 == 0 {
		v /= 10
		s *= 10
	}
	return s
}

func (g *targetGroup) distinct() float64 {
	n := 0.0
	for _, s := range g.samples {
		n += s.Distinct()
	}
	return n
}

// density returns the share of the integers between the lowest and the highest
// key that are keys. It ignores keys with more digits than the hits: gaps
// between keys of another scale, such as times, show nothing.
func (g *targetGroup) density(values []int64) float64 {
	low, high := g.bounds()
	if low > high {
		return 0
	}
	n := g.distinct()
	if scale := magnitude(values); float64(low) < scale && scale <= float64(high) && len(g.integers()) > 0 {
		small := 0
		for _, v := range g.integers() {
			if float64(v) < scale {
				small++
			}
		}
		// if there are many keys, only a sample is known, which may lack the small
		// ones
		n, high = n*(float64(small)+0.5)/(float64(len(g.integers()))+1), int64(scale)-1
	}
	return min(1, n/(float64(high)-float64(low)+1))
}

// bounds returns the lowest and the highest key, in this order unless no key is an
// integer.
func (g *targetGroup) bounds() (low, high int64) {
	low, high = math.MaxInt64, math.MinInt64
	for _, t := range g.targets {
		if s := t.Key.Node.Scalars; s.Ints > 0 {
			low, high = min(low, s.MinInt), max(high, s.MaxInt)
		}
	}
	if low > high {
		for _, v := range g.integers() {
			low, high = min(low, v), max(high, v)
		}
	}
	return low, high
}
