package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
)

// missingDiscriminators reports alternatives that are objects, and that no
// property tells apart.
func (l *linter) missingDiscriminators() {
	seen := map[*node]bool{}
	l.visit(func(v view) {
		list, in := l.alternatives(v.node)
		if list == nil || seen[in] {
			return
		}
		seen[in] = true
		var objects []*node
		for _, n := range list {
			if l.isObject(n) {
				objects = append(objects, n)
			}
		}
		if len(objects) < 2 || in.get("discriminator") != nil || l.discriminator(list) != nil || l.byKey(objects) || l.conditions(objects) {
			return
		}
		keyword := alternativesOf(in)
		subject := v.path.String()
		if subject == "" {
			subject = "a document of " + l.collection
		}
		l.report(in.keyLocation(keyword), v.path, finding.Finding{
			Severity: finding.Warning, Confidence: 0.7,
			Message:  fmt.Sprintf("%s is one of %d kinds of object by %s, and no property with a constant tells them apart: %s", subject, len(objects), keyword, l.shown(objects)),
			Advice:   "Give each alternative a required property such as type with a constant of its own: readers then decode by it, and errors name the alternative that was meant.",
			Evidence: []finding.Evidence{{Name: "alternatives", Value: len(objects)}},
		})
	})
}

// byKey reports whether each alternative requires an object of its own, whose
// name then says the kind.
func (l *linter) byKey(alternatives []*node) bool {
	for i, n := range alternatives {
		if !slices.ContainsFunc(l.required(n), func(name string) bool {
			property := l.property(n, name)
			if property == nil || !l.isObject(property) && !slices.Contains(l.types(property), "object") {
				return false
			}
			for j, other := range alternatives {
				if j != i && l.property(other, name) != nil {
					return false
				}
			}
			return true
		}) {
			return false
		}
	}
	return true
}

// conditions reports whether the alternatives only restrict properties that
// are described beside them: they are no kinds, but rules.
func (l *linter) conditions(alternatives []*node) bool {
	return !slices.ContainsFunc(alternatives, func(n *node) bool {
		return slices.ContainsFunc(l.properties(n), func(m member) bool {
			return len(l.types(m.value)) > 0 || l.isObject(m.value) || len(l.parts(m.value)) > 1
		})
	})
}

func (l *linter) required(n *node) []string {
	var out []string
	for _, part := range l.parts(n) {
		out = append(out, part.get("required").texts()...)
	}
	return out
}

// shown names each alternative by properties that the first others do not have.
func (l *linter) shown(alternatives []*node) string {
	var out []string
	for i, n := range alternatives {
		var names []string
		for _, m := range l.properties(n) {
			own := true
			for j, other := range alternatives {
				own = own && (i == j || l.property(other, m.name) == nil)
			}
			if own && len(names) < 2 {
				names = append(names, m.name)
			}
		}
		if len(names) == 0 {
			names = []string{"nothing of its own"}
		}
		out = append(out, "one with "+strings.Join(names, ", "))
		if len(out) == 4 && len(alternatives) > 4 {
			out = append(out, "…")
			break
		}
	}
	return strings.Join(out, "; ")
}
