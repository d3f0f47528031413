package docmodel

import (
	"go/ast"
	"go/types"
	"slices"
)

// writtenFrom returns the struct whose fields a literal document is made of, or
// nil: {"name": p.Name, "tags": p.Tags} stores p. The literal must contain most
// of what the struct would store, each under its stored name, and nothing of another
// type: {"name": p.Name, "tags": text} stores something else.
func (g *gatherer) writtenFrom(expr ast.Expr, codec Codec) []source {
	entries := g.entries(expr)
	if len(entries) < 2 {
		return nil
	}
	var from *types.Named
	held := 0
	for _, e := range entries {
		selector, ok := ast.Unparen(e.value).(*ast.SelectorExpr)
		if !ok || e.dynamic {
			continue
		}
		v := fieldVar(g.pkg.Info, selector)
		named := Named(Pointed(g.pkg.Info.TypeOf(selector.X)))
		if v == nil || named == nil || from != nil && TypeKey(named) != TypeKey(from) {
			continue
		}
		if tag, ok := tagOf(named, v); ok && codec.StoredName(v, codec.Tag(tag)) == e.key {
			from = named
			held++
		}
	}
	if from == nil || held < 2 {
		return nil
	}
	stored, s := 0, from.Underlying().(*types.Struct)
	for i := range s.NumFields() {
		tag := codec.Tag(s.Tag(i))
		if !s.Field(i).Exported() || tag.Skips() {
			continue
		}
		stored++
		name := codec.StoredName(s.Field(i), tag)
		if slices.ContainsFunc(entries, func(e entry) bool { return e.key == name && !g.alike(e.value, s.Field(i).Type()) }) {
			return nil
		}
	}
	if held*4 < stored*3 {
		return nil
	}
	return []source{{typ: from, at: expr.Pos()}}
}

// tagOf returns the tag of a field that a struct declares itself.
func tagOf(named *types.Named, v *types.Var) (string, bool) {
	s, ok := named.Underlying().(*types.Struct)
	if !ok {
		return "", false
	}
	for i := range s.NumFields() {
		if s.Field(i).Origin() == v {
			return s.Tag(i), true
		}
	}
	return "", false
}

// alike reports whether a value is stored in the way a value of a type is.
func (g *gatherer) alike(value ast.Expr, t types.Type) bool {
	of := g.pkg.Info.TypeOf(value)
	return of == nil || types.Identical(Pointed(of).Underlying(), Pointed(t).Underlying())
}
