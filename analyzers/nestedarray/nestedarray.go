// Package nestedarray reports lists that are stored directly in lists.
package nestedarray

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
)

// Rule reports lists of lists.
var Rule = check.Rule{Name: "nested-array", Run: run}

func run(p *check.Pass) {
	for _, f := range p.Fields() {
		if !f.Nested || f.WritesItself() || p.Program.Retired(f) {
			continue
		}
		profile, known := p.Limits(f.Document)
		found := check.Finding{
			Field: f, Advice: advice(f), Fix: fix(p, f),
			Evidence: []finding.Evidence{check.TypeOf(f)},
		}
		switch {
		case known && !profile.ArraysInArrays:
			found.Severity, found.Confidence = finding.Error, 0.95
			found.Message = fmt.Sprintf("%s is a list of lists: %s rejects every %s that has it", f.Path, profile.Title, f.Document.Name)
		case f.Kind == docmodel.Number || f.Kind == docmodel.Bool || f.Kind == docmodel.Bytes:
			continue // points, rings, matrices and masks are fine
		default:
			found.Confidence = inner(f)
			found.Message = fmt.Sprintf("%s is a list of lists: an update that looks for an element reaches only the outer list", f.Path)
		}
		p.Report(found)
	}
}

// inner returns how likely it is that inner elements are queried: objects with
// their own id are, cells of a table are not.
func inner(f *docmodel.Field) float64 {
	if f.Kind == docmodel.Object && f.Struct != nil && docmodel.ID(f.Fields, f.Struct.Obj().Name()) != nil {
		return 0.6
	}
	return 0.4
}

func advice(f *docmodel.Field) string {
	if f.Kind == docmodel.Number && f.Document.DB == "firestore" {
		return fmt.Sprintf("Make the inner list a struct with a field for it, or store %s as one string, such as GeoJSON.", f.GoName())
	}
	return fmt.Sprintf("Make the inner list a struct with a field that says what its values are: []%s instead of %s.", rowName(f), types.TypeString(f.Type, types.RelativeTo(f.Var.Pkg())))
}

// rowName returns a struct name for the inner list: GridRow for Grid.Rows.
func rowName(f *docmodel.Field) string {
	tokens := lexicon.Tokens(f.GoName())
	if len(tokens) == 0 {
		return f.OwnerName() + "Row"
	}
	last := tokens[len(tokens)-1]
	if one := lexicon.Singular(last); one != last {
		tokens[len(tokens)-1] = one
	} else {
		tokens = append(tokens, "row")
	}
	return f.OwnerName() + lexicon.StylePascal.Join(tokens...)
}

// fix declares a struct for the inner list. This changes what is stored. The
// code still compiles because nothing else mentions the field.
func fix(p *check.Pass, f *docmodel.Field) *check.Fix {
	name := rowName(f)
	plan := check.Plan("store each inner list of %s in a struct %s and convert stored documents", f.Path, name)
	if f.Owner == nil || !p.Retypable(f) {
		return plan
	}
	outer, ok := f.Syntax.Type.(*ast.ArrayType)
	if !ok || outer.Len != nil {
		return plan
	}
	list, ok := outer.Elt.(*ast.ArrayType)
	if !ok || list.Len != nil {
		return plan
	}
	source := fmt.Sprintf("// %s is one of the %s of a %s.\ntype %s struct {\n\tValues %s %s\n}\n",
		name, f.GoName(), f.OwnerName(), name, types.ExprString(list), strings.ReplaceAll(f.Tags(f.NameLike("values")), ",omitempty", ""))
	declared, ok := p.DeclareAfter(f.Owner, source, name)
	if !ok {
		return plan
	}
	found := check.Rewrite(outer, "[]"+name, "store %s as a list of the struct %s", f.Path, name)
	found.Edits = append(found.Edits, declared)
	return found
}
