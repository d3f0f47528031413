package docmodel

import (
	"go/ast"
	"go/types"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// A wording is how code writes out a struct as a document.
type wording map[*types.Var]worded

// worded is how code writes out a field.
type worded struct {
	name string
	by   *types.Func // the function that writes out its value; nil if that is left to the database's library
}

// writtenFrom returns the struct whose fields a literal document is made of, or
// nil: {"name": p.Name, "tags": p.Tags} stores p. The literal must contain most
// of what the struct holds, each under a name like its own, and nothing of another
// type: {"name": p.Name, "tags": text} stores something else.
func (g *gatherer) writtenFrom(expr ast.Expr) []source {
	var from *types.Named
	names := wording{}
	for _, e := range g.entries(expr) {
		value, by := g.unconverted(e.value)
		selector, ok := value.(*ast.SelectorExpr)
		if !ok || e.dynamic {
			continue
		}
		v := fieldVar(g.pkg.Info, selector)
		named := Named(Pointed(g.pkg.Info.TypeOf(selector.X)))
		if v != nil && named != nil && (from == nil || TypeKey(named) == TypeKey(from)) && namedAlike(named, v, e.key) {
			from, names[v] = named, worded{e.key, by}
		}
	}
	if from == nil || len(names) < 2 {
		return nil
	}
	stored := 0
	for v := range heldFields(from) {
		if v.Exported() {
			stored++
		}
		if slices.ContainsFunc(g.entries(expr), func(e entry) bool { return namedAlike(from, v, e.key) && !g.alike(e.value, v.Type()) }) {
			return nil
		}
	}
	if len(names)*4 < stored*3 {
		return nil
	}
	return []source{{typ: from, names: names, at: expr.Pos()}}
}

// heldFields returns the fields of a struct, and of those that it embeds in place of these.
func heldFields(named *types.Named) iter.Seq[*types.Var] {
	return func(yield func(*types.Var) bool) { eachLeaf(named, 0, yield) }
}

func eachLeaf(named *types.Named, depth int, yield func(*types.Var) bool) bool {
	s, ok := named.Underlying().(*types.Struct)
	for i := 0; ok && i < s.NumFields(); i++ {
		if inner := structNamed(s.Field(i).Type()); s.Field(i).Embedded() && inner != nil && depth < maxDepth {
			if !eachLeaf(inner, depth+1, yield) {
				return false
			}
		} else if !yield(s.Field(i).Origin()) {
			return false
		}
	}
	return true
}

// namedAlike reports whether a name in a document is that of a struct's field, in any
// spelling, or the one that a tag gives it.
func namedAlike(named *types.Named, v *types.Var, key string) bool {
	if strings.EqualFold(strings.Trim(strings.ReplaceAll(key, "_", ""), "$"), v.Name()) {
		return true
	}
	tag, _ := tagOf(named, v)
	return slices.ContainsFunc(allTagKeys(), func(tagKey string) bool {
		value, ok := reflect.StructTag(tag).Lookup(tagKey)
		return ok && key != "" && parseTag(tagKey, value).Name == key
	})
}

// unconverted returns what a function of the program writes out as documents, with that
// function, and other values unchanged: p.Tasks for tasksToMaps(p.Tasks).
func (g *gatherer) unconverted(value ast.Expr) (ast.Expr, *types.Func) {
	value = ast.Unparen(value)
	call, ok := value.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return value, nil
	}
	to, from := takeApart(g.pkg.Info.TypeOf(call)), takeApart(g.pkg.Info.TypeOf(call.Args[0]))
	fn := g.pkg.Called(call)
	if fn == nil || !g.isOwn(fn) || !isAny(orInvalid(to.elem)) || to.maps == 0 || to.lists != from.lists {
		return value, nil
	}
	return ast.Unparen(call.Args[0]), fn
}

// wordingBy returns how a function writes out values of a struct. It is empty if that
// is not known.
func (p *Program) wordingBy(fn *types.Func, of types.Type) wording {
	all, named := wording{}, structNamed(of)
	for _, s := range p.flow.reach([]source{{from: node{fn, 1}}}) {
		if written := structNamed(s.typ); written != nil && named != nil && TypeKey(written) == TypeKey(named) {
			maps.Copy(all, s.names)
		}
	}
	return all
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
	value, _ = g.unconverted(value)
	of := g.pkg.Info.TypeOf(value)
	return of == nil || types.Identical(Pointed(of).Underlying(), Pointed(t).Underlying())
}

// isDocument reports whether a type is a document that is written out: a map from names
// to anything.
func isDocument(t types.Type) bool {
	m, ok := Pointed(orInvalid(t)).Underlying().(*types.Map)
	if !ok || !IsText(m.Key()) {
		return false
	}
	named := Named(Pointed(m.Elem()))
	return isAny(m.Elem()) || named != nil && encoded(named)
}
