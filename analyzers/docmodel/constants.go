package docmodel

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Enumeration reports whether a type is a defined type with constants, that is,
// a closed set of values.
func Enumeration(t types.Type) bool {
	n := Named(t)
	if n == nil || n.Obj().Pkg() == nil {
		return false
	}
	if _, ok := n.Underlying().(*types.Basic); !ok {
		return false
	}
	scope := n.Obj().Pkg().Scope()
	return slices.ContainsFunc(scope.Names(), func(name string) bool {
		c, ok := scope.Lookup(name).(*types.Const)
		return ok && types.Identical(c.Type(), n)
	})
}

// SpelledOut reports whether code spells out all values of a key: the key is a
// constant, or its variable, parameter or field is only ever set to constants.
func (p *Program) SpelledOut(key KeyUse) bool {
	s := spelling{p.accumulates(), map[types.Object]bool{}}
	r := s.around(key.Pkg, key.Expr)
	return r != nil && s.closed(r, key.Expr)
}

// SpellsOut reports whether code spells out all elements that a place adds to a
// list, or refuses those that it does not spell out.
func (p *Program) SpellsOut(g Growth) bool {
	added := p.added(g)
	return len(added) > 0 && !slices.ContainsFunc(added, func(e ast.Expr) bool {
		return !p.SpelledOut(KeyUse{Expr: e, Pkg: g.pkg})
	})
}

// Requested reports whether a key is from a map in a request, so that the
// sender chooses the names.
func (p *Program) Requested(key KeyUse) bool {
	r := p.accumulates().around(key.Pkg, key.Expr)
	if r == nil {
		return false
	}
	for e := r.ranged[r.variable(ast.Unparen(key.Expr))]; e != nil; e = inner(e) {
		if typeNamed(r, e, "Request", "Req", "Input", "Body", "Payload") {
			return true
		}
	}
	return false
}

// ReadBack reports whether a key is a part of a document that code has read, so
// that other code has stored it before.
func (p *Program) ReadBack(key KeyUse) bool {
	a := p.accumulates()
	r := a.around(key.Pkg, key.Expr)
	return r != nil && a.comesFrom(r, key.Expr, map[*types.Var]bool{}) == loaded
}

// Dated reports whether a key is a time that code writes with its year, as
// now.Format("2006-01") does. There are always new ones, whatever the key is called.
func (p *Program) Dated(key KeyUse) bool {
	a := p.accumulates()
	r := a.around(key.Pkg, key.Expr)
	return r != nil && a.dated(r, key.Expr, map[*types.Var]bool{})
}

func (a *accumulation) dated(r *routine, expr ast.Expr, seen map[*types.Var]bool) bool {
	switch e := ast.Unparen(expr).(type) {
	case *ast.Ident:
		v := r.variable(e)
		if v == nil || seen[v] {
			return false
		}
		seen[v] = true
		if i, ok := r.params[v]; ok && slices.ContainsFunc(a.callers[r.fn], func(c *site) bool {
			arg := c.argument(i)
			return arg != nil && a.dated(c.in, arg, seen)
		}) {
			return true
		}
		return slices.ContainsFunc(r.set[v], func(value ast.Expr) bool { return a.dated(r, value, seen) })
	case *ast.CallExpr:
		fn := r.pkg.Called(e)
		if fn == nil || fn.FullName() != "(time.Time).Format" || len(e.Args) == 0 { // code that does not compile may lack it
			return false
		}
		layout, ok := r.pkg.Text(e.Args[0])
		return ok && strings.Contains(layout, "06") // 2006, or 06 in short
	}
	return false
}

// A spelling searches for where a value comes from.
type spelling struct {
	*accumulation
	seen map[types.Object]bool
}

// around returns the function that contains an expression, or nil.
func (a *accumulation) around(pkg *Package, n ast.Node) *routine {
	after, _ := slices.BinarySearchFunc(a.ordered, n.Pos(), func(r *routine, pos token.Pos) int { return cmp.Compare(r.decl.Pos(), pos+1) })
	if after > 0 && a.ordered[after-1].pkg == pkg && contains(a.ordered[after-1].decl, n) {
		return a.ordered[after-1]
	}
	return nil
}

func (s spelling) closed(r *routine, expr ast.Expr) bool {
	tv := r.pkg.Info.Types[expr]
	if tv.Value != nil || tv.Type != nil && Enumeration(tv.Type) || r.admits(expr) {
		return true
	}
	all := func(values []ast.Expr) bool {
		return len(values) > 0 && !slices.ContainsFunc(values, func(e ast.Expr) bool { return !s.closed(r, e) })
	}
	switch e := ast.Unparen(expr).(type) {
	case *ast.Ident:
		v := r.variable(e)
		if v == nil || s.seen[v] || len(r.filled[v]) > 0 {
			return false
		}
		s.seen[v] = true
		if i, ok := r.params[v]; ok {
			return len(r.set[v]) == 0 && s.passed(r, i)
		}
		if list, ok := deref(orNil(r.ranged[v])).(*ast.CompositeLit); ok {
			return all(list.Elts)
		}
		other := func(e ast.Expr) bool { return r.resultIn(e, v) > 0 }
		return r.ranged[v] == nil && !slices.ContainsFunc(r.set[v], other) && all(r.set[v])
	case *ast.SelectorExpr:
		v := fieldVar(r.pkg.Info, e)
		if v == nil || s.seen[v] {
			return false
		}
		s.seen[v] = true
		return s.field(v, structNamed(r.pkg.Info.TypeOf(e.X)))
	case *ast.StarExpr:
		return s.closed(r, e.X)
	case *ast.CallExpr:
		if r.pkg.Converts(e) { // such as string(kind)
			return s.closed(r, e.Args[0])
		}
		selector, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
		if ok && len(e.Args) == 0 && selector.Sel.Name == "String" && Enumeration(r.pkg.Info.TypeOf(selector.X)) {
			return true
		}
		return s.returned(&site{in: r, call: e, callee: r.pkg.Called(e)})
	}
	return false
}

// admits reports whether a function returns, before it uses a value, unless a map
// or list that it spells out has the value: if !allowed[kind] { return }.
func (r *routine) admits(value ast.Expr) bool {
	return slices.ContainsFunc(r.decl.Body.List, func(statement ast.Stmt) bool {
		branch, ok := statement.(*ast.IfStmt)
		if !ok || branch.End() > value.Pos() || !returns(branch.Body) {
			return false
		}
		not, ok := ast.Unparen(branch.Cond).(*ast.UnaryExpr)
		if !ok {
			return false
		}
		set, key := membership(r, branch.Init, not.X)
		if key == nil || types.ExprString(key) != types.ExprString(ast.Unparen(value)) {
			return false
		}
		v := r.variable(set)
		return len(r.set[v]) > 0 && !r.entered(v) && !slices.ContainsFunc(r.set[v], func(e ast.Expr) bool { return !listed(r, e) })
	})
}

// entered reports whether a function sets entries of a map or list.
func (r *routine) entered(v *types.Var) bool {
	for n := range ast.Preorder(r.decl.Body) {
		if assign, ok := n.(*ast.AssignStmt); ok && slices.ContainsFunc(assign.Lhs, func(left ast.Expr) bool {
			entry, ok := ast.Unparen(left).(*ast.IndexExpr)
			return ok && r.variable(ast.Unparen(entry.X)) == v
		}) {
			return true
		}
	}
	return false
}

// membership returns the map or list and the value of a test whether one has the
// other: set[value], slices.Contains(set, value), or ok after _, ok := set[value].
func membership(r *routine, init ast.Stmt, test ast.Expr) (set, value ast.Expr) {
	if assign, ok := init.(*ast.AssignStmt); ok && len(assign.Lhs) == 2 && len(assign.Rhs) == 1 && r.variable(assign.Lhs[1]) == r.variable(ast.Unparen(test)) {
		test = assign.Rhs[0]
	}
	switch test := ast.Unparen(test).(type) {
	case *ast.IndexExpr:
		return ast.Unparen(test.X), ast.Unparen(test.Index)
	case *ast.CallExpr:
		if calledName(test) == "Contains" && len(test.Args) == 2 {
			return ast.Unparen(test.Args[0]), ast.Unparen(test.Args[1])
		}
	}
	return nil, nil
}

// listed reports whether a literal spells out its keys or elements.
func listed(r *routine, value ast.Expr) bool {
	lit, ok := ast.Unparen(value).(*ast.CompositeLit)
	return ok && !slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool {
		if entry, ok := e.(*ast.KeyValueExpr); ok {
			e = entry.Key
		}
		return r.pkg.Info.Types[e].Value == nil
	})
}

// passed reports whether all arguments for a parameter are spelled out.
func (s spelling) passed(r *routine, i int) bool {
	callers := s.callers[r.fn]
	return len(callers) > 0 && !slices.ContainsFunc(callers, func(c *site) bool {
		arg := c.argument(i)
		return arg == nil || !s.closed(c.in, arg)
	})
}

// returned reports whether a function's first results are all spelled out.
func (s spelling) returned(call *site) bool {
	targets := s.targets(call)
	return len(targets) > 0 && !slices.ContainsFunc(targets, func(fn *types.Func) bool {
		r, again := s.routines[fn], s.seen[fn]
		s.seen[fn] = true
		return again || r == nil || len(r.returns) == 0 || slices.ContainsFunc(r.returns, func(ret *ast.ReturnStmt) bool {
			return len(ret.Results) == 0 || !s.closed(r, ret.Results[0])
		})
	})
}

// field reports whether everything that a struct field is set to is spelled
// out, and the struct is not decoded from outside input.
func (s spelling) field(v *types.Var, owner *types.Named) bool {
	if owner == nil || s.program.decoded[TypeKey(owner)] {
		return false
	}
	found, open := false, false
	note := func(pkg *Package, value ast.Expr) {
		r := s.around(pkg, value)
		found, open = true, open || r == nil || !s.closed(r, value)
	}
	for _, w := range s.program.writes {
		if w.Field == v && !open {
			note(w.Pkg, orNil(w.Value))
		}
	}
	structure := owner.Underlying().(*types.Struct)
	for _, l := range s.program.literals[TypeKey(owner)] {
		if value := SetTo(l.Node, v.Name()); value != nil && !open {
			note(l.Pkg, value)
		}
		for i, element := range l.Node.Elts {
			if !l.Keyed && i < structure.NumFields() && structure.Field(i).Origin() == v && !open {
				note(l.Pkg, element)
			}
		}
	}
	return found && !open
}
