package casevariantvalues

import (
	"math"

	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/predict"
)

// A choice is a field of a collection that chooses from few values, as a state
// or a genre does. All kinds of document choose from the same.
type choice struct {
	kinds []*cases
	open  bool // people type the values, see open
	often bool // a value occurs in ten or more places on average
}

// watch compares the spellings, if the sample has two that differ only in case.
func (c *choice) watch(p *check.Pass) {
	if !c.vocabulary(p) {
		return
	}
	var probes []*caseProbe
	for _, k := range c.kinds {
		probe := newCaseProbe(k.path)
		probe.words = true
		probes = append(probes, check.Watch(p, k.entity, probe))
	}
	p.After(func() {
		first := c.kinds[0]
		first.values = probes[0]
		for _, other := range probes[1:] {
			first.values.Merge(other)
		}
		first.reportWord(p, c)
	})
}

// choicePlaces bounds the number of values that are read again because the sample
// has only some of their texts. With more values, finding a second spelling is not
// worth the time.
const choicePlaces = 1 << 15

// vocabulary reports whether the field chooses from few values, and the sample
// has two that differ only in case, or does not know the text of each.
func (c *choice) vocabulary(p *check.Pass) bool {
	spellings, counts := map[string]bool{}, map[string]int64{}
	mixed, total, values, places := 0, int64(0), int64(0), int64(0) // total is of the values whose text is known
	refers := false
	for _, k := range c.kinds {
		sample := &k.node.Scalars.Values
		if !sample.Exact() || predict.NameRepeats(k.node) {
			return false
		}
		refers = refers || p.DB.ReferenceAt(k.node) != nil
		for _, v := range sample.Values() {
			if v.HasText && v.Text == "" {
				continue
			}
			values, places = values+1, places+v.Count
			if !v.HasText {
				continue
			}
			total += v.Count
			counts[string(unmarked(joined(appendLower(nil, []byte(v.Text)))))] += v.Count
			if !spellings[v.Text] && mixedCase(v.Text) {
				mixed++
			}
			spellings[v.Text] = true
		}
	}
	c.open = open(counts, total)
	c.often = total >= typedPlaces*int64(len(counts))
	unknown := !refers && values > int64(len(spellings)) && places >= 2*values && places <= choicePlaces
	return (len(counts) < len(spellings) || unknown) && 2*mixed <= len(counts)
}

// newValues is the probability of a new value from which people type the values.
// If n of N values occur once, the next is new with probability n / N (Good, 1953).
const newValues = 0.2

// typedPlaces is how often a value must occur in one spelling to count as a choice
// if people type the values.
const typedPlaces = 10

// open reports whether new values keep coming, as when people type them. It allows
// for the standard error of the number of values that occur once.
func open(counts map[string]int64, total int64) bool {
	once := 0.0
	for _, n := range counts {
		if n == 1 {
			once++
		}
	}
	return once > newValues*float64(total)+math.Sqrt(once)
}

// mixesStyles reports whether nearly all values are in lower case, but not all.
func mixesStyles(p *check.Pass, total, lower int64) bool {
	return float64(total) >= p.Threshold("min-values") && float64(lower) >= p.Threshold("lower-share")*float64(total) &&
		float64(total-lower) >= p.Threshold("other-share")*float64(total)
}
