// Package kinds finds the types that share a collection, and the fields that
// tell them apart.
package kinds

import (
	"go/ast"
	"go/constant"
	"go/token"
	"slices"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/lexicon"
)

// Others are the types of different shape that are written to the same
// collection.
func Others(program *docmodel.Program, d *docmodel.Document, collection string) []*docmodel.Document {
	var found []*docmodel.Document
	for _, other := range program.Documents() {
		if other != d && other.Written && other.DB == d.DB && slices.Contains(other.Collections, collection) &&
			other.Beside(d) && overlap(program.Words(), d, other) <= 0.3 {
			found = append(found, other)
		}
	}
	return found
}

// overlap is the share of fields that two types have in common, without
// bookkeeping and what tells them apart.
func overlap(words *lexicon.Lexicon, a, b *docmodel.Document) float64 {
	names := map[string]int{}
	for _, d := range []*docmodel.Document{a, b} {
		for _, f := range d.Fields {
			if !f.Has(words, lexicon.Metadata) && !f.Has(words, lexicon.System) && f.Name != "_id" && !Named(words, f) {
				names[f.Name]++
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

// Discriminators are the fields of a document whose name says that they tell
// its kind.
func Discriminators(words *lexicon.Lexicon, d *docmodel.Document) []*docmodel.Field {
	var found []*docmodel.Field
	for _, f := range d.Fields {
		if Named(words, f) {
			found = append(found, f)
		}
	}
	return found
}

// Named reports whether a field is called as one that tells kinds apart.
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

// Pos is where the field is set to it.
func (c Constant) Pos() token.Pos { return c.Expr.Pos() }

// Constants lists the constants that keyed literals of the field's struct and
// assignments set a field to. all is false if it is also set to something
// else.
func Constants(program *docmodel.Program, f *docmodel.Field) (found []Constant, all bool) {
	all = true
	add := func(pkg *docmodel.Package, expr ast.Expr) {
		if expr != nil {
			if tv := pkg.Info.Types[expr]; tv.Value != nil && tv.Value.Kind() == constant.String {
				found = append(found, Constant{Value: constant.StringVal(tv.Value), Expr: expr, Pkg: pkg})
				return
			}
		}
		all = false
	}
	if f.Owner != nil {
		for _, literal := range program.Literals(f.Owner) {
			for _, element := range literal.Node.Elts {
				if pair, ok := element.(*ast.KeyValueExpr); ok {
					if id, ok := pair.Key.(*ast.Ident); ok && id.Name == f.GoName() {
						add(literal.Pkg, pair.Value)
					}
				}
			}
		}
	}
	for _, w := range f.Writes {
		add(w.Pkg, w.Value)
	}
	return found, all
}

// One is the one constant that code sets a field to, "" if there is none
// or more than one. Of a field that several types take in it is not known.
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
