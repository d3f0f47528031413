// Package aggregatedrift reports stored counts, sums, means, extremes and flags
// that no longer match their sources. The name alone does not determine which formula a number
// follows: all formulas are tried, and exceptions are reported only if one
// holds in nearly all documents.
package aggregatedrift

import (
	"slices"

	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/bucket"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/predict"
)

// Rule is aggregate-drift on documents.
var Rule = check.Rule{Name: "aggregate-drift", Run: func(p *check.Pass) {
	for _, e := range p.DB.Entities() {
		e.Root().Walk(func(n *profile.Node) bool {
			if n.Object != nil && !n.Object.Sampled() {
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
		if numeric(f) && !isAggregate(aggregates, f) && slices.ContainsFunc(all, func(x formula) bool { return x.ofParts(f.Step.Name) }) {
			aggregates = append(aggregates, &aggregate{entity: e, node: f, holder: n, measure: composed})
		}
	}
	probe := &aggregateProbe{settings: &aggregateSettings{holder: n.Path()}}
	for _, a := range aggregates {
		formulas, children := slices.Clone(all), childFormulas(p, a)
		switch a.measure {
		case composed:
			formulas = slices.DeleteFunc(formulas, func(x formula) bool { return !x.ofParts(a.node.Step.Name) })
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
		tried := probe.try(a, formulas, ofFewValues(n, a.node))
		var joins []*childJoin
		for _, r := range children {
			joins = append(joins, watchChildren(p, a, r))
		}
		p.After(func() { judgeAggregate(p, a, probe.judgements(tried), joins) })
	}
	if len(probe.results) > 0 {
		check.Watch(p, e, probe)
	}
}

// ofFewValues returns the other fields of an object that have few values.
func ofFewValues(n, but *profile.Node) (fields []*profile.Node) {
	for _, f := range n.Object.Fields() {
		if f != but && predict.FewValues(f) {
			fields = append(fields, f)
		}
	}
	return fields
}

func isAggregate(known []*aggregate, f *profile.Node) bool {
	return slices.ContainsFunc(known, func(a *aggregate) bool { return a.node == f })
}
