package docmodel

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// reaching returns the values that a local variable may hold where it is used, if
// code sets it several times: those since the last one that is always executed before
// the use. ok is false if the order of the statements does not show which these are.
func (g *gatherer) reaching(use *ast.Ident) (values []ast.Expr, ok bool) {
	v, _ := g.pkg.Info.ObjectOf(use).(*types.Var)
	if v == nil || g.function == nil || v.Kind() != types.LocalVar || len(g.before[v]) < 2 {
		return nil, false
	}
	set, ok := g.settings(v)
	around := enclosing(g.function.Body, use.Pos())
	last := -1 // the last one that is always executed before the use
	for i, s := range set {
		if slices.ContainsFunc(s.around, func(n ast.Node) bool { return isFunction(n) && !slices.Contains(around, n) }) {
			return nil, false // a closure sets it whenever it is called
		}
		if s.end <= use.Pos() && len(s.around) <= len(around) && slices.Equal(s.around, around[:len(s.around)]) {
			last = i
		}
	}
	if !ok || last < 0 || again(around[len(set[last].around):]) {
		return nil, false
	}
	for _, s := range set[last:] {
		if s.end > use.Pos() {
			break
		}
		if s.value == nil {
			return nil, false
		}
		values = append(values, s.value)
	}
	return values, true
}

// A setting is a statement that sets a local variable.
type setting struct {
	value  ast.Expr // nil if it is not an expression of its own
	end    token.Pos
	around []ast.Node
}

// settings returns the statements that set a variable, in source order. ok is false
// if something else may change it.
func (g *gatherer) settings(v *types.Var) (set []setting, ok bool) {
	ok = true
	is := func(e ast.Expr) bool {
		id, isIdent := ast.Unparen(orNil(e)).(*ast.Ident)
		return isIdent && g.pkg.Info.ObjectOf(id) == v
	}
	add := func(n ast.Node, names, from []ast.Expr) {
		for i, name := range names {
			if !is(name) {
				continue
			}
			s := setting{end: n.End(), around: enclosing(g.function.Body, n.Pos())}
			if i < len(from) { // the first result of a call
				s.value = from[i]
			}
			set = append(set, s)
		}
	}
	ast.Inspect(g.function.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			add(n, n.Lhs, n.Rhs)
			ok = ok && (n.Tok == token.ASSIGN || n.Tok == token.DEFINE || !slices.ContainsFunc(n.Lhs, is))
		case *ast.UnaryExpr:
			ok = ok && !(n.Op == token.AND && is(n.X))
		case *ast.RangeStmt:
			ok = ok && !is(n.Key) && !is(n.Value)
		}
		return true
	})
	return set, ok
}

// enclosing returns the statements and function literals around a position, the
// outermost first.
func enclosing(root ast.Node, at token.Pos) (found []ast.Node) {
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil || at < n.Pos() || at >= n.End() {
			return false
		}
		switch n.(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause, *ast.IfStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit:
			found = append(found, n)
		}
		return true
	})
	return found
}

func isFunction(n ast.Node) bool {
	_, ok := n.(*ast.FuncLit)
	return ok
}

// again reports whether what is inside the nodes may run after what follows it.
func again(nodes []ast.Node) bool {
	return slices.ContainsFunc(nodes, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return true
		}
		return isFunction(n)
	})
}
