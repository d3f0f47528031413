package docmodel

import (
	"go/ast"
	"go/types"
)

// writtenFrom returns the struct whose fields a literal document is made of, or
// nil: {"name": p.Name, "tags": p.Tags} stores p. The literal must contain most
// of what the struct would store, each under its stored name.
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
	if from == nil || held < 2 || held*4 < stored(from, codec)*3 {
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

// stored returns how many fields of a struct a codec stores.
func stored(named *types.Named, codec Codec) int {
	s, n := named.Underlying().(*types.Struct), 0
	for i := range s.NumFields() {
		if tag := codec.Tag(s.Tag(i)); s.Field(i).Exported() && !tag.Skips() {
			n++
		}
	}
	return n
}
