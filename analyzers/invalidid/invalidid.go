// Package invalidid reports ids that the database refuses, or accepts but then
// cannot find.
package invalidid

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/internal/limits"
	"github.com/shapevet/shapevet/rulebook"
)

// Rule reports ids that the database refuses.
var Rule = check.Rule{Name: "invalid-id", Run: run}

func run(p *check.Pass) {
	seen := map[*types.Var]bool{}
	for _, d := range p.Documents() {
		if !d.Written && d.Confidence < 1 {
			continue
		}
		for _, f := range d.Fields {
			if seen[f.Var] || !isID(p, f) || f.WritesItself() {
				continue
			}
			seen[f.Var] = true
			if wrong := wrongType(p, f); wrong != nil {
				p.Report(*wrong)
			} else if p.DB(d) == "cosmosdb" {
				separators(p, f)
			}
		}
	}
	firestoreNames(p)
}

// isID reports whether the database finds the document by a field.
func isID(p *check.Pass, f *docmodel.Field) bool {
	switch p.DB(f.Document) {
	case "cosmosdb":
		return f.Name == "id"
	case "mongodb":
		return f.Name == "_id"
	case "dynamodb":
		if slices.Contains(keyAttributesWords(), lexicon.Fold(f.Name)) {
			return true
		}
		return f.Tag.Has("hash") || f.Tag.Has("range")
	}
	return false
}

// wrongType returns a finding for an id that can never be stored, or nil.
func wrongType(p *check.Pass, f *docmodel.Field) *check.Finding {
	found := &check.Finding{
		Field: f, Confidence: 0.95,
		Evidence: []finding.Evidence{{Name: "type", Value: f.Type.String()}, {Name: "database", Value: p.DB(f.Document)}},
		Fix:      check.Plan("store %s as a string", f.Path),
	}
	kind := f.Kind.String()
	switch {
	case f.Map():
		kind = "map"
	case f.List():
		kind = "list"
	}
	compound := f.Map() || f.List() || f.Kind == docmodel.Object || f.Kind == docmodel.Bool
	switch p.DB(f.Document) {
	case "cosmosdb":
		if !compound && (f.Kind != docmodel.Number || f.Tag.Has("string")) {
			return nil
		}
		found.Message = fmt.Sprintf("%s is stored as %s, but Azure Cosmos DB accepts only strings as the id", f.Path, kind)
		found.Advice = fmt.Sprintf("Make %s.%s a string, or let the tag write it as one.", f.OwnerName(), f.GoName())
		if !compound {
			found.Fix = asString(p, f, found.Fix)
		}
	case "mongodb":
		if !f.List() {
			return nil
		}
		found.Message = fmt.Sprintf("%s is stored as an array, but MongoDB rejects an array as _id", f.Path)
		found.Advice = fmt.Sprintf("Join the parts of %s.%s into a string, or store them as fields of an object.", f.OwnerName(), f.GoName())
		found.Fix.Title = "store _id as a string or an object"
	default:
		if !compound {
			return nil
		}
		found.Message = fmt.Sprintf("the key %s is stored as %s, but DynamoDB accepts only strings, numbers and bytes as keys", f.Path, kind)
		found.Advice = fmt.Sprintf("Make %s.%s a string or a number.", f.OwnerName(), f.GoName())
	}
	return found
}

// asString makes encoding/json write a number as a string. Values already
// stored as numbers can no longer be read.
func asString(p *check.Pass, f *docmodel.Field, plan *check.Fix) *check.Fix {
	fix := p.Retag(f, "write the number as a string", "json", f.Name, append(slices.Clip(f.Tag.Options), "string")...)
	if fix.Edits == nil || f.Document.Codec != docmodel.JSON {
		return plan
	}
	return fix
}

// separators reports an id that contains characters with a meaning in
// addresses.
func separators(p *check.Pass, f *docmodel.Field) {
	profile, ok := limits.For(p.DB(f.Document))
	if !ok || f.Kind != docmodel.String || f.List() || f.Map() {
		return
	}
	for _, made := range p.Program.Values(f) {
		for _, part := range parts(made.Pkg, made.Expr, 0) {
			bad := forbidden(part, profile.IDForbidden)
			if bad == "" {
				continue
			}
			message := fmt.Sprintf("%s is joined with %s: Azure Cosmos DB rejects / and \\ in an id, and does not find items with # or ?", f.Path, bad)
			if part.base64 {
				message = fmt.Sprintf("%s is base64 that may contain a slash: Azure Cosmos DB rejects a slash in an id", f.Path)
			}
			p.Report(check.Finding{
				Field: f, Severity: finding.Warning, Confidence: 0.85, Message: message, Advice: advice(part),
				Evidence: []finding.Evidence{{Name: "characters", Value: bad}, {Name: "made by", Value: types.ExprString(made.Expr)}},
				Related:  []check.Related{{Pos: part.node.Pos(), Message: "the id is made here"}},
				Fix:      replace(p, part, profile.IDForbidden),
			})
			return
		}
	}
}

func advice(part part) string {
	if part.base64 {
		return "Use base64.RawURLEncoding, which is safe in addresses; stored ids keep their old spelling."
	}
	return "Join the parts with a colon or a dash; stored ids keep their old spelling."
}

// forbidden lists, quoted, the characters of a part that an id must not hold.
func forbidden(part part, characters string) string {
	if part.base64 {
		return "\"/\""
	}
	var found []string
	for _, r := range characters {
		if strings.ContainsRune(part.text, r) {
			found = append(found, fmt.Sprintf("%q", string(r)))
		}
	}
	return strings.Join(found, " and ")
}

var keyAttributesWords = rulebook.Words("invalid-id", "key-attributes")
