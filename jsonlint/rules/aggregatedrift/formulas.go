package aggregatedrift

import (
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/identity"
)

// Limits on how many formulas are tried for one object.
const (
	maxFormulas = 64
	deepestList = 7 // steps below it
)

// formulas returns the ways in which a number in the objects at n can be
// computed from the arrays in them.
func formulas(p *check.Pass, n *profile.Node) []formula {
	var out, products []formula // products come last: there is one for each two numbers
	base := len(n.Path())
	n.Walk(func(m *profile.Node) bool {
		if m.Step.Kind == profile.MapValues || m.Depth-n.Depth > deepestList {
			return false
		}
		if m.Array == nil {
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
				products = append(products, formula{kind: productOf, array: path, node: m, value: value.Step.Name, times: times.Step.Name})
			}
		}
		return true
	})
	out = append(out, products...)
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
// counts: the one named as a quantity or, in whatever language, the one with fewer
// fractions.
func factors(f, g *profile.Node) (value, times *profile.Node) {
	named, other := isQuantity(f.Step.Name), isQuantity(g.Step.Name)
	if named && !other || named == other && f.Types[profile.Double] < g.Types[profile.Double] {
		return g, f
	}
	return f, g
}

// numeric reports whether n holds amounts: nobody adds ids.
func numeric(n *profile.Node) bool {
	numbers := n.Types[profile.Int] + n.Types[profile.Double]
	return numbers > 0 && numbers == n.Present() && !identity.IsIDName(n.Step.Name)
}
