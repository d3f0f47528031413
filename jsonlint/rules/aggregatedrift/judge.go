package aggregatedrift

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/naming"
)

// A judgement says how well a formula explains an aggregate.
type judgement struct {
	formula *formula // nil for a count of children
	join    *childJoin

	tested, exact   int64 // objects with the number, and those in which the formula holds
	telling, proved int64 // the same without objects in which both are 0
	digits          int64 // decimal places of the matching numbers
	offenders       []*offender
	capped          bool // the exceptions have a reason: the array was cut, another number is the difference, or another field tells them apart
}

func (j judgement) share() float64 { return float64(j.proved) / float64(max(1, j.telling)) }

// judgements says how well each formula explains an aggregate.
func (a *aggregateProbe) judgements(of int) (all []judgement) {
	settings := &a.settings.aggregates[of]
	for i, r := range a.results[of] {
		f := &a.settings.formulas[settings.formulas[i]]
		all = append(all, judgement{
			formula: f, tested: r.tested, exact: r.exact, telling: r.telling, proved: r.proved, digits: r.digits, offenders: r.offenders,
			capped: r.cutOff(f) || r.explained() || r.told(f, settings.beside),
		})
	}
	return all
}

func judgeAggregate(p *check.Pass, a *aggregate, all []judgement, joins []*childJoin) {
	for _, j := range together(joins) {
		all = append(all, j.judge())
	}
	best, most := -1, int64(0)
	for _, j := range all {
		most = max(most, j.tested)
	}
	for i, j := range all {
		if j.telling == 0 || 2*j.tested <= most && !a.speaksOf(j) {
			continue // it says nothing about most of the numbers
		}
		if j.exact == j.tested {
			return // a formula holds everywhere
		}
		if best < 0 || j.share() > all[best].share() || j.share() == all[best].share() && a.speaksOf(j) && !a.speaksOf(all[best]) {
			best = i
		}
	}
	if best < 0 || a.excused(all[best]) || !a.speaksOf(all[best]) && a.chance(all[best], len(all)) > leastChance {
		return
	}
	j := all[best]
	if j.formula != nil && j.formula.sums() && a.adjusted(j) {
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
	return (j.join == nil || j.tested > 1) && a.measure == counted && a.of != "" && a.speaksOf(j) && (j.join != nil || j.formula.kind == lengthOf) &&
		!slices.ContainsFunc(j.offenders, func(o *offender) bool { return o.stored > o.expected })
}

// mostlyRight reports whether enough numbers are right for the others to be
// errors. Slightly more than half are enough if the name says what is counted
// and they are too many for an accident. A list in the document is not a page
// of a longer one, or it would be cut somewhere. Documents elsewhere may be
// missing from the sample, so the count must also be too small. A quantity of which
// the parts have some each is such a count.
func (a *aggregate) mostlyRight(j judgement, formulas int, most float64) bool {
	return j.share() >= most || (a.measure == counted && a.speaksOf(j) || a.addsQuantities(j)) && j.share() > 0.5 && a.chance(j, formulas) < badlyKeptChance &&
		(j.join == nil || slices.ContainsFunc(j.offenders, func(o *offender) bool { return o.stored < o.expected }))
}

// addsQuantities reports whether the number is the sum of quantities of the same
// name. From a sum of money something may be taken off, from a quantity nothing is.
func (a *aggregate) addsQuantities(j judgement) bool {
	return j.formula != nil && j.formula.ofParts(a.node.Step.Name) && isQuantity(j.formula.value) && !moneyName(j.formula.value)
}

const badlyKeptChance = 0.001

// excused reports whether the exceptions have a reason.
func (a *aggregate) excused(j judgement) bool { return j.capped || a.countsPart(j) }

// countsPart reports whether the number counts part of the list, as
// unreadMessageCount counts unread messages: its name has a word that is
// not the list's, and where the two differ it is smaller.
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
		return lexicon.StemMatches(word, list) || slices.Contains(lexicon.Tokens(list), word)
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
// them wrong: all others are right, or the only one says what it counts and is off by
// little, so that the array is not a page of a longer list.
func (a *aggregate) contradicted(j judgement) bool {
	wrong := j.tested - j.exact
	if wrong != 1 || len(j.offenders) == 0 || j.formula != nil && j.formula.kind != lengthOf && j.proved < 3 || j.join != nil && j.proved < 2 {
		return false
	}
	if j.proved >= 2 {
		return true
	}
	o := j.offenders[0]
	return a.of != "" && o.expected > 0 && o.stored > 0 && max(o.stored-o.expected, o.expected-o.stored) <= max(1, 0.1*o.expected)
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
		for _, f := range n.Object.Fields() {
			parts := []*profile.Node{f}
			if f.Object != nil { // coupon: {code, discount}
				parts = append(parts, f.Object.Fields()...)
			}
			for _, g := range parts {
				if g != a.node && notZero(g) <= most && slices.ContainsFunc(lexicon.Tokens(g.Step.Name), isAdjustment) {
					explained += charged(g)
				}
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
	if n.Scalars == nil || n.Scalars.Values.Exact() {
		return charged(n)
	}
	sure := n.Scalars.Fractions
	if n.Scalars.MinInt > 0 {
		sure += n.Scalars.Ints
	}
	return sure
}

// charged is how many scalars at n may be other than 0 and go into a total. A flag
// and a text such as "included" are no amounts.
func charged(n *profile.Node) int64 {
	if n.Scalars == nil {
		return 0
	}
	count := n.ScalarCount()
	for _, v := range n.Scalars.Values.Values() {
		if number, err := strconv.ParseFloat(v.Text, 64); err == nil && number == 0 || !strings.ContainsAny(v.Text, "0123456789") {
			count -= v.Count
		}
	}
	return max(0, count)
}
