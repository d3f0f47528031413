package aggregatedrift

import (
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/times"
	"github.com/shapevet/shapevet/jsonlint/scan"
	"github.com/shapevet/shapevet/rulebook"
)

var (
	lowestWords   = rulebook.Words("aggregate-drift", "lowest")
	highestWords  = rulebook.Words("aggregate-drift", "highest")
	earliestWords = rulebook.Words("aggregate-drift", "earliest")
	latestWords   = rulebook.Words("aggregate-drift", "latest")
	flagWords     = rulebook.Words("aggregate-drift", "flags")
)

// extremeName parses the name of a field with the lowest or highest of other
// values (minPrice, lastReviewAt), or of a flag that says whether there are any
// (hasReviews). It is not ok if the name or the values are not of that sort.
func extremeName(f *profile.Node) (kind measureKind, of string, ok bool) {
	tokens, timed := lexicon.Tokens(f.Step.Name), times.Is(f)
	if n := len(tokens); timed && n > 0 && lexicon.TimeName(tokens[n-1]) {
		tokens = tokens[:n-1]
	}
	if len(tokens) < 2 || f.Scalars == nil {
		return 0, "", false
	}
	first, rest := tokens[0], strings.Join(tokens[1:], " ")
	switch {
	case f.Types[profile.Bool] == f.Present():
		return filled, rest, slices.Contains(flagWords(), first)
	case timed && slices.Contains(earliestWords(), first), numeric(f) && slices.Contains(lowestWords(), first):
		return lowest, rest, true
	case timed && slices.Contains(latestWords(), first), numeric(f) && slices.Contains(highestWords(), first):
		return highest, rest, true
	}
	return 0, "", false
}

// extremes returns the formulas that fit the name of a field with the lowest or
// highest of other values, or of a flag. lists are formulas of their lengths.
func (a *aggregate) extremes(lists []formula) []formula {
	kind, timed := lowestOf+formulaKind(a.measure-lowest), times.Is(a.node)
	var out []formula
	for _, list := range lists {
		if list.kind != lengthOf {
			continue
		}
		values := []string{""}
		if elem := list.node.Array.Elem; kind != filledOf && elem.Object != nil {
			for _, f := range elem.Object.Fields() {
				values = append(values, f.Step.Name)
			}
		}
		for _, value := range values {
			if f := (formula{kind: kind, array: list.array, node: list.node, value: value, timed: timed}); a.fits(f) {
				out = append(out, f)
			}
		}
	}
	return out
}

// orderedAt returns a number, a flag or a time as a number.
func orderedAt(d *profile.Document, i int) (float64, bool) {
	switch d.Tokens[i].Kind {
	case scan.False, scan.True:
		return float64(d.Tokens[i].Kind - scan.False), true
	case scan.Number, scan.Decimal:
		return numberAt(d, i)
	}
	t, ok := times.At(d, i)
	return float64(t), ok
}

// extreme evaluates a formula of the lowest or highest value.
func (f *formula) extreme(d *profile.Document, e int, x *computed) {
	v := e
	if f.value != "" {
		var ok bool
		if v, ok = d.Get(e, f.value); !ok {
			return
		}
	}
	value, ok := orderedAt(d, v)
	if !ok {
		return
	}
	if x.inputs == 0 || f.kind == lowestOf && value < x.value || f.kind == highestOf && value > x.value {
		x.value, x.at = value, v
	}
	x.inputs++
}
