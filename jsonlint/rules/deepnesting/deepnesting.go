// Package deepnesting reports documents with many levels of objects and arrays,
// and trees kept as one document, in which a field contains itself again and
// again.
package deepnesting

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/geo"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule is deep-nesting on documents.
var Rule = check.Rule{Name: "deep-nesting", Run: func(p *check.Pass) {
	for _, e := range p.DB.Entities() {
		if node := recursion(p, e); node != nil {
			reportRecursion(p, e, node)
			continue // a tree is naturally deep
		}
		reportDepth(p, e)
	}
}}

// levelOf returns the number of levels of objects and arrays down to those at
// n, which is 1 for the document.
func levelOf(n *profile.Node) int {
	level := n.Depth + 1
	for m := n; m != nil; m = m.Parent {
		if isAttribute(m) {
			level--
		}
	}
	return level
}

// isAttribute reports whether the objects at n only say the type of the value in them, as
// DynamoDB writes it: {"M": {"city": {"S": "Bonn"}}}.
func isAttribute(n *profile.Node) bool {
	if n.Object == nil || n.Object.Keys.Max != 1 {
		return false
	}
	fields := n.Object.Fields() // none if they are the entries of a map
	return len(fields) > 0 && !slices.ContainsFunc(fields, func(f *profile.Node) bool {
		return !slices.Contains(attributeTypes(), f.Step.Name)
	})
}

// profiled is the depth down to which profiles record fields.
const profiled = 256

// deepest returns the first of the deepest objects and arrays and their
// level, geometries taken as one value.
func deepest(e *model.Entity) (*profile.Node, int) {
	var best *profile.Node
	e.Root().Walk(func(n *profile.Node) bool {
		if n.Types[profile.Object]+n.Types[profile.Array] == 0 {
			return false
		}
		if geo.IsGeometry(n) {
			return false
		}
		if best == nil || levelOf(n) > levelOf(best) {
			best = n
		}
		return true
	})
	if best == nil {
		return nil, 0
	}
	if levelOf(best) >= profiled {
		return best, max(levelOf(best), int(e.Profile.Depths.Max))
	}
	return best, levelOf(best)
}

func containerAt(n *profile.Node) profile.Pos {
	return profile.Earlier(n.First(profile.Object), n.First(profile.Array))
}

func reportDepth(p *check.Pass, e *model.Entity) {
	node, depth := deepest(e)
	limit := p.Limits.Nesting
	deep := p.Threshold("deep")
	if e.N() == 1 { // a sample or settings, which are read as a whole
		deep *= 2
	}
	r := check.Raw{At: containerAt(node), Finding: finding.Finding{
		Evidence: []finding.Evidence{
			{Name: "levels.max", Value: depth},
			{Name: "levels.p50", Value: e.Profile.Depths.Quantile(0.5)},
			{Name: "documents", Value: e.N()},
		},
	}}
	f := &r.Finding
	switch {
	case limit > 0 && depth >= limit:
		f.Severity, f.Confidence = finding.Error, 0.95
		f.Message = fmt.Sprintf("documents nest %d levels deep, %s allows %d", depth, p.Limits.Title, limit)
	case float64(depth) >= deep, limit > 0 && float64(depth) >= p.Threshold("limit-share")*float64(limit):
		f.Severity, f.Confidence = finding.Warning, 0.7
		f.Message = fmt.Sprintf("documents nest %d levels deep", depth)
		r.Cause, r.Sure = "depth", true // one model describes the documents of a database
	case float64(depth) >= p.Threshold("noticeable"):
		f.Severity, f.Confidence = finding.Info, 0.4
		f.Message = fmt.Sprintf("documents nest %d levels deep", depth)
	default:
		return
	}
	f.Message += ": " + shortPath(node.Path())
	f.Advice = "Flatten objects that hold a single field, and store parts that are read or changed on their own as documents: " +
		"every level makes queries, indexes, updates and validation harder to write."
	p.Report(e, nil, r)
}

// shortPath returns a path of many steps with its middle omitted.
func shortPath(path profile.Path) string {
	const ends = 6
	if len(path) <= 3*ends {
		return path.String()
	}
	return path[:ends].String() + " … " + path[len(path)-ends:].String()
}

// recursion returns the deepest node below which a field is inside a field of
// the same name, and that inside another one.
func recursion(p *check.Pass, e *model.Entity) *profile.Node {
	var best *profile.Node
	most := int(p.Threshold("repeats")) - 1
	e.Root().Walk(func(n *profile.Node) bool {
		if n.Types[profile.Object]+n.Types[profile.Array] == 0 {
			return false
		}
		if n.Step.Kind == profile.Field && n.Parent != nil {
			if r := selfNesting(n); r > most {
				best, most = n, r
			}
		}
		return true
	})
	return best
}

// selfNesting returns how often the name of a field occurs on the path to it,
// itself included. It counts only if the levels in between are alike, which
// makes it a tree.
func selfNesting(n *profile.Node) int {
	count, between, expected := 1, "", ""
	for m := n.Parent; m != nil && m.Parent != nil; m = m.Parent {
		if m.Step.Kind != profile.Field || m.Step.Name != n.Step.Name {
			between += "/" + m.Step.Name
			continue
		}
		if count == 1 {
			expected = between
		} else if between != expected {
			return count
		}
		count, between = count+1, ""
	}
	return count
}

var (
	expressionWords = rulebook.Words("deep-nesting", "expression-words")
	attributeTypes  = rulebook.Words("deep-nesting", "attribute-types")
)

func reportRecursion(p *check.Pass, e *model.Entity, n *profile.Node) {
	times := selfNesting(n)
	name := n.Step.Name
	node, depth := deepest(e)
	f := finding.Finding{
		Severity: finding.Warning, Confidence: 0.7,
		Message: fmt.Sprintf("%s contains itself %d levels deep in one document (%d levels in all)", name, times, depth),
		Evidence: []finding.Evidence{
			{Name: "levels.recursion", Value: times},
			{Name: "levels.max", Value: depth},
			{Name: "documents", Value: e.N()},
		},
	}
	tokens := lexicon.Tokens(name)
	expression := slices.ContainsFunc(tokens, func(t string) bool {
		return slices.Contains(expressionWords(), lexicon.Singular(t)) || slices.Contains(expressionWords(), t)
	})
	limit := p.Limits.Nesting
	switch {
	case limit > 0 && depth >= limit:
		f.Severity, f.Confidence = finding.Error, 0.95
		f.Message += fmt.Sprintf("; %s allows %d", p.Limits.Title, limit)
	case expression, float64(times) < p.Threshold("long-recursion") && float64(depth) < p.Threshold("deep"):
		// An expression is read as a whole, and a short chain ends naturally.
		f.Severity, f.Confidence = finding.Info, 0.4
	}
	f.Advice = fmt.Sprintf("Store each node as a document with parentId and its path (the ids of its ancestors): then a node can be found, "+
		"moved and changed without its tree, and %s can be of any depth.", strings.TrimSpace(cmp.Or(name, "the tree")))
	at := containerAt(n)
	if f.Severity == finding.Error {
		at = containerAt(node)
	}
	p.Report(e, outermost(n).Path(), check.Raw{Finding: f, At: at, Related: []check.RawRelated{{Message: "the outermost " + name, At: containerAt(outermost(n))}}})
}

// outermost returns the first field on the path to n with the same name.
func outermost(n *profile.Node) *profile.Node {
	best := n
	for m := n.Parent; m != nil && m.Parent != nil; m = m.Parent {
		if m.Step.Kind == profile.Field && m.Step.Name == n.Step.Name {
			best = m
		}
	}
	return best
}
