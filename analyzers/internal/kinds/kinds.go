// Package kinds finds the types that share a collection, and the fields that
// distinguish them.
package kinds

import (
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/lexicon"
)

// Others returns the types of different shape that are written to the same
// collection.
func Others(program *docmodel.Program, d *docmodel.Document, collection string) []*docmodel.Document {
	var found []*docmodel.Document
	for _, other := range program.Documents() {
		if other != d && other.Written && other.DB == d.DB && slices.Contains(other.Collections, collection) &&
			other.Beside(d) && !other.KeyedApart(d) && overlap(program.Words(), d, other) <= 0.3 {
			found = append(found, other)
		}
	}
	return found
}

// overlap returns the share of fields that two types have in common, in whatever spelling,
// without bookkeeping fields and discriminators.
func overlap(words *lexicon.Lexicon, a, b *docmodel.Document) float64 {
	names := map[string]int{}
	for _, d := range []*docmodel.Document{a, b} {
		for _, f := range d.Fields {
			if !f.Has(words, lexicon.Metadata) && !f.Has(words, lexicon.System) && f.Name != "_id" && !Named(words, f) {
				names[lexicon.Fold(f.Name)]++
			}
		}
	}
	if len(names) == 0 {
		return 1
	}
	both := 0
	for _, n := range names {
		if n == 2 {
			both++
		}
	}
	return float64(both) / float64(len(names))
}

// Discriminators returns the fields of a document whose names are those of
// discriminators.
func Discriminators(words *lexicon.Lexicon, d *docmodel.Document) []*docmodel.Field {
	return slices.DeleteFunc(slices.Clone(d.Fields), func(f *docmodel.Field) bool { return !Named(words, f) })
}

// Named reports whether the name of a field is that of a discriminator.
func Named(words *lexicon.Lexicon, f *docmodel.Field) bool {
	return f.Scalar() && f.Kind == docmodel.String &&
		(words.HasIn(lexicon.Discriminator, f.Name, f.Document.Name) || words.HasIn(lexicon.Discriminator, f.GoName(), f.Document.Name))
}

// A Constant is a text that code sets a field to.
type Constant struct {
	Value string
	Expr  ast.Expr
	Pkg   *docmodel.Package
}

// Pos returns where the field is set to the constant.
func (c Constant) Pos() token.Pos { return c.Expr.Pos() }

// Constants lists the constants to which keyed literals of the field's struct
// and assignments set a field. all is false if the field is also set to
// something else.
func Constants(program *docmodel.Program, f *docmodel.Field) (found []Constant, all bool) {
	all = !slices.ContainsFunc(f.Writes, func(w *docmodel.FieldWrite) bool { return w.Value == nil })
	for _, v := range program.Values(f) {
		if text, ok := v.Pkg.Text(v.Expr); ok {
			found = append(found, Constant{Value: text, Expr: v.Expr, Pkg: v.Pkg})
		} else {
			all = false
		}
	}
	return found, all
}

// SetInLiterals returns edits that set a field in all literals of a type, or
// none if one of them cannot be edited.
func SetInLiterals(p *check.Pass, d *docmodel.Document, field, value string) []analysis.TextEdit {
	var edits []analysis.TextEdit
	for _, literal := range p.Program.Literals(d.Named) {
		if len(literal.Node.Elts) == 0 {
			continue // will be decoded into or filled in later
		}
		file := p.Package.File(literal.Node.Pos())
		if !literal.Keyed || literal.Pkg != p.Package || file == nil || ast.IsGenerated(file) {
			return nil
		}
		first, after := literal.Node.Elts[0].Pos(), " "
		if p.Line(first) != p.Line(literal.Node.Lbrace) {
			after = "\n"
		}
		edits = append(edits, analysis.TextEdit{Pos: first, End: first, NewText: []byte(field + ": " + value + "," + after)})
	}
	return edits
}

// One returns the only constant to which code sets a field, or "" if there is
// none or more than one. It is unknown for a field that several types share.
func One(program *docmodel.Program, f *docmodel.Field) string {
	if f.Kind != docmodel.String || f.Promoted {
		return ""
	}
	found, all := Constants(program, f)
	if !all || len(found) == 0 || slices.ContainsFunc(found, func(c Constant) bool { return c.Value != found[0].Value }) {
		return ""
	}
	return found[0].Value
}
