package missingdiscriminator

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/schema"
)

// onSchema reports alternatives that are objects but have no distinguishing
// property.
func onSchema(p *schema.Pass) {
	seen := map[*schema.Node]bool{}
	p.Visit(func(v schema.View) {
		list, in := p.Alternatives(v.Node)
		if list == nil || seen[in] {
			return
		}
		seen[in] = true
		var objects []*schema.Node
		for _, n := range list {
			if p.IsObject(n) {
				objects = append(objects, n)
			}
		}
		if len(objects) < 2 || in.Get("discriminator") != nil || p.Discriminator(list) != nil || byKey(p, objects) || conditions(p, objects) {
			return
		}
		keyword := schema.AlternativesOf(in)
		subject := v.Path.String()
		if subject == "" {
			subject = "a document of " + p.Collection()
		}
		p.Report(in.KeyLocation(keyword), v.Path, finding.Finding{
			Severity: finding.Warning, Confidence: 0.7,
			Message:  fmt.Sprintf("%s is one of %d kinds of object by %s, and no property with a constant distinguishes them: %s", subject, len(objects), keyword, shown(p, objects)),
			Advice:   "Give each alternative a required property such as type with a constant of its own: readers then decode by it, and errors name the alternative that was meant.",
			Evidence: []finding.Evidence{{Name: "alternatives", Value: len(objects)}},
		})
	})
}

// byKey reports whether each alternative requires an object of its own, whose
// name then gives the kind.
func byKey(p *schema.Pass, alternatives []*schema.Node) bool {
	for i, n := range alternatives {
		if !slices.ContainsFunc(required(p, n), func(name string) bool {
			property := p.Property(n, name)
			if property == nil || !p.IsObject(property) && !slices.Contains(p.Types(property), "object") {
				return false
			}
			for j, other := range alternatives {
				if j != i && p.Property(other, name) != nil {
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

// conditions reports whether the alternatives only restrict properties
// described next to them. They are then rules rather than kinds.
func conditions(p *schema.Pass, alternatives []*schema.Node) bool {
	return !slices.ContainsFunc(alternatives, func(n *schema.Node) bool {
		return slices.ContainsFunc(p.Properties(n), func(m schema.Property) bool {
			return len(p.Types(m.Node)) > 0 || p.IsObject(m.Node) || len(p.Parts(m.Node)) > 1
		})
	})
}

func required(p *schema.Pass, n *schema.Node) []string {
	var out []string
	for _, part := range p.Parts(n) {
		out = append(out, part.Get("required").Texts()...)
	}
	return out
}

// shown describes each alternative by properties that the others shown lack.
func shown(p *schema.Pass, alternatives []*schema.Node) string {
	var out []string
	for i, n := range alternatives {
		var names []string
		for _, m := range p.Properties(n) {
			own := true
			for j, other := range alternatives {
				own = own && (i == j || p.Property(other, m.Name) == nil)
			}
			if own && len(names) < 2 {
				names = append(names, m.Name)
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
