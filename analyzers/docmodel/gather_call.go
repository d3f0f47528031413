package docmodel

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// call records what flows into parameters, and whether the call stores a
// document.
func (g *gatherer) call(call *ast.CallExpr) {
	fn := g.pkg.Called(call)
	g.clientOption(call)
	g.queryCall(call, fn)
	g.search(call)
	g.readText(call, fn)
	g.readInto(call)
	g.decodes(call)
	g.deletes(call)
	g.updateCall(call, fn)
	for _, arg := range call.Args {
		if list := g.appended(arg); list != nil {
			g.given[arg] = list
		}
	}
	if fn == nil {
		if selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && g.unresolved(selector.X) {
			if s, ok := findUnresolved(selector.Sel.Name, g.imports); ok {
				g.sinkCall(call, s, nil, false)
			}
		}
		return
	}
	if s, ok := findSink(fn); ok {
		g.sinkCall(call, s, fn, false)
		return
	}
	if s, ok := g.declaredSink(fn); ok {
		g.sinkCall(call, s, fn, false)
	}
	if g.isLibrary(fn) {
		if s, ok := guessSink(fn); ok {
			g.sinkCall(call, s, fn, true)
		}
	}
	if isInterfaceMethod(fn) {
		g.flow.dispatch[fn] = true
	}
	for i, arg := range call.Args {
		if p := parameter(fn.Signature(), i); p != nil && opaque(p.Type()) {
			g.flow.add(node{obj: p}, g.sources(arg))
			if value, ok := g.constantString(arg); ok {
				g.texts[p] = append(g.texts[p], text{value: value, pkg: g.pkg, in: g.fn, node: call, handles: g.handles(call)})
			}
		}
	}
}

// handles returns the sources of the database handles that a call passes.
func (g *gatherer) handles(call *ast.CallExpr) (found []source) {
	for _, arg := range call.Args {
		if isHandle(takeApart(orInvalid(g.pkg.Info.TypeOf(arg))).elem) {
			found = append(found, g.sources(arg)...)
		}
	}
	return found
}

// declaredSink looks up a function among those that the configuration names.
func (g *gatherer) declaredSink(fn *types.Func) (sink, bool) {
	if fn.Pkg() == nil {
		return sink{}, false
	}
	name := fn.Name()
	if receiver := receiverName(fn); receiver != "" {
		name = receiver + "." + name
	}
	for _, d := range g.sinks {
		if d.Function != fn.Pkg().Path()+"."+name {
			continue
		}
		argument := d.Argument - 1
		if argument < 0 {
			argument = fn.Signature().Params().Len() - 1
		}
		return sink{pattern: d.DB, argument: argument, kind: writes, codec: codecOf(d.DB)}, argument >= 0
	}
	return sink{}, false
}

func (g *gatherer) unresolved(expr ast.Expr) bool {
	return orInvalid(g.pkg.Info.TypeOf(expr)).Underlying() == types.Typ[types.Invalid]
}

func parameter(signature *types.Signature, i int) *types.Var {
	n := signature.Params().Len()
	if n == 0 || i >= n && !signature.Variadic() {
		return nil
	}
	return signature.Params().At(min(i, n-1))
}

func (g *gatherer) sinkCall(call *ast.CallExpr, s sink, fn *types.Func, guessed bool) {
	c := sinkCall{sink: s, guessed: guessed, pos: call.Pos(), pkg: g.pkg, in: g.fn, node: call, function: g.function}
	if s.argument < 0 {
		if list := g.pkg.Info.Instances[instanceIdent(call)].TypeArgs; list != nil && list.Len() > 0 {
			c.documents = []source{{typ: list.At(0), at: call.Pos()}}
			if p := typeParam(list.At(0)); p != nil {
				c.documents = []source{{from: node{obj: p.Obj()}}}
			}
		}
	} else if s.argument < len(call.Args) {
		for _, arg := range documentArguments(call, s, fn) {
			c.documents = append(c.documents, g.sources(arg)...)
			if s.kind == writes {
				c.documents = append(c.documents, g.writtenFrom(arg)...)
			}
		}
	}
	if s.keyed() && s.argument <= len(call.Args) {
		text, parts := g.path(call.Args[s.argument-1])
		c.key = keyText{beginning(text), len(parts) == 0}
	}
	if selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		c.handle = g.sources(selector.X)
	}
	for i, arg := range call.Args {
		if i != s.argument && isHandle(takeApart(orInvalid(g.pkg.Info.TypeOf(arg))).elem) {
			c.handle = append(c.handle, g.sources(arg)...)
		}
	}
	if s.kind == updates {
		c.upsert = fn != nil && strings.HasPrefix(fn.Name(), "Upsert") || g.asksUpsert(call.Args[min(s.argument+1, len(call.Args)):]) || g.chainUpserts(call)
		c.documents = nil
		if s.argument >= 0 && s.argument < len(call.Args) {
			c.documents = g.setDocuments(call.Args[s.argument])
		}
	}
	g.calls = append(g.calls, c)
}

// asksUpsert reports whether options of an update insert a document if none
// matches: SetUpsert(true), in the call or on the variable that is passed to
// it, or a field Upsert.
func (g *gatherer) asksUpsert(options []ast.Expr) bool {
	for _, option := range options {
		if g.setsUpsert(option) {
			return true
		}
		if v := g.variable(option); v != nil && g.function != nil && g.setsUpsertOf(v) {
			return true
		}
	}
	return false
}

// chainUpserts reports whether the chain of calls that a call is part of sets the option:
// NewUpdateOneModel().SetUpdate(u).SetUpsert(true).
func (g *gatherer) chainUpserts(call *ast.CallExpr) bool {
	if g.function == nil {
		return false
	}
	for n := range ast.Preorder(g.function.Body) {
		if whole, ok := n.(*ast.CallExpr); ok && whole.Pos() == call.Pos() {
			return g.setsUpsert(whole)
		}
	}
	return false
}

// setsUpsertOf reports whether the current function sets the upsert option of a
// variable.
func (g *gatherer) setsUpsertOf(v types.Object) bool {
	for n := range ast.Preorder(g.function.Body) {
		switch n := n.(type) {
		case *ast.ExprStmt:
			if g.variable(n.X) == v && g.setsUpsert(n.X) {
				return true
			}
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				selector, ok := left.(*ast.SelectorExpr)
				if ok && selector.Sel.Name == "Upsert" && g.variable(selector.X) == v ||
					len(n.Rhs) == len(n.Lhs) && g.variable(left) == v && g.setsUpsert(n.Rhs[i]) {
					return true
				}
			}
		}
	}
	return false
}

// setsUpsert reports whether an expression sets the option of an update that
// inserts a document if none matches.
func (g *gatherer) setsUpsert(expr ast.Expr) bool {
	for n := range ast.Preorder(expr) {
		switch n := n.(type) {
		case *ast.CallExpr:
			if calledName(n) == "SetUpsert" && len(n.Args) == 1 {
				if value := g.pkg.Info.Types[n.Args[0]].Value; value == nil || value.Kind() == constant.Bool && constant.BoolVal(value) {
					return true
				}
			}
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Upsert" {
				return true
			}
		}
	}
	return false
}

// variable returns the variable at the root of an expression: opts for
// opts.SetUpsert(true) and for &opts.
func (g *gatherer) variable(expr ast.Expr) types.Object {
	for {
		switch e := ast.Unparen(expr).(type) {
		case *ast.Ident:
			v, _ := g.pkg.Info.ObjectOf(e).(*types.Var)
			if v == nil {
				return nil
			}
			return v
		case *ast.UnaryExpr:
			expr = e.X
		case *ast.SelectorExpr:
			expr = e.X
		case *ast.CallExpr:
			expr = e.Fun
		default:
			return nil
		}
	}
}

func orInvalid(t types.Type) types.Type {
	if t == nil {
		return types.Typ[types.Invalid]
	}
	return t
}

// documentArguments returns the arguments that are documents. For a variadic
// parameter these are all that follow.
func documentArguments(call *ast.CallExpr, s sink, fn *types.Func) []ast.Expr {
	if fn != nil && fn.Signature().Variadic() && s.argument == fn.Signature().Params().Len()-1 {
		return call.Args[s.argument:]
	}
	return call.Args[s.argument : s.argument+1]
}

func instanceIdent(call *ast.CallExpr) *ast.Ident {
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.IndexExpr:
		return lastIdent(f.X)
	case *ast.IndexListExpr:
		return lastIdent(f.X)
	}
	return lastIdent(call.Fun)
}

// readInto records that a call fills a local variable through its address, so
// that the variable is not built here.
func (g *gatherer) readInto(call *ast.CallExpr) {
	for _, arg := range call.Args {
		unary, ok := ast.Unparen(arg).(*ast.UnaryExpr)
		if id, isIdent := Referred(arg).(*ast.Ident); ok && unary.Op == token.AND && isIdent {
			if obj := g.pkg.Info.ObjectOf(id); obj != nil {
				g.fresh[obj] = false
			}
		}
	}
}
