package missingdiscriminator

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/analyzers/internal/kinds"
	"github.com/shapevet/shapevet/analyzers/internal/refs"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
)

// fix adds the field and the constant of a type, and sets it in the literals
// that make documents. It changes what is stored. Without such literals there
// is no telling where documents come from, and nothing to edit.
func fix(p *docmodel.Pass, d *docmodel.Document, others []*docmodel.Document) *docmodel.Fix {
	plan := &docmodel.Fix{
		Title: fmt.Sprintf("add a field such as type to %s and set it to a constant of its own wherever a value is made", d.Name), Safety: finding.Plan,
	}
	field := name(p, d, others)
	own := refs.Own(d)
	if field.Name == "" || own == nil {
		return plan
	}
	noun := refs.Noun(d.Name)
	constant := "DocType" + noun
	edits := literals(p, d, field.Name, constant)
	if len(edits) == 0 {
		return plan
	}
	added, ok := p.AddFields(own, field)
	if !ok {
		return plan
	}
	words := lexicon.StyleCamel.Join(lexicon.Tokens(noun)...)
	source := fmt.Sprintf("// %[1]s is the %[2]s of %[3]s.\nconst %[1]s = %[4]q\n", constant, field.Stored, refs.An(d.Name), words)
	declared, ok := p.DeclareAfter(d, source, constant)
	if !ok {
		return plan
	}
	title := fmt.Sprintf("add %s.%s and set it to %q where documents are made", d.Name, field.Name, words)
	if found := p.Edit(title, finding.Unsafe, append([]analysis.TextEdit{added, declared}, edits...)...); found != nil {
		return found
	}
	return plan
}

// name is the field that tells kinds apart in the other types, else one whose
// name is free in all of them. It has no name if the type has such a field
// already.
func name(p *docmodel.Pass, d *docmodel.Document, others []*docmodel.Document) docmodel.NewField {
	words := p.Words()
	if slices.ContainsFunc(d.Fields, func(f *docmodel.Field) bool { return kinds.Named(words, f) }) {
		return docmodel.NewField{}
	}
	for _, other := range others {
		for _, f := range other.Fields {
			if kinds.Named(words, f) {
				return docmodel.NewField{Name: f.GoName(), Type: "string", Stored: f.Name}
			}
		}
	}
	all := append([]*docmodel.Document{d}, others...)
	for _, field := range []docmodel.NewField{{Name: "Type", Type: "string", Stored: "type"}, {Name: "DocType", Type: "string", Stored: "docType"}} {
		taken := slices.ContainsFunc(all, func(d *docmodel.Document) bool {
			return slices.ContainsFunc(d.Fields, func(f *docmodel.Field) bool {
				return f.GoName() == field.Name || strings.EqualFold(f.Name, field.Stored)
			})
		})
		if !taken {
			return field
		}
	}
	return docmodel.NewField{}
}

// literals are the edits that set a field in all literals of a type; none if
// one of them is out of reach.
func literals(p *docmodel.Pass, d *docmodel.Document, field, value string) []analysis.TextEdit {
	var edits []analysis.TextEdit
	for _, literal := range p.Program.Literals(d.Named) {
		if len(literal.Node.Elts) == 0 {
			continue // a value to decode into, or to fill in later
		}
		file := p.Package.File(literal.Node.Pos())
		if !literal.Keyed || literal.Pkg != p.Package || file == nil || ast.IsGenerated(file) {
			return nil
		}
		first := literal.Node.Elts[0].Pos()
		after := " "
		if p.Line(first) != p.Line(literal.Node.Lbrace) {
			after = "\n"
		}
		edits = append(edits, analysis.TextEdit{Pos: first, End: first, NewText: []byte(field + ": " + value + "," + after)})
	}
	return edits
}
