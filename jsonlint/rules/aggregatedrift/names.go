package aggregatedrift

import (
	"cmp"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/rulebook"
)

var (
	countWords       = rulebook.Words("aggregate-drift", "count-words")
	totalWords       = rulebook.Words("aggregate-drift", "total-words")
	meanWords        = rulebook.Words("aggregate-drift", "mean-words")
	quantityWords    = rulebook.Words("aggregate-drift", "quantities")
	amountsWords     = rulebook.Words("aggregate-drift", "amounts")
	adjustmentsWords = rulebook.Words("aggregate-drift", "adjustments")
)

type measureKind uint8

const (
	counted  measureKind = iota // countOfBooks, bookCount
	totalled                    // total, totalPrice, orderTotal: a sum, or a count
	averaged                    // rating, averageScore
	composed                    // price, of parts that each have a price

	// Those below are in the order of their formulas.

	lowest  // minPrice, firstOrderAt
	highest // maxPrice, lastOrderAt
	filled  // hasOrders
)

// aggregateName parses a name. It is not ok if the name is not an aggregate's.
func aggregateName(name string) (kind measureKind, of string, ok bool) {
	tokens := lexicon.Tokens(name)
	if len(tokens) == 0 {
		return 0, "", false
	}
	first, last := tokens[0], tokens[len(tokens)-1]
	rest := func(t []string) string {
		if len(t) > 0 && t[0] == "of" {
			t = t[1:]
		}
		return strings.Join(t, " ")
	}
	switch {
	case slices.Contains(meanWords(), first):
		return averaged, rest(tokens[1:]), true
	case slices.Contains(meanWords(), last):
		return averaged, rest(tokens[:len(tokens)-1]), true
	case slices.Contains(totalWords(), first):
		of := rest(tokens[1:])
		return totalled, of, true
	case slices.Contains(countWords(), last) && len(tokens) > 1 && last != "no" && last != "nr" && last != "number":
		return counted, rest(tokens[:len(tokens)-1]), true
	case slices.Contains(countWords(), first) && len(tokens) > 1 && first != "size" && first != "length":
		return counted, rest(tokens[1:]), true
	case first == "n" && len(tokens) > 1:
		return counted, rest(tokens[1:]), true
	case slices.Contains(totalWords(), last):
		return totalled, rest(tokens[:len(tokens)-1]), true
	case len(tokens) == 1 && (first == "count" || first == "size" || first == "length"):
		return counted, "", true
	}
	return 0, "", false
}

func isQuantity(name string) bool {
	return slices.ContainsFunc(lexicon.Tokens(name), func(t string) bool { return slices.Contains(quantityWords(), t) })
}

// fits reports whether the name of the aggregate suggests the formula. A
// formula that merely happens to hold is never used for a report.
func (a *aggregate) fits(f formula) bool {
	list := f.name()
	ofList := a.of != "" && lexicon.StemMatches(a.of, list) && !abbreviates(a.of, list)
	switch f.kind {
	case lengthOf, distinctOf:
		return a.measure != averaged && (ofList || a.of == "" && a.measure == counted && f.only)
	case sumOf, productOf:
		return a.measure != averaged && a.fitsSum(f, ofList)
	case meanOf:
		value := cmp.Or(f.value, list)
		switch {
		case a.measure != averaged:
			return false
		case a.of == "":
			return lexicon.StemMatches(a.node.Step.Name, value)
		}
		return lexicon.StemMatches(a.of, value)
	case lowestOf, highestOf:
		return ofList || f.value != "" && lexicon.StemMatches(a.of, f.value)
	case filledOf:
		return ofList
	}
	return false
}

// fitsSum reports whether the name suggests a sum, or a sum of products. ofList
// says that it names the summed list.
func (a *aggregate) fitsSum(f formula, ofList bool) bool {
	switch {
	case f.value == "":
		return ofList
	case a.of == "": // total, amount
		return a.measure == totalled && (f.ofQuantity() || moneyName(f.value))
	case lexicon.StemMatches(a.of, f.value):
		return true
	case isQuantity(f.value):
		return ofList
	}
	return a.measure == totalled && (f.ofQuantity() || moneyName(f.value)) && (moneyName(a.of) || ofList)
}

// abbreviates reports whether a stem matches only as the beginning of a word,
// which is not enough to say what a number counts.
func abbreviates(stem, list string) bool {
	return lexicon.MatchStem(stem, list) == lexicon.Abbreviation
}

func moneyName(name string) bool {
	for _, t := range lexicon.Tokens(name) {
		if slices.Contains(amountsWords(), t) {
			return true
		}
	}
	return false
}
