package docmodel

import (
	"go/ast"
	"go/types"
	"slices"
)

// Programs often work with one type and store another. They copy a list of the
// first into the second before storing and back after reading, so what code
// adds to one is added to the other.

// mirror finds the lists of other types that are copied to stored ones and
// back.
func (a *accumulation) mirror() {
	for stored := range a.program.byVar {
		if takeApart(stored.Type()).lists == 0 {
			continue
		}
		for _, into := range a.taken(stored) {
			if len(a.program.byVar[into.field]) > 0 || slices.Contains(a.mirrors[stored], into.field) {
				continue
			}
			back := slices.DeleteFunc(a.taken(into.field), func(t taking) bool { return t.field != stored })
			for _, t := range back {
				a.converts[t.in.fn] = true
			}
			if len(back) > 0 {
				a.mirrored[into.field] = true
				a.mirrors[stored] = append(a.mirrors[stored], into.field)
			}
		}
	}
}

// A taking is a field whose list or map a function copies into another.
type taking struct {
	in    *routine
	field *types.Var
}

// taken returns the fields that a list or a map is set to.
func (a *accumulation) taken(field *types.Var) []taking {
	var found []taking
	for _, h := range a.held[field] {
		found = append(found, a.fields(h.in, h.expr, map[types.Object]bool{})...)
	}
	return found
}

// fields returns the fields whose elements make up a list or a map, unchanged
// or converted: x.Tags, the result of a function or method, a variable or
// argument with such a value.
func (a *accumulation) fields(r *routine, expr ast.Expr, seen map[types.Object]bool) (found []taking) {
	if !holdsElements(r.pkg.Info.TypeOf(expr)) {
		return nil
	}
	if v := fieldVar(r.pkg.Info, deref(expr)); v != nil {
		return []taking{{r, v}}
	}
	follow := func(expr ast.Expr) { found = append(found, a.fields(r, expr, seen)...) }
	elements := func(expr ast.Expr) { // of a loop
		ast.Inspect(expr, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && r.ranged[r.variable(id)] != nil {
				follow(r.ranged[r.variable(id)])
			}
			return true
		})
	}
	switch e := ast.Unparen(expr).(type) {
	case *ast.Ident:
		v := r.variable(e)
		if v == nil || seen[v] {
			break
		}
		seen[v] = true
		for _, value := range r.set[v] {
			follow(value)
		}
		for _, element := range r.derived[v] {
			elements(element)
		}
		if number, ok := r.params[v]; ok {
			for _, s := range a.callers[r.fn] {
				if arg := s.argument(number); arg != nil {
					found = append(found, a.fields(s.in, arg, seen)...)
				}
			}
		}
	case *ast.CallExpr:
		for _, arg := range e.Args {
			follow(arg)
			if calledName(e) == "append" {
				elements(arg)
			}
		}
		if getter := a.routines[r.pkg.Called(e)]; getter != nil && len(e.Args) == 0 && !seen[getter.fn] {
			seen[getter.fn] = true
			for _, ret := range getter.returns {
				for _, value := range ret.Results {
					for _, t := range a.fields(getter, value, seen) {
						found = append(found, taking{r, t.field})
					}
				}
			}
		}
	}
	return found
}

// holdsElements reports whether a type is a list, a map, or a pointer to one.
func holdsElements(t types.Type) bool {
	s := takeApart(t)
	return s.lists+s.maps > 0
}

// standing returns a list of a document and the lists of other types that are
// copied into it.
func (a *accumulation) standing(f *Field) []*types.Var {
	return append([]*types.Var{f.Var}, a.mirrors[f.Var.Origin()]...)
}

// writesTo returns the statements that change a list, or one that is copied
// into it.
func (a *accumulation) writesTo(f *Field) []*FieldWrite {
	writes := slices.Clip(f.Writes)
	for _, other := range a.mirrors[f.Var.Origin()] {
		for _, w := range a.program.writes {
			if w.Field == other {
				writes = append(writes, w)
			}
		}
	}
	return writes
}
