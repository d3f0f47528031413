package casevariantvalues

import (
	"strings"

	"github.com/shapevet/shapevet/jsonlint/catalog"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/predict"
)

// A choice is a field of a collection that chooses from few values, as a state
// or a genre does, or by which documents are looked up. All kinds of document have
// the values in common.
type choice struct {
	kinds  []*cases
	lookup bool
}

// watch compares the spellings, if there may be two of one value.
func (c *choice) watch(p *check.Pass) {
	first := c.kinds[0]
	if c.lookup {
		if _, ignored := p.Catalog[first.entity.Collection.Name].Index(first.path.String(), catalog.UniqueInAnyCase); ignored || len(c.kinds) == 1 && first.alike(p) {
			return // the database ignores case in this field, or there is no second spelling
		}
	} else if !c.vocabulary(p) {
		return
	}
	var probes []*caseProbe
	for _, k := range c.kinds {
		probe := newCaseProbe(k.path)
		probe.words = !c.lookup
		probes = append(probes, check.Watch(p, k.entity, probe))
	}
	p.After(func() {
		first.values = probes[0]
		for _, other := range probes[1:] {
			first.values.Merge(other)
		}
		if c.lookup {
			first.report(p)
		} else {
			first.reportWord(p)
		}
	})
}

// choicePlaces bounds the number of values that are read again because the sample
// has only some of their texts. With more values, finding a second spelling is not
// worth the time.
const choicePlaces = 1 << 15

// vocabulary reports whether the field chooses from few values, and the sample
// has two that differ only in case, or does not know the text of each.
func (c *choice) vocabulary(p *check.Pass) bool {
	spellings, words := map[string]bool{}, map[string]bool{}
	odd, values, places := 0, int64(0), int64(0)
	refers, key := false, false
	for _, k := range c.kinds {
		sample := &k.node.Scalars.Values
		if predict.NameRepeats(k.node) {
			return false
		}
		refers, key = refers || p.DB.ReferenceAt(k.node) != nil, key || k.key
		if !sample.Exact() { // only a choice that recurs is worth the time
			if values, places = values+int64(sample.Distinct()), places+k.node.Types[profile.String]; places < chosenPlaces*values && !k.key {
				return false
			}
		}
		for _, v := range sample.Values() {
			if v.HasText && v.Text == "" {
				continue
			}
			if sample.Exact() {
				values, places = values+1, places+v.Count
			}
			if !v.HasText {
				continue
			}
			words[string(unmarked(joined(appendLower(nil, []byte(v.Text)))))] = true
			if !spellings[v.Text] && (!isWord(v.Text) || strings.ContainsAny(v.Text, innerMarks)) { // lists and paths are seldom worth it
				odd++
			}
			spellings[v.Text] = true
		}
	}
	unknown := !refers && 2*odd <= len(spellings) && values > int64(len(spellings)) && (key || places >= chosenPlaces*values) && places <= choicePlaces
	return (len(words) < len(spellings) || unknown) && mayChoose(spellings)
}

// mayChoose reports whether such values can be choices: case is part of most random keys, and
// pieces of sentences, some of which end with a mark, have a capital where one begins.
func mayChoose(values map[string]bool) bool {
	mixed, pieces := 0, 0
	for text := range values {
		if mixedCase(text) {
			mixed++
		}
		if strings.ContainsAny(text[len(text)-1:], ",;:!?") {
			pieces++
		}
	}
	return 2*mixed <= len(values) && 10*pieces <= len(values)
}

// usualPlaces is the number of places that a value has on average.
func (c *cases) usualPlaces() float64 {
	places, values := 0.0, 0.0
	for _, g := range c.values.values.All() {
		if (*g)[0].text == "" {
			continue
		}
		values++
		for _, s := range *g {
			places += float64(s.count)
		}
	}
	return places / max(1, values)
}

const (
	// chosenPlaces is the number of places that a value has on average if documents are
	// grouped and filtered by it. People type other values once, such as addresses and names.
	chosenPlaces = 2

	// recurringPlaces is how often a value must occur in one spelling if values occur
	// hardly more often on average.
	recurringPlaces = 3

	// typedPlaces is how often a value must occur in one spelling to count as a choice
	// if people type the values.
	typedPlaces = 10
)

// mixesStyles reports whether nearly all values are in lower case, but not all.
func mixesStyles(p *check.Pass, total, lower int64) bool {
	return float64(total) >= p.Threshold("min-values") && float64(lower) >= p.Threshold("lower-share")*float64(total) &&
		float64(total-lower) >= p.Threshold("other-share")*float64(total)
}
