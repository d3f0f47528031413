// Package mixedidtype reports collections whose ids have several types.
package mixedidtype

import (
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/identity"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/relations"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// Rule is mixed-id-type on documents.
var Rule = check.Rule{Name: "mixed-id-type", Run: func(p *check.Pass) {
	for _, c := range p.DB.Collections {
		if n := idOf(p, c); n != nil && n.Duplicated == 0 && identifies(p, n) { // duplicate-key reports documents with two ids
			if classes := n.TypeClasses(); len(classes) > 1 {
				reportMixedID(p, c, n, classes)
			}
		}
	}
}}

// idOf returns the id of the documents, or the field that is named after them:
// appointment_id of appointments.
func idOf(p *check.Pass, c *model.Collection) *profile.Node {
	n := identity.Node(p, c)
	if n == nil && len(c.Entities) == 1 {
		if k := c.Entities[0].OwnKey(); k != nil {
			return k.Node
		}
	}
	return n
}

// identifies reports whether a field is the database's id or works like one: it
// differs in nearly all documents.
func identifies(p *check.Pass, n *profile.Node) bool {
	return slices.Contains(p.Limits.IDKeys, n.Step.Name) || n.Scalars != nil && n.Scalars.Values.Distinct() >= 0.9*float64(n.ScalarCount())
}

func reportMixedID(p *check.Pass, c *model.Collection, n *profile.Node, classes []profile.ClassCount) {
	most, odd := classes[0], classes[1]
	if most.Count == odd.Count && odd.At.Compare(most.At) < 0 {
		most, odd = odd, most // of two equally frequent types, the later one is reported
	}
	severity, confidence := finding.Error, 0.95
	byKind := typeByKind(p, c, n.Step.Name)
	if byKind {
		severity, confidence = finding.Warning, 0.6
	}
	evidence := []finding.Evidence{{Name: "documents", Value: c.Profile.Docs}}
	message := fmt.Sprintf("%s has more than one type:", n.Step.Name)
	for i, t := range classes {
		if i > 0 {
			message += ","
		}
		message += fmt.Sprintf(" %s in %s", t.Class.TypeName(), wording.Count(t.Count, "document"))
		evidence = append(evidence, finding.Evidence{Name: "type." + t.Class.TypeName(), Value: t.Count})
	}
	message += fmt.Sprintf("; here it is %s, elsewhere %s", places.Quote(p, odd.At), places.Quote(p, most.At))
	if byKind {
		message += "; each kind of document has ids of its own type"
	}
	to, changed := most.Class, odd
	if most.Count == odd.Count && !convertible(p, odd, most.Class) {
		to, changed = odd.Class, most // of two equally frequent types, the one that the other can be converted to
	}
	advice := fmt.Sprintf("Rewrite the ids that are not of type %s, and the references to them: ", to.TypeName())
	if !convertible(p, changed, to) {
		advice = fmt.Sprintf("Give the documents whose id is not of type %s, like most, a new id of that type, and rewrite the references to them in the same step: ", to.TypeName())
	}
	advice += "a range or a page that starts at an id of one type leaves out the others, and a look-up with the wrong type finds nothing."
	if refs := relations.ReferencesToField(p.DB, c, n.Step.Name); refs != "" {
		advice += " References to them are in " + refs + "."
	}
	p.Report(places.Whole(c), n.Path(), check.Raw{
		At: odd.At,
		Finding: finding.Finding{
			Severity: severity, Confidence: confidence, Message: message, Advice: advice, Evidence: evidence,
			Fixes: identity.Retyped(p, c, n.Path(), changed.At, to),
		},
		Related: []check.RawRelated{{At: most.At, Message: "an id of type " + most.Class.TypeName()}},
	})
}

// typeByKind reports whether each kind of document uses a single type.
func typeByKind(p *check.Pass, c *model.Collection, name string) bool {
	if len(c.Entities) < 2 {
		return false
	}
	for _, e := range c.Entities {
		if n := e.Root().Object.Field(name); n != nil && len(n.TypeClasses()) > 1 {
			return false
		}
	}
	return true
}

// convertible reports whether values of a class can be converted to another
// without loss, judging by the first one.
func convertible(p *check.Pass, from profile.ClassCount, to profile.Class) bool {
	d, i, ok := places.TokenOf(p, from.At)
	return ok && d.Tokens[i].Kind < scan.Object && identity.AsType(reshape.From(d.Document, i), to) != nil
}
