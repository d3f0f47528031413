package missingdiscriminator

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/analyzers/internal/kinds"
	"github.com/shapevet/shapevet/analyzers/internal/refs"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
)

// fix adds a discriminator field and a constant for a type, and sets it in the
// literals that make documents. This changes what is stored. Without such
// literals, the origin of documents is unknown and there is nothing to edit.
func fix(p *check.Pass, d *docmodel.Document, others []*docmodel.Document) *check.Fix {
	plan := check.Plan("add a field such as type to %s and set it to a constant of its own wherever a value is made", d.Name)
	field := name(p, d, others)
	own := refs.Own(d)
	if field.Name == "" || own == nil {
		return plan
	}
	noun := refs.Noun(d.Name)
	constant := "DocType" + noun
	edits := kinds.SetInLiterals(p, d, field.Name, constant)
	if len(edits) == 0 {
		return plan
	}
	added, ok := p.AddFields(own, field)
	if !ok {
		return plan
	}
	words := lexicon.StyleCamel.Join(lexicon.Tokens(noun)...)
	source := fmt.Sprintf("// %[1]s is the %[2]s of %[3]s.\nconst %[1]s = %[4]q\n", constant, field.Stored, refs.An(d.Name), words)
	declared, ok := p.DeclareAfter(d.Named, source, constant)
	if !ok {
		return plan
	}
	title := fmt.Sprintf("add %s.%s and set it to %q where documents are made", d.Name, field.Name, words)
	if found := p.Edit(title, finding.Unsafe, append([]analysis.TextEdit{added, declared}, edits...)...); found != nil {
		return found
	}
	return plan
}

// name returns the field that distinguishes kinds in the other types, or one
// whose name is free in all of them. It has no name if the type already has
// such a field.
func name(p *check.Pass, d *docmodel.Document, others []*docmodel.Document) check.NewField {
	words := p.Words()
	if slices.ContainsFunc(d.Fields, func(f *docmodel.Field) bool { return kinds.Named(words, f) }) {
		return check.NewField{}
	}
	for _, other := range others {
		if named := kinds.Discriminators(words, other); len(named) > 0 {
			return check.NewField{Name: named[0].GoName(), Type: "string", Stored: named[0].Name}
		}
	}
	all := append([]*docmodel.Document{d}, others...)
	for _, field := range []check.NewField{{Name: "Type", Type: "string", Stored: "type"}, {Name: "DocType", Type: "string", Stored: "docType"}} {
		taken := slices.ContainsFunc(all, func(d *docmodel.Document) bool {
			return slices.ContainsFunc(d.Fields, func(f *docmodel.Field) bool {
				return f.GoName() == field.Name || strings.EqualFold(f.Name, field.Stored)
			})
		})
		if !taken {
			return field
		}
	}
	return check.NewField{}
}
