// Package aggregatedrift reports stored counts, sums, means, extremes and flags
// that no longer match their sources. The name alone does not determine which formula a number
// follows: all formulas are tried, and exceptions are reported only if one
// holds in nearly all documents.
package aggregatedrift

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/bucket"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/naming"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/plans"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/times"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule is aggregate-drift on documents.
var Rule = check.Rule{Name: "aggregate-drift", Run: func(p *check.Pass) {
	for _, e := range p.DB.Entities() {
		e.Root().Walk(func(n *profile.Node) bool {
			if n.Object != nil && n.Types[profile.Object] > 0 && !n.Object.Sampled() {
				watchAggregates(p, e, n)
			}
			return true
		})
	}
}}

// An aggregate is a number, time or flag whose name says that it is computed from
// other values.
type aggregate struct {
	entity  *model.Entity
	node    *profile.Node
	holder  *profile.Node
	measure measureKind
	of      string // the words for what is counted or summed: countOfBooks → books, totalPrice → price; "" if the name does not say
}

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

var (
	countWords = rulebook.Words("aggregate-drift", "count-words")
	totalWords = rulebook.Words("aggregate-drift", "total-words")
	meanWords  = rulebook.Words("aggregate-drift", "mean-words")

	quantityWords = rulebook.Words("aggregate-drift", "quantities")
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

// watchAggregates starts a probe for the aggregates directly in the objects at
// n, if there are arrays to compute them from.
func watchAggregates(p *check.Pass, e *model.Entity, n *profile.Node) {
	var aggregates []*aggregate
	for _, f := range n.Object.Fields() {
		if kind, of, ok := extremeName(f); ok {
			aggregates = append(aggregates, &aggregate{entity: e, node: f, holder: n, measure: kind, of: of})
			continue
		}
		if f.Types[profile.Int]+f.Types[profile.Double] == 0 || f.Scalars == nil || f.Types[profile.Object]+f.Types[profile.Array]+f.Types[profile.String] > 0 {
			continue
		}
		kind, of, ok := aggregateName(f.Step.Name)
		if !ok && numberOfChildren(p, e, f) {
			kind, of, ok = counted, f.Step.Name, true
		}
		if ok && !bucket.CountsPages(p, e, f) {
			aggregates = append(aggregates, &aggregate{entity: e, node: f, holder: n, measure: kind, of: of})
		}
	}
	all := formulas(p, n)
	if len(aggregates) == 0 && len(all) == 0 {
		return
	}
	for _, f := range n.Object.Fields() {
		if numeric(f) && !isAggregate(aggregates, f) && slices.ContainsFunc(all, func(x formula) bool { return x.ofParts(f) }) {
			aggregates = append(aggregates, &aggregate{entity: e, node: f, holder: n, measure: composed})
		}
	}
	for _, a := range aggregates {
		formulas, children := slices.Clone(all), childFormulas(p, a)
		switch a.measure {
		case composed:
			formulas = slices.DeleteFunc(formulas, func(x formula) bool { return !x.ofParts(a.node) })
		case lowest, highest, filled:
			formulas, children = a.extremes(all), nil
		}
		slices.SortStableFunc(formulas, func(x, y formula) int { // formulas that fit the name come first
			switch fits := a.fits(x); {
			case fits == a.fits(y):
				return 0
			case fits:
				return -1
			}
			return 1
		})
		formulas = formulas[:min(len(formulas), maxFormulas)]
		if len(formulas) == 0 && len(children) == 0 {
			continue
		}
		probe := &aggregateProbe{settings: &aggregateSettings{
			holder: n.Path(), field: a.node.Step.Name, formulas: formulas, ordered: a.measure >= lowest,
		}}
		probe.results = make([]formulaResult, len(formulas))
		check.Watch(p, e, probe)
		var joins []*childJoin
		for _, r := range children {
			joins = append(joins, watchChildren(p, a, r))
		}
		p.After(func() { judgeAggregate(p, a, probe, joins) })
	}
}

func isAggregate(known []*aggregate, f *profile.Node) bool {
	return slices.ContainsFunc(known, func(a *aggregate) bool { return a.node == f })
}

// Limits on how many formulas are tried for one object.
const (
	maxFormulas = 64
	deepestList = 7 // steps below it
)

// formulas returns the ways in which a number in the objects at n can be
// computed from the arrays in them.
func formulas(p *check.Pass, n *profile.Node) []formula {
	var out []formula
	base := len(n.Path())
	n.Walk(func(m *profile.Node) bool {
		if m.Step.Kind == profile.MapValues || m.Depth-n.Depth > deepestList {
			return false
		}
		if m.Array == nil || m.Types[profile.Array] == 0 {
			return true
		}
		path := m.Path()[base:]
		out = append(out, formula{kind: lengthOf, array: path, node: m})
		elem := m.Array.Elem
		if elem.Scalars != nil || elem.Object != nil {
			out = append(out, formula{kind: distinctOf, array: path, node: m})
		}
		if numeric(elem) {
			out = append(out, formula{kind: sumOf, array: path, node: m}, formula{kind: meanOf, array: path, node: m})
		}
		if elem.Object == nil || elem.Object.Sampled() {
			return true
		}
		var numbers []*profile.Node
		for _, f := range elem.Object.Fields() {
			if numeric(f) {
				numbers = append(numbers, f)
			}
		}
		for i, f := range numbers {
			out = append(out, formula{kind: sumOf, array: path, node: m, value: f.Step.Name}, formula{kind: meanOf, array: path, node: m, value: f.Step.Name})
			for _, g := range numbers[:i] {
				value, times := factors(f, g)
				out = append(out, formula{kind: productOf, array: path, node: m, value: value.Step.Name, times: times.Step.Name})
			}
		}
		return true
	})
	lists := 0
	for _, f := range out {
		if f.kind == lengthOf {
			lists++
		}
	}
	for i := range out {
		out[i].only = lists == 1
	}
	return out
}

// factors orders two numbers of an element as a value and how many times it
// counts: the one named as a quantity or, in whatever language, the one that is
// rather a whole number.
func factors(f, g *profile.Node) (value, times *profile.Node) {
	named, other := isQuantity(f.Step.Name), isQuantity(g.Step.Name)
	if named && !other || named == other && f.Types[profile.Double] < g.Types[profile.Double] {
		return g, f
	}
	return f, g
}

func numeric(n *profile.Node) bool {
	numbers := n.Types[profile.Int] + n.Types[profile.Double]
	return numbers > 0 && numbers == n.Present()
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
			return lexicon.StemMatches(a.node.Step.Name, value) || scoreName(value)
		}
		return lexicon.StemMatches(a.of, value) || ofList && scoreName(value)
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
		return ofList || a.of == "" && f.only
	case a.of == "": // total, amount
		return a.measure == totalled && (f.ofQuantity() || moneyName(f.value) || aggregateWord(f.value))
	case lexicon.StemMatches(a.of, f.value):
		return true
	case isQuantity(f.value):
		return ofList
	}
	return a.measure == totalled && (f.ofQuantity() || moneyName(f.value)) && (moneyName(a.of) || ofList || a.aboutHolder())
}

// aboutHolder reports whether the name is about the document itself: orderTotal
// in orders.
func (a *aggregate) aboutHolder() bool {
	return lexicon.StemMatches(a.of, naming.EntityName(a.entity)) || lexicon.StemMatches(a.of, a.holder.Step.Name)
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

func aggregateWord(name string) bool {
	_, _, ok := aggregateName(name)
	return ok
}

func scoreName(name string) bool {
	tokens := lexicon.Tokens(name)
	return len(tokens) > 0 && slices.Contains(ratingsWords(), tokens[len(tokens)-1])
}

// A judgement says how well a formula explains an aggregate.
type judgement struct {
	formula *formula // nil for a count of children
	join    *childJoin

	tested, exact   int64 // objects with the number, and those in which the formula holds
	telling, proved int64 // the same without objects in which both are 0
	digits          int64 // decimal places of the matching numbers
	offenders       []*offender
	capped          bool // the exceptions have a reason: the array was cut, or another number is the difference
}

func (j judgement) share() float64 { return float64(j.proved) / float64(max(1, j.telling)) }

func judgeAggregate(p *check.Pass, a *aggregate, probe *aggregateProbe, joins []*childJoin) {
	var all []judgement
	for i := range probe.results {
		r := &probe.results[i]
		f := &probe.settings.formulas[i]
		all = append(all, judgement{
			formula: f, tested: r.tested, exact: r.exact, telling: r.telling, proved: r.proved, digits: r.digits, offenders: r.offenders,
			capped: r.cutOff(f) || r.explained(),
		})
	}
	for _, j := range joins {
		all = append(all, j.judge())
	}
	best := -1
	for i, j := range all {
		if j.exact == j.tested && j.telling > 0 {
			return // a formula holds everywhere
		}
		if j.telling == 0 {
			continue
		}
		if best < 0 || j.share() > all[best].share() || j.share() == all[best].share() && a.speaksOf(j) && !a.speaksOf(all[best]) {
			best = i
		}
	}
	if best < 0 || a.excused(all[best]) || !a.speaksOf(all[best]) && a.chance(all[best], len(all)) > leastChance {
		return
	}
	j := all[best]
	if j.formula != nil && (j.formula.kind == sumOf || j.formula.kind == productOf) && a.adjusted(j) {
		return
	}
	few := float64(j.telling) < p.Threshold("documents")
	enough := a.mostlyRight(j, len(all), p.Threshold("exact-share"))
	if few {
		enough = a.contradicted(j)
	}
	if !enough && !a.short(j) {
		return
	}
	reportAggregate(p, a, j, few && enough)
}

// speaksOf reports whether the aggregate's name is about the formula.
func (a *aggregate) speaksOf(j judgement) bool {
	if j.join == nil {
		return a.fits(*j.formula)
	}
	name := naming.EntityName(j.join.reference.From)
	return lexicon.StemMatches(a.of, name) && !abbreviates(a.of, name)
}

// short reports whether the number, by its name, counts this list, and is less
// than the list's length wherever the two differ. If a list is a page of a
// longer one, or elements are not in the sample, the number is larger. A single number
// that differs from a count of another collection may count something else.
func (a *aggregate) short(j judgement) bool {
	return (j.join == nil || j.tested > 1) && a.measure == counted && a.of != "" && a.speaksOf(j) && (j.join != nil || j.formula.kind == lengthOf) && len(j.offenders) < maxOffenders &&
		!slices.ContainsFunc(j.offenders, func(o *offender) bool { return o.stored > o.expected })
}

// mostlyRight reports whether enough numbers are right for the others to be
// errors. Slightly more than half are enough if the name says what is counted
// and they are too many for an accident. A list in the document is not a page
// of a longer one, or it would be cut somewhere. Documents elsewhere may be
// missing from the sample, so the count must also be too small.
func (a *aggregate) mostlyRight(j judgement, formulas int, most float64) bool {
	return j.share() >= most || a.measure == counted && a.speaksOf(j) && j.share() > 0.5 && a.chance(j, formulas) < badlyKeptChance &&
		(j.join == nil || slices.ContainsFunc(j.offenders, func(o *offender) bool { return o.stored < o.expected }))
}

const badlyKeptChance = 0.001

// excused reports whether the exceptions have a reason.
func (a *aggregate) excused(j judgement) bool { return j.capped || a.countsPart(j) }

// countsPart reports whether the number counts part of the list, as
// unreadMessageCount counts unread messages: its name has a word that is
// neither the list's nor the holder's, and where the two differ it is smaller.
func (a *aggregate) countsPart(j judgement) bool {
	if j.join == nil && j.formula.kind != lengthOf && j.formula.kind != distinctOf || j.tested-j.exact > int64(len(j.offenders)) {
		return false
	}
	list := ""
	if j.join != nil {
		list = naming.EntityName(j.join.reference.From)
	} else {
		list = j.formula.name()
	}
	named := func(word string) bool {
		return lexicon.StemMatches(word, list) || slices.Contains(lexicon.Tokens(list), word) || lexicon.StemMatches(word, naming.EntityName(a.entity))
	}
	return a.speaksOf(j) && slices.ContainsFunc(lexicon.Tokens(a.of), func(word string) bool { return !named(word) }) &&
		!slices.ContainsFunc(j.offenders, func(o *offender) bool { return o.stored > o.expected })
}

// leastChance is the chance of agreement below which numbers prove what they
// are computed from, whatever their name.
const leastChance = 1e-6

// chance returns the probability that the best of several formulas agrees with
// the stored numbers by accident as often as it does. Two integers agree as
// often as two of the stored ones do, so numbers that are few or all alike
// prove nothing. Each decimal place agrees in one of ten cases.
func (a *aggregate) chance(j judgement, formulas int) float64 {
	values := a.node.Scalars.Values.Values()
	total, same := 0.0, 0.0
	for _, v := range values {
		total += float64(v.Count)
	}
	for _, v := range values {
		same += float64(v.Count) / total * float64(v.Count) / total
	}
	if !a.node.Scalars.Values.Exact() {
		same = min(same, 1/a.node.Scalars.Values.Distinct())
	}
	misses := float64(j.telling - j.proved)
	bits := float64(j.proved)*-math.Log2(same) + float64(j.digits)*math.Log2(10) - misses*math.Log2(math.E*float64(j.telling)/max(1, misses))
	return float64(formulas) * math.Exp2(-bits)
}

// contradicted reports whether a handful of documents is enough to call one of
// them wrong: all others are right, or the only one is off by little, so that
// the array is not a page of a longer list.
func (a *aggregate) contradicted(j judgement) bool {
	wrong := j.tested - j.exact
	if wrong != 1 || len(j.offenders) == 0 || j.formula != nil && j.formula.kind != lengthOf && j.proved < 3 || j.join != nil && j.proved < 2 {
		return false
	}
	if j.proved >= 1 {
		return true
	}
	o := j.offenders[0]
	return o.expected > 0 && o.stored > 0 && max(o.stored-o.expected, o.expected-o.stored) <= max(1, 0.1*o.expected)
}

// adjusted reports whether other numbers go into a total: tax, shipping, a
// discount. A plain sum then holds only by chance. A number that is not 0 in
// more objects than those in which the sum does not hold does not go into it, and
// those that do are not 0 in fewer.
func (a *aggregate) adjusted(j judgement) bool {
	wrong := j.tested - j.exact
	adjusts := func(n *profile.Node, most int64) bool {
		if n == nil || n.Object == nil {
			return false
		}
		explained := int64(0)
		for _, g := range n.Object.Fields() {
			if g != a.node && notZero(g) <= most && slices.ContainsFunc(lexicon.Tokens(g.Step.Name), isAdjustment) {
				explained += g.ScalarCount() - zeros(g)
			}
		}
		return explained >= wrong
	}
	list := j.formula.node.Array
	before := strings.Contains(lexicon.Fold(a.node.Step.Name), "subtotal") // the name says that they are excluded
	return !isQuantity(j.formula.value) && (!before && adjusts(a.holder, wrong) || adjusts(list.Elem, wrong*list.Len.Max))
}

func isAdjustment(word string) bool { return slices.Contains(adjustmentsWords(), word) }

// notZero is how many numbers at n are surely other than 0.
func notZero(n *profile.Node) int64 {
	if n.Scalars == nil {
		return 0
	}
	sure := n.Scalars.Fractions
	if n.Scalars.MinInt > 0 {
		sure += n.Scalars.Ints
	}
	return sure
}

// zeros is how many scalars at n are surely 0 or none at all.
func zeros(n *profile.Node) int64 {
	if n.Scalars == nil {
		return 0
	}
	sure := n.Types[profile.Null]
	for _, v := range n.Scalars.Values.Values() {
		if number, err := strconv.ParseFloat(v.Text, 64); err == nil && number == 0 {
			sure += v.Count
		}
	}
	return sure
}

func reportAggregate(p *check.Pass, a *aggregate, j judgement, few bool) {
	wrong := j.tested - j.exact
	o := j.offenders[0]
	name := a.node.Step.Name
	what := j.describe()
	message := fmt.Sprintf("%s is %s, but %s is %s; the two differ in %s of %s", name, o.storedText, what, o.expectedText, quantity.Grouped(wrong), wording.Count(j.tested, holderNoun(p, a)))
	if a.measure == filled {
		message = fmt.Sprintf("%s is %s, but %s is %s; the two differ in %s of %s", name, o.storedText, j.source(), emptiness(o.expected), quantity.Grouped(wrong), wording.Count(j.tested, holderNoun(p, a)))
	}
	severity, confidence := finding.Error, 0.7
	switch {
	case few:
		confidence = 0.6
	case j.share() < 0.9, a.measure >= lowest && times.Is(a.node):
		// So many exceptions may have a reason that the documents do not show, and the
		// latest element may be gone.
		severity, confidence = finding.Warning, 0.6
	case j.share() >= 0.9 && j.telling >= places.EnoughDocuments:
		confidence = 0.9
	}
	r := check.Raw{At: o.at, Finding: finding.Finding{
		Severity: severity, Confidence: confidence, Message: message,
		Advice: fmt.Sprintf("Correct %s, then find the code that changes %s but not the stored number: change both in one update or transaction. "+
			"If a job computes it, store the time as computedAt, so that readers know how old it is.", name, j.source()),
		Evidence: []finding.Evidence{
			{Name: "formula", Value: what},
			{Name: "documents", Value: j.tested},
			{Name: "exact", Value: j.exact},
			{Name: "wrong", Value: wrong},
			{Name: "exact.share", Value: float64(int64(1000*j.share())) / 1000},
		},
	}}
	for _, o := range j.offenders[1:min(len(j.offenders), places.RelatedPlaces+1)] {
		r.Related = append(r.Related, check.RawRelated{Message: fmt.Sprintf("%s is stored, the data give %s", o.storedText, o.expectedText), At: o.at})
	}
	mendAggregate(p, a, j, &r)
	p.Report(a.entity, a.node.Path(), r)
}

func emptiness(filled float64) string {
	if filled == 0 {
		return "empty"
	}
	return "not empty"
}

func holderNoun(p *check.Pass, a *aggregate) string {
	if a.holder.Parent == nil {
		return "document"
	}
	return "object"
}

// mendAggregate adds the edits that correct the numbers. They are unsafe: the
// number may be right and the array wrong.
func mendAggregate(p *check.Pass, a *aggregate, j judgement, r *check.Raw) {
	if int64(len(j.offenders)) < j.tested-j.exact {
		return // too many to keep
	}
	for _, o := range j.offenders {
		r.Edits = append(r.Edits, check.RawEdit{At: o.digits, NewText: o.expectedText})
	}
	fix := finding.Fix{Title: fmt.Sprintf("set %s to %s", a.node.Step.Name, j.describe()), Safety: finding.Unsafe}
	if before, after, err := plans.Patched(p, j.offenders[0].at, r.Edits); err == nil && before != nil {
		fix.Before = before
		fix.After = []finding.DocumentInPlace{{Collection: a.entity.Collection.Name, Document: after}}
	}
	r.Fixes = []finding.Fix{fix}
}

var (
	amountsWords     = rulebook.Words("aggregate-drift", "amounts")
	ratingsWords     = rulebook.Words("aggregate-drift", "ratings")
	adjustmentsWords = rulebook.Words("aggregate-drift", "adjustments")
)
