package docmodel

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"sync"
)

// A routine is a function reduced to where values come from and go to: what its
// variables are set to, and what it passes to which calls. It ignores branches.
type routine struct {
	fn     *types.Func // nil for initial values of variables
	decl   *ast.FuncDecl
	pkg    *Package
	params map[*types.Var]int // by number; the receiver is -1

	set     map[*types.Var][]ast.Expr // what a variable is set to
	derived map[*types.Var][]ast.Expr // what its parts are set to
	ranged  map[*types.Var]ast.Expr   // loop variables, and what they range over
	filled  map[*types.Var][]*site    // calls that take a variable's address
	lambdas map[*types.Var]lambda     // parameters of function literals
	calls   []*site
	returns []*ast.ReturnStmt
	literal []*ast.FuncLit
	looked  map[*types.Var]bool        // lists that are searched before something else happens
	anew    map[*types.Var]token.Pos   // lists that are emptied here, or only filled if they are empty
	bare    map[*types.Var]ast.Node    // the branch in which a list is already empty
	kinds   map[*types.Var]bool        // lists that are searched for an element with a constant in it
	named   map[*ast.Ident]*types.Func // functions that are named; once all are read, not those that are called
	given   []ast.Node                 // assignments and keyed values, in their order
	keys    map[*types.Var]*types.Var  // fields by which the elements of lists are searched, and the lists
}

// A lambda is a parameter of a function literal: its number, and the type of the
// literal.
type lambda struct {
	number    int
	signature *types.Signature
}

// A site is a call in a function.
type site struct {
	in     *routine
	call   *ast.CallExpr
	callee *types.Func
	loop   bool
}

// readRoutines starts to read the functions of packages, while the evidence is gathered,
// and returns what waits for them.
func readRoutines(packages []*Package) (wait func() []*routine) {
	read := sync.OnceValue(func() (all []*routine) {
		for _, pkg := range packages {
			for _, file := range pkg.Files {
				if pkg.Info == nil || isTestFile(pkg.Fset, file) {
					continue
				}
				for _, decl := range file.Decls {
					if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil {
						all = append(all, readRoutine(pkg, fn))
					}
				}
			}
		}
		return all
	})
	go func() {
		defer func() { _ = recover() }() // whoever waits gets the same panic
		read()
	}()
	return read
}

// readRoutine reads a function. It ignores the return statements of nested
// functions.
func readRoutine(pkg *Package, decl *ast.FuncDecl) *routine {
	r := &routine{
		decl: decl, pkg: pkg, params: map[*types.Var]int{}, set: map[*types.Var][]ast.Expr{}, derived: map[*types.Var][]ast.Expr{},
		ranged: map[*types.Var]ast.Expr{}, filled: map[*types.Var][]*site{}, lambdas: map[*types.Var]lambda{}, looked: map[*types.Var]bool{}, anew: map[*types.Var]token.Pos{},
		bare: map[*types.Var]ast.Node{}, keys: map[*types.Var]*types.Var{}, kinds: map[*types.Var]bool{}, named: map[*ast.Ident]*types.Func{},
	}
	r.fn, _ = pkg.Info.Defs[decl.Name].(*types.Func)
	if r.fn != nil {
		signature := r.fn.Type().(*types.Signature)
		if receiver := signature.Recv(); receiver != nil {
			r.params[receiver] = -1
		}
		for i := range signature.Params().Len() {
			r.params[signature.Params().At(i)] = i
		}
	}
	r.walk(decl.Body, 0, 0)
	return r
}

// walk reads statements. loops and literals count the loops and function
// literals around them.
func (r *routine) walk(root ast.Node, loops, literals int) {
	ast.Inspect(root, func(n ast.Node) bool {
		if n == root {
			return true
		}
		switch n := n.(type) {
		case *ast.FuncLit:
			r.literal = append(r.literal, n)
			if signature, ok := r.pkg.Info.TypeOf(n).(*types.Signature); ok {
				for i := range signature.Params().Len() {
					r.lambdas[signature.Params().At(i)] = lambda{i, signature}
				}
			}
			r.walk(n, loops, literals+1)
			return false
		case *ast.ForStmt:
			r.walk(n, loops+1, literals)
			return false
		case *ast.RangeStmt:
			for _, v := range []ast.Expr{n.Key, n.Value} {
				if v := r.variable(v); v != nil {
					r.ranged[v] = n.X
				}
			}
			r.searches(n)
			r.walk(n, loops+1, literals)
			return false
		case *ast.Ident:
			if fn, ok := r.pkg.Info.Uses[n].(*types.Func); ok {
				r.named[n] = fn
			}
		case *ast.KeyValueExpr:
			r.given = append(r.given, n)
		case *ast.AssignStmt:
			r.given = append(r.given, n)
			r.assign(n)
		case *ast.SendStmt:
			if v := r.variable(outermost(n.Chan)); v != nil {
				r.derived[v] = append(r.derived[v], n.Value)
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if v := r.variable(name); v != nil && len(n.Values) > 0 {
					r.set[v] = append(r.set[v], n.Values[min(i, len(n.Values)-1)])
				}
			}
		case *ast.ReturnStmt:
			if literals == 0 {
				r.returns = append(r.returns, n)
			}
		case *ast.IfStmt:
			r.asks(n.Cond)
			r.asksFilled(n)
			if set, ok := n.Init.(*ast.AssignStmt); ok && len(set.Rhs) == 1 {
				r.asks(set.Rhs[0])
			}
		case *ast.CallExpr:
			r.called(n, loops > 0)
		}
		return true
	})
}

// sources returns what a variable is set to, or ranges over.
func (r *routine) sources(v *types.Var) []ast.Expr {
	if over, ok := r.ranged[v]; ok {
		return append(slices.Clip(r.set[v]), over)
	}
	return r.set[v]
}

func (r *routine) variable(expr ast.Expr) *types.Var {
	id, ok := expr.(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := r.pkg.Info.ObjectOf(id).(*types.Var)
	return v
}

func (r *routine) assign(n *ast.AssignStmt) {
	for i, left := range n.Lhs {
		if len(n.Lhs) != len(n.Rhs) && i > 0 && isError(r.pkg.Info.TypeOf(left)) {
			continue
		}
		right := n.Rhs[min(i, len(n.Rhs)-1)]
		if v := r.variable(left); v != nil {
			r.set[v] = append(r.set[v], right)
			continue
		}
		v := fieldVar(r.pkg.Info, deref(left))
		if v != nil && empty(right) && !r.anew[v].IsValid() && (r.bare[v] == nil || !contains(r.bare[v], n)) {
			r.anew[v] = n.Pos()
		}
		if v := r.variable(outermost(left)); v != nil {
			r.derived[v] = append(r.derived[v], right)
		}
	}
}

func isError(t types.Type) bool {
	return t != nil && types.Identical(t, types.Universe.Lookup("error").Type())
}

// inner returns what an expression selects from, indexes or dereferences, one
// step, or nil.
func inner(expr ast.Expr) ast.Expr {
	switch e := ast.Unparen(expr).(type) {
	case *ast.SelectorExpr:
		return e.X
	case *ast.IndexExpr:
		return e.X
	case *ast.SliceExpr:
		return e.X
	case *ast.StarExpr:
		return e.X
	case *ast.UnaryExpr:
		return e.X
	case *ast.TypeAssertExpr:
		return e.X
	}
	return nil
}

// outermost applies inner as often as possible.
func outermost(expr ast.Expr) ast.Expr {
	for x := inner(expr); x != nil; x = inner(expr) {
		expr = x
	}
	return ast.Unparen(expr)
}

func (r *routine) called(call *ast.CallExpr, loop bool) {
	s := &site{in: r, call: call, callee: r.pkg.Called(call), loop: loop}
	r.calls = append(r.calls, s)
	for _, arg := range call.Args {
		switch arg := ast.Unparen(arg).(type) {
		case *ast.UnaryExpr:
			if v := r.variable(arg.X); v != nil && arg.Op == token.AND {
				r.filled[v] = append(r.filled[v], s)
			}
		case *ast.Ident:
			if v := r.variable(arg); v != nil {
				if _, ok := v.Type().Underlying().(*types.Pointer); ok {
					r.filled[v] = append(r.filled[v], s)
				}
			}
		}
	}
}

// asks records a list that is passed to a call in a condition:
// slices.Contains(x.Tags, tag), x.has(tag) and the like.
func (r *routine) asks(condition ast.Expr) {
	ast.Inspect(condition, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if name := calledName(call); name == "len" || name == "cap" {
			return false
		}
		for _, arg := range call.Args {
			if v := fieldVar(r.pkg.Info, deref(arg)); v != nil {
				r.looked[v] = true
			}
		}
		return true
	})
}

// searches records a list whose elements a loop compares with something in
// order to stop or to record a match, or collects into a set.
func (r *routine) searches(n *ast.RangeStmt) {
	v := fieldVar(r.pkg.Info, deref(n.X))
	if v == nil {
		return
	}
	ast.Inspect(n.Body, func(inner ast.Node) bool {
		if set, ok := inner.(*ast.AssignStmt); ok && len(set.Lhs) == 1 && n.Value != nil {
			index, ok := ast.Unparen(set.Lhs[0]).(*ast.IndexExpr)
			if value := r.variable(n.Value); ok && value != nil && r.variable(outermost(index.Index)) == value && value != r.variable(outermost(index.X)) {
				r.looked[v] = true
			}
		}
		branch, ok := inner.(*ast.IfStmt)
		if !ok {
			return true
		}
		if r.compares(branch.Cond) && leaves(branch.Body) {
			r.looked[v] = true
			r.keyed(v, n.Value, branch.Cond)
		}
		return true
	})
}

// keyed records the fields of an element that a search compares, and whether one is
// compared with a constant text.
func (r *routine) keyed(list *types.Var, element, condition ast.Expr) {
	for n := range ast.Preorder(condition) {
		equal, ok := n.(*ast.BinaryExpr)
		if !ok || equal.Op != token.EQL {
			continue
		}
		sides := [2]ast.Expr{equal.X, equal.Y}
		for i, side := range sides {
			v := r.variable(outermost(side))
			if key := fieldVar(r.pkg.Info, side); key != nil && v != nil && v == r.variable(orNil(element)) {
				r.keys[key] = list
				r.kinds[list] = r.kinds[list] || IsText(key.Type()) && r.pkg.Info.Types[sides[1-i]].Value != nil
			}
		}
	}
}

// empty reports whether an expression is an empty list: nil, []T{}, make([]T,
// 0), list[:0].
func empty(expr ast.Expr) bool {
	switch e := ast.Unparen(expr).(type) {
	case *ast.Ident:
		return e.Name == "nil"
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	case *ast.UnaryExpr:
		return empty(e.X)
	case *ast.CallExpr:
		return calledName(e) == "make"
	case *ast.SliceExpr:
		high, ok := orNil(e.High).(*ast.BasicLit)
		return ok && high.Value == "0"
	}
	return false
}

// asksFilled handles if len(x.F) > 0 { return }, after which code fills the
// list only once, and if x.F == nil { … }, where the list is already empty.
func (r *routine) asksFilled(n *ast.IfStmt) {
	condition, ok := ast.Unparen(n.Cond).(*ast.BinaryExpr)
	if !ok {
		return
	}
	list := condition.X
	if call, ok := ast.Unparen(list).(*ast.CallExpr); ok && calledName(call) == "len" && len(call.Args) == 1 {
		list = call.Args[0]
	}
	v := fieldVar(r.pkg.Info, deref(list))
	if v == nil || types.ExprString(condition.Y) != "0" && types.ExprString(condition.Y) != "nil" {
		return
	}
	switch condition.Op {
	case token.EQL:
		r.bare[v] = n.Body
	case token.GTR, token.NEQ:
		if returns(n.Body) && !r.anew[v].IsValid() {
			r.anew[v] = n.Pos()
		}
	}
}

// compares reports whether a condition compares two things for being the same. Two times
// do not count: there is always another time, as in a list with one element a day.
func (r *routine) compares(condition ast.Expr) (found bool) {
	ast.Inspect(condition, func(n ast.Node) bool {
		same := false
		switch n := n.(type) {
		case *ast.BinaryExpr:
			same = n.Op == token.EQL
		case *ast.CallExpr:
			same = strings.HasPrefix(calledName(n), "Equal")
		}
		found = found || same && !r.timed(n)
		return !found
	})
	return found
}

// timed reports whether code deals with a time.
func (r *routine) timed(code ast.Node) bool {
	for n := range ast.Preorder(code) {
		e, ok := n.(ast.Expr)
		if path, name := TypeName(orInvalid(r.pkg.Info.TypeOf(orNil(e)))); ok && path == "time" && name == "Time" {
			return true
		}
	}
	return false
}

// leaves reports whether a block ends a loop or records a match.
func leaves(body *ast.BlockStmt) bool {
	for _, statement := range body.List {
		switch s := statement.(type) {
		case *ast.ReturnStmt:
			return true
		case *ast.BranchStmt:
			return s.Tok == token.BREAK
		case *ast.AssignStmt:
			if id, ok := s.Rhs[0].(*ast.Ident); ok && id.Name == "true" {
				return true
			}
		}
	}
	return false
}
