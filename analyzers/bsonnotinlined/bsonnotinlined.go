// Package bsonnotinlined reports embedded structs that bson does not flatten.
package bsonnotinlined

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
)

// Rule reports embedded structs that are stored as a sub-document, or not at
// all, although Go promotes their fields.
var Rule = check.Rule{Name: "bson-not-inlined", Run: run}

func run(p *check.Pass) {
	for _, f := range p.Fields() {
		if f.Document.Codec == docmodel.BSON && f.Var.Embedded() && !f.Scalar() && !f.WritesItself() {
			nested(p, f)
		}
	}
	for _, f := range p.Lost() {
		if !f.WritesItself() && p.Program.Imports("mongo-driver") {
			lost(p, f)
		}
	}
}

// nested reports an embedded struct that was unintentionally stored as a
// sub-document.
func nested(p *check.Pass, f *docmodel.Field) {
	s, ok := f.Elem.Underlying().(*types.Struct)
	if !ok || f.Lists+f.Maps > 0 || f.Tag.Name != "" || misspelt(f.Tag) || exported(s) == 0 || known(p, f) {
		return
	}
	moved := idOf(s)
	root := f.Parent == nil && !slices.ContainsFunc(f.Document.Fields, func(other *docmodel.Field) bool { return other.Name == "_id" })
	severity, confidence := finding.Warning, 0.85
	message := fmt.Sprintf("%s is embedded without inline: bson stores its fields below %q, not next to the others", f.GoName(), f.Name)
	if moved != "" && root {
		severity, confidence = finding.Error, 0.95
		message = fmt.Sprintf("%s is embedded without inline: %s is stored as %s._id, and the document gets another _id", f.GoName(), moved, f.Name)
	}
	if !f.Document.Written {
		confidence = 0.6
	}
	switch tag := docmodel.JSON.Tag(f.RawTag); {
	case tag.Name != "": // encoding/json nests it too, so it may be intended
		confidence = 0.4
	case !tagged(s) && !slices.ContainsFunc(f.Siblings(), func(other *docmodel.Field) bool { return other.Tag.Key == "bson" }):
		confidence = 0.4 // nothing here was written for bson: it may be sent rather than stored
	case !tagged(s) && f.Document.TagOnly():
		confidence = 0.4 // a struct for another format, such as a token's claims, in a type that is not stored
	}
	report := check.Finding{
		Field: f, Severity: severity, Confidence: confidence, Message: message,
		Advice: fmt.Sprintf("Tag it `bson:\",inline\"` and move up what is stored below %s. If a sub-document is intended, name it in the tag.", f.Name),
		Evidence: []finding.Evidence{
			{Name: "stored as", Value: f.Path}, {Name: "fields", Value: exported(s)},
		},
		Fix: p.Retag(f, "store the fields of "+f.GoName()+" next to the others", "bson", "", append(slices.Clip(f.Tag.Options), "inline")...),
	}
	if conflicts(f) {
		report.Fix = report.Fix.Plan()
	}
	p.Report(report)
}

// lost reports an embedded struct whose fields are never stored.
func lost(p *check.Pass, f *docmodel.Field) {
	s, ok := f.Elem.Underlying().(*types.Struct)
	if !ok || f.Lists+f.Maps > 0 || exported(s) == 0 {
		return
	}
	confidence := 0.7
	if tagged(s) || len(f.Tag.Options) > 0 || f.Tag.Name != "" {
		confidence = 0.95
	}
	if !f.Document.Written {
		confidence = 0.5
	}
	names := make([]string, 0, len(f.Fields))
	for _, inner := range f.Fields {
		names = append(names, inner.GoName())
	}
	f.Path = f.GoName()
	p.Report(check.Finding{
		Field: f, Severity: finding.Error, Confidence: confidence,
		Message: fmt.Sprintf("%s is embedded and unexported: bson stores none of its fields (%s), with or without inline", f.GoName(), shown(names)),
		Advice:  fmt.Sprintf("Export the type %s and tag the field `bson:\",inline\"`.", f.GoName()),
		Evidence: []finding.Evidence{
			{Name: "fields that are not stored", Value: names},
		},
		Fix: check.Plan("export %s and inline it", f.GoName()),
	})
}

func shown(names []string) string {
	if len(names) > 3 {
		return strings.Join(names[:3], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}

// misspelt reports whether a tag asks for inline in a way without effect, which
// unknown-tag-option reports.
func misspelt(tag docmodel.Tag) bool {
	return slices.ContainsFunc(append([]string{tag.Name}, tag.Options...), func(option string) bool {
		return strings.EqualFold(strings.TrimSpace(option), "inline")
	})
}

// known reports whether code uses a path below the field, in any document that holds its
// type. Its author then knows about the nesting.
func known(p *check.Pass, f *docmodel.Field) bool {
	return slices.ContainsFunc(p.Program.Occurrences(f.Var), func(f *docmodel.Field) bool {
		return p.Program.MentionsBelow(f.Dotted) || slices.ContainsFunc(f.Fields, func(inner *docmodel.Field) bool {
			return len(inner.Updates) > 0 || p.Program.Spells(inner.Dotted)
		})
	})
}

// conflicts reports whether a field next to the embedded struct has the name of
// a field inside. If the struct were flattened, one would hide the other.
func conflicts(f *docmodel.Field) bool {
	return slices.ContainsFunc(f.Siblings(), func(other *docmodel.Field) bool {
		return other != f && slices.ContainsFunc(f.Fields, func(inner *docmodel.Field) bool { return inner.Name == other.Name })
	})
}

// idOf returns the Go name of the field that a struct stores as _id.
func idOf(s *types.Struct) string {
	for i := range s.NumFields() {
		if docmodel.BSON.Tag(s.Tag(i)).Name == "_id" && s.Field(i).Exported() {
			return s.Field(i).Name()
		}
	}
	return ""
}

func exported(s *types.Struct) int {
	n := 0
	for i := range s.NumFields() {
		if s.Field(i).Exported() && !docmodel.BSON.Tag(s.Tag(i)).Skips() {
			n++
		}
	}
	return n
}

func tagged(s *types.Struct) bool {
	for i := range s.NumFields() {
		if docmodel.BSON.Tag(s.Tag(i)).Key == "bson" {
			return true
		}
	}
	return false
}
