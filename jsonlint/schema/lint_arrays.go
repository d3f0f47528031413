package schema

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
)

// unboundedArrays reports lists of things that keep coming and that the schema
// does not bound, and bounds that are none.
func (l *linter) unboundedArrays() {
	most := int64(l.Threshold(l.rule, "sure-elements"))
	seen := map[string]bool{}
	l.visit(func(v view) {
		if !l.isList(v.node) || seen[v.path.String()] {
			return
		}
		elements := l.elements(v.node)
		if elements == nil {
			return
		}
		if at, declared, ok := l.mostItems(v.node); ok {
			if declared > most {
				seen[v.path.String()] = true
				l.report(at.location(), v.path, finding.Finding{
					Severity: finding.Warning, Confidence: 0.7,
					Message:  fmt.Sprintf("%s may have %s elements, too many for one document", v.name, quantity.Grouped(declared)),
					Advice:   l.arrayAdvice(v.name),
					Evidence: []finding.Evidence{{Name: "maxItems", Value: declared}},
				})
			}
			return
		}
		owner := cmp.Or(v.in, l.collection)
		if v.name == "" || !l.Lexicon.HasIn(lexicon.Unbounded, v.name, owner) || l.Lexicon.HasIn(lexicon.Bounded, v.name, owner) ||
			l.Lexicon.Has(lexicon.BoundMarker, v.name) {
			return
		}
		seen[v.path.String()] = true
		confidence, evidence := 0.6, []finding.Evidence{{Name: "name.unbounded", Value: v.name}}
		if name := l.growth(elements); name != "" {
			confidence, evidence = 0.7, append(evidence, finding.Evidence{Name: "elements.own", Value: name})
		}
		l.report(v.at, v.path, finding.Finding{
			Severity: finding.Info, Confidence: confidence,
			Message:  fmt.Sprintf("%s has no maxItems, and its name suggests that it keeps growing", v.name),
			Advice:   l.arrayAdvice(v.name),
			Evidence: evidence,
		})
	})
}

func (l *linter) arrayAdvice(name string) string {
	return fmt.Sprintf("Declare maxItems, and keep the most recent of %s in the document only; store each as a document of its own that refers to this one.", name)
}

// elements returns the schema of the elements if they are objects or texts.
func (l *linter) elements(n *node) *node {
	for _, part := range l.parts(n) {
		items := part.get("items")
		if items == nil || !items.isObject() {
			continue
		}
		types := l.types(items)
		if l.isObject(items) || slices.Contains(types, "object") || slices.Contains(types, "string") || slices.Contains(types, "objectId") ||
			alternativesOf(items) != "" {
			return items
		}
	}
	return nil
}

// growth returns the name of an id or a time that elements have of their own.
func (l *linter) growth(elements *node) string {
	for _, m := range l.properties(elements) {
		switch lexicon.Fold(m.name) {
		case "id", "createdat", "created", "date", "time", "timestamp", "postedat", "at":
			return m.name
		}
	}
	return ""
}
