package docmodel

import (
	"go/ast"
	"go/types"
	"slices"
)

// A tracer searches for an expression that a value comes from.
type tracer struct {
	*accumulation
	seen  map[traced]bool
	found func(*routine, ast.Expr) bool
	keys  *elementKeys // of a literal, that are followed too; fields of values are followed unless it is nil
}

// A traced is a variable or function result that a tracer has visited.
type traced struct {
	of     types.Object
	result int
	field  *types.Var // of that value, nil for the whole
}

func (t tracer) first(of types.Object, result int) bool {
	return t.firstField(of, result, nil)
}

func (t tracer) firstField(of types.Object, result int, field *types.Var) bool {
	at := traced{of, result, field}
	known := t.seen[at]
	t.seen[at] = true
	return !known
}

// source reports whether a value comes from the expression that is searched
// for. It follows variables, elements to their list, arguments up to callers, and results down into
// functions that are called with only the request. result selects one of
// several results of a call.
func (t tracer) source(r *routine, expr ast.Expr, result int) bool {
	if t.found(r, ast.Unparen(expr)) {
		return true
	}
	switch e := ast.Unparen(expr).(type) {
	case *ast.Ident:
		v := r.variable(e)
		if v == nil || !t.first(v, 0) {
			return false
		}
		if i, ok := r.params[v]; ok {
			return slices.ContainsFunc(t.callers[r.fn], func(s *site) bool {
				arg := s.argument(i)
				return arg != nil && t.source(s.in, arg, 0)
			})
		}
		if list := r.ranged[v]; list != nil {
			return t.source(r, list, 0)
		}
		return slices.ContainsFunc(r.set[v], func(e ast.Expr) bool { return t.source(r, e, r.resultIn(e, v)) })
	case *ast.UnaryExpr:
		return t.source(r, e.X, 0)
	case *ast.StarExpr:
		return t.source(r, e.X, 0)
	case *ast.TypeAssertExpr:
		return t.source(r, e.X, 0)
	case *ast.SelectorExpr:
		v := fieldVar(r.pkg.Info, e)
		return t.keys != nil && v != nil && t.field(r, e.X, v, 0)
	case *ast.CompositeLit:
		return t.literal(r, e)
	case *ast.CallExpr:
		return t.call(r, e, result)
	}
	return false
}

// field reports whether the field of a value comes from the expression that is
// searched for. It follows the value to the literals that make it.
func (t tracer) field(r *routine, value ast.Expr, field *types.Var, result int) bool {
	if t.found(r, ast.Unparen(value)) {
		return true // the id of the user who makes the request
	}
	switch e := ast.Unparen(value).(type) {
	case *ast.TypeAssertExpr:
		return t.field(r, e.X, field, 0)
	case *ast.Ident:
		v := r.variable(e)
		if v == nil || !t.firstField(v, 0, field) {
			return false
		}
		if i, ok := r.params[v]; ok {
			return slices.ContainsFunc(t.callers[r.fn], func(s *site) bool {
				arg := s.argument(i)
				return arg != nil && t.field(s.in, arg, field, 0)
			})
		}
		return slices.ContainsFunc(r.set[v], func(e ast.Expr) bool { return t.field(r, e, field, r.resultIn(e, v)) })
	case *ast.UnaryExpr:
		return t.field(r, e.X, field, 0)
	case *ast.CompositeLit:
		for name, value := range Keyed(e) {
			if v, _ := r.pkg.Info.ObjectOf(name).(*types.Var); v != nil && v.Origin() == field {
				return t.source(r, value, 0)
			}
		}
	case *ast.CallExpr:
		return slices.ContainsFunc(t.targets(&site{in: r, call: e, callee: r.pkg.Called(e)}), func(fn *types.Func) bool {
			inner := t.routines[fn]
			return inner != nil && t.firstField(fn, result, field) && slices.ContainsFunc(inner.returns, func(ret *ast.ReturnStmt) bool {
				return result < len(ret.Results) && t.field(inner, ret.Results[result], field, 0)
			})
		})
	}
	return false
}

// literal reports whether the value of a key in a literal comes from the expression
// that is searched for.
func (t tracer) literal(r *routine, lit *ast.CompositeLit) bool {
	if t.keys == nil {
		return false
	}
	for _, element := range lit.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		followed := false
		if id, ok := pair.Key.(*ast.Ident); ok {
			v, _ := r.pkg.Info.ObjectOf(id).(*types.Var)
			followed = v != nil && t.keys.fields[v.Origin()]
		} else {
			text, _ := r.pkg.Text(pair.Key)
			followed = t.keys.names[text]
		}
		if followed && t.source(r, pair.Value, 0) {
			return true
		}
	}
	return false
}

// call reports whether a result of a call comes from the expression that is
// searched for.
func (t tracer) call(r *routine, e *ast.CallExpr, result int) bool {
	own := false
	for _, fn := range t.targets(&site{in: r, call: e, callee: r.pkg.Called(e)}) {
		inner := t.routines[fn]
		if inner == nil {
			continue
		}
		own = true
		other := slices.ContainsFunc(e.Args, func(arg ast.Expr) bool { return !typeNamed(r, arg, "Context", "Ctx", "Request") })
		if !other && t.first(fn, result) && slices.ContainsFunc(inner.returns, func(ret *ast.ReturnStmt) bool {
			return result < len(ret.Results) && t.source(inner, ret.Results[result], 0)
		}) {
			return true
		}
	}
	if selector, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok && !own && len(e.Args) == 0 { // as in id.Hex()
		return t.source(r, selector.X, 0)
	}
	return !own && len(e.Args) == 1 && t.source(r, e.Args[0], 0) // as in ObjectIDFromHex(id)
}

// resultIn returns the number of the call result that a variable is set to.
func (r *routine) resultIn(call ast.Expr, v *types.Var) int {
	found := 0
	ast.Inspect(r.decl.Body, func(n ast.Node) bool {
		if set, ok := n.(*ast.AssignStmt); ok && len(set.Rhs) == 1 && set.Rhs[0] == call {
			found = max(0, slices.IndexFunc(set.Lhs, func(left ast.Expr) bool { return r.variable(left) == v }))
		}
		return n != nil && contains(n, call)
	})
	return found
}
