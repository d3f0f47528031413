package unboundedarray

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/schema"
	"github.com/shapevet/shapevet/rulebook"
)

// onSchema reports lists of things that keep coming and that the schema does
// not bound, or not effectively.
func onSchema(p *schema.Pass) {
	most := int64(p.Threshold("sure-elements"))
	seen := map[string]bool{}
	p.Visit(func(v schema.View) {
		if !p.IsList(v.Node) || seen[v.Path.String()] {
			return
		}
		elements := elements(p, v.Node)
		if elements == nil {
			return
		}
		if at, declared, ok := p.MostItems(v.Node); ok {
			if declared > most {
				seen[v.Path.String()] = true
				p.Report(at.Location(), v.Path, finding.Finding{
					Severity: finding.Warning, Confidence: 0.7,
					Message:  fmt.Sprintf("%s may have %s elements, too many for one document", v.Name, quantity.Grouped(declared)),
					Advice:   schemaAdvice(v.Name),
					Evidence: []finding.Evidence{{Name: "maxItems", Value: declared}},
				})
			}
			return
		}
		owner := cmp.Or(v.In, p.Collection())
		if v.Name == "" || !p.Lexicon.HasIn(lexicon.Unbounded, v.Name, owner) || p.Lexicon.HasIn(lexicon.Bounded, v.Name, owner) ||
			p.Lexicon.Has(lexicon.BoundMarker, v.Name) {
			return
		}
		seen[v.Path.String()] = true
		confidence, evidence := 0.6, []finding.Evidence{{Name: "name.unbounded", Value: v.Name}}
		if name := growth(p, elements); name != "" {
			confidence, evidence = 0.7, append(evidence, finding.Evidence{Name: "elements.own", Value: name})
		}
		p.Report(v.At, v.Path, finding.Finding{
			Severity: finding.Info, Confidence: confidence,
			Message:  fmt.Sprintf("%s has no maxItems, and its name suggests that it keeps growing", v.Name),
			Advice:   schemaAdvice(v.Name),
			Evidence: evidence,
		})
	})
}

func schemaAdvice(name string) string {
	return fmt.Sprintf("Declare maxItems. Keep only the most recent of %s in the document, and store each as a document of its own that refers to this one.", name)
}

// elements returns the schema of the elements if they are objects or texts.
func elements(p *schema.Pass, n *schema.Node) *schema.Node {
	for _, part := range p.Parts(n) {
		items := part.Get("items")
		if items == nil || !items.IsObject() {
			continue
		}
		types := p.Types(items)
		if p.IsObject(items) || slices.Contains(types, "object") || slices.Contains(types, "string") || slices.Contains(types, "objectId") ||
			schema.AlternativesOf(items) != "" {
			return items
		}
	}
	return nil
}

// ownNames are names of an element's own id or time.
var ownNames = rulebook.WordSet("unbounded-array", "own-in-schema")

// growth returns the name of an element's own id or time.
func growth(p *schema.Pass, elements *schema.Node) string {
	for _, m := range p.Properties(elements) {
		if ownNames()[lexicon.Fold(m.Name)] {
			return m.Name
		}
	}
	return ""
}
