package docmodel

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// declaration reads a function or the initial values of variables.
func (g *gatherer) declaration(decl ast.Decl) {
	g.locals, g.before, g.fresh, g.lengths = map[types.Object]ast.Expr{}, map[types.Object][]ast.Expr{}, map[types.Object]bool{}, map[*types.Var]bool{}
	g.groupOf, g.rows = map[any]*updateGroup{}, map[types.Object][]ast.Expr{}
	g.taken, g.grown = map[types.Object]ast.Expr{}, map[types.Object]ast.Expr{}
	g.targets, g.stands, g.keysOf = map[*ast.IndexExpr]bool{}, map[types.Object]*types.Var{}, map[types.Object]*types.Var{}
	g.fn, g.function = nil, nil
	switch d := decl.(type) {
	case *ast.GenDecl:
		if d.Tok == token.VAR {
			g.walk(d)
		}
	case *ast.FuncDecl:
		if d.Body == nil {
			return
		}
		g.fn, _ = g.pkg.Info.Defs[d.Name].(*types.Func)
		g.function = d
		g.bounds(d.Body)
		g.aliases(d.Body)
		g.walk(d.Body)
		g.namedResults(d)
	}
}

// namedResults connects named results to the variables that a bare return
// returns.
func (g *gatherer) namedResults(d *ast.FuncDecl) {
	if g.fn == nil {
		return
	}
	results := g.fn.Signature().Results()
	for i := range results.Len() {
		if v := results.At(i); v.Name() != "" && v.Name() != "_" {
			g.flow.add(node{g.fn, i + 1}, []source{{from: node{obj: v}}})
		}
	}
}

// walk reads statements in source order.
func (g *gatherer) walk(root ast.Node) {
	var literals int // depth of function literals, whose returns are their own
	var visit func(n ast.Node)
	visit = func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				literals++
				visit(n.Body)
				literals--
				return false
			case *ast.ForStmt:
				g.loops++
				for _, part := range []ast.Node{n.Init, n.Cond, n.Post, n.Body} {
					if part != nil {
						visit(part)
					}
				}
				g.loops--
				return false
			case *ast.RangeStmt:
				g.rangeOver(n)
				visit(n.X)
				g.loops++
				visit(n.Body)
				g.loops--
				return false
			case *ast.AssignStmt:
				g.assign(n)
			case *ast.IncDecStmt:
				g.fieldWrite(n.X, nil, Adds, n.Pos())
			case *ast.ValueSpec:
				g.value(n)
			case *ast.ReturnStmt:
				if literals == 0 {
					g.returns(n)
				}
			case *ast.TypeSwitchStmt:
				g.typeSwitch(n)
			case *ast.CallExpr:
				g.call(n)
			case *ast.CompositeLit:
				g.composite(n)
			case *ast.KeyValueExpr:
				g.copies(n)
			case *ast.BinaryExpr:
				g.compare(n)
			case *ast.IndexExpr:
				g.index(n)
			case *ast.BasicLit:
				g.stringConstant(n)
			}
			return true
		})
	}
	visit(root)
}

func (g *gatherer) assign(n *ast.AssignStmt) {
	if len(n.Lhs) > 1 && len(n.Rhs) == 1 {
		g.assignResults(n)
		return
	}
	for i, left := range n.Lhs[:min(len(n.Lhs), len(n.Rhs))] {
		right := n.Rhs[i]
		if n.Tok != token.ASSIGN && n.Tok != token.DEFINE {
			g.fieldWrite(left, right, Adds, n.Pos())
			continue
		}
		g.bind(left, right)
		if call, ok := ast.Unparen(right).(*ast.CallExpr); ok && calledName(call) == "append" {
			left = mapOf(g.pkg.Info, left) // x.F[key] = append(x.F[key], e)
		}
		kind, v := Assigns, fieldVar(g.pkg.Info, deref(left))
		if v != nil && g.appended(right) == v { // directly or through a local variable
			kind = Appends
		}
		g.fieldWrite(left, right, kind, n.Pos())
		if v != nil {
			g.lengthOf(v, right)
		}
	}
}

func (g *gatherer) assignResults(n *ast.AssignStmt) {
	call, ok := ast.Unparen(n.Rhs[0]).(*ast.CallExpr)
	if !ok {
		g.bind(n.Lhs[0], n.Rhs[0])
		return
	}
	fn := g.pkg.Called(call)
	for i, left := range n.Lhs {
		g.fieldWrite(left, nil, Assigns, n.Pos())
		if i == 0 {
			g.bind(left, call)
			continue
		}
		if fn != nil {
			g.flowInto(left, []source{{from: node{fn, i + 1}}})
		}
	}
}

// bind records that left now holds right.
func (g *gatherer) bind(left, right ast.Expr) {
	if id, ok := left.(*ast.Ident); ok && id.Name != "_" {
		if obj := g.pkg.Info.ObjectOf(id); obj != nil {
			if x, _ := g.added(left, right); x != left { // a document that is added to keeps its literal
				g.locals[obj] = right
			}
			g.before[obj] = append(g.before[obj], right)
			g.fresh[obj] = g.isFresh(right)
			g.copyOf(obj, right)
		}
	}
	if v := fieldVar(g.pkg.Info, left); v != nil {
		if t := g.pkg.Info.TypeOf(right); t != nil && isAny(v.Type()) {
			g.assigned[v] = append(g.assigned[v], t)
		}
	}
	if opaque(g.pkg.Info.TypeOf(left)) {
		g.flowInto(left, g.sources(right))
	}
	g.text(left, right)
	g.fills(left, right)
	g.updateEntry(left, right)
	g.optionAssign(left, right)
}

func (g *gatherer) flowInto(left ast.Expr, sources []source) {
	switch l := ast.Unparen(left).(type) {
	case *ast.Ident:
		if v, ok := g.pkg.Info.ObjectOf(l).(*types.Var); ok {
			g.flow.add(node{obj: v.Origin()}, sources)
		}
	case *ast.SelectorExpr:
		if v, ok := g.pkg.Info.ObjectOf(l.Sel).(*types.Var); ok && !isBSONPackage(pathOfVar(v)) { // every document consists of E values
			g.flow.add(node{obj: v.Origin()}, sources)
		}
	case *ast.IndexExpr:
		if _, entry := orInvalid(g.pkg.Info.TypeOf(l.X)).Underlying().(*types.Map); !entry { // which is part of a document
			g.flowInto(l.X, sources)
		}
	case *ast.StarExpr:
		g.flowInto(l.X, sources)
	}
}

// isFresh reports whether an expression makes a new value.
func (g *gatherer) isFresh(expr ast.Expr) bool {
	switch e := ast.Unparen(expr).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.UnaryExpr:
		return e.Op == token.AND && g.isFresh(e.X)
	case *ast.CallExpr:
		name := calledName(e)
		return name == "new" || name == "make" || strings.HasPrefix(name, "New") || strings.HasPrefix(name, "new")
	}
	return false
}

func (g *gatherer) value(n *ast.ValueSpec) {
	for i, name := range n.Names {
		obj := g.pkg.Info.Defs[name]
		if obj == nil {
			continue
		}
		switch {
		case len(n.Values) == 0:
			g.fresh[obj] = true // a zero value, until something is read into it
		case i < len(n.Values):
			g.bind(name, n.Values[i])
		default:
			g.bind(name, n.Values[0])
		}
	}
}

func (g *gatherer) returns(n *ast.ReturnStmt) {
	if g.fn == nil {
		return
	}
	results := g.fn.Signature().Results()
	if len(n.Results) == 1 && results.Len() > 1 {
		if call, ok := ast.Unparen(n.Results[0]).(*ast.CallExpr); ok {
			if fn := g.pkg.Called(call); fn != nil {
				for i := 1; i < results.Len(); i++ { // the first one follows below
					g.flow.add(node{g.fn, i + 1}, []source{{from: node{fn, i + 1}}})
				}
			}
			g.flow.add(node{g.fn, 1}, g.sources(call))
		}
		return
	}
	for i, result := range n.Results {
		if i < results.Len() && opaque(results.At(i).Type()) {
			g.flow.add(node{g.fn, i + 1}, g.sources(result))
			g.collectionHelper(result)
		}
	}
}

// collectionHelper records that the current function returns the collection
// named by one of its parameters.
func (g *gatherer) collectionHelper(result ast.Expr) {
	if id, ok := ast.Unparen(result).(*ast.Ident); ok {
		result = g.locals[g.pkg.Info.ObjectOf(id)]
	}
	call, ok := ast.Unparen(result).(*ast.CallExpr)
	if !ok || !slices.Contains([]string{"Collection", "C", "NewContainer"}, calledName(call)) {
		return
	}
	parameters := slices.Collect(g.fn.Signature().Params().Variables())
	for _, arg := range call.Args {
		if id, ok := ast.Unparen(arg).(*ast.Ident); ok {
			v, _ := g.pkg.Info.ObjectOf(id).(*types.Var)
			if i := slices.Index(parameters, v); i >= 0 {
				g.flow.named[g.fn] = i
			}
		}
	}
}

func orNil(expr ast.Expr) ast.Expr {
	if expr == nil {
		return &ast.BadExpr{}
	}
	return expr
}

func (g *gatherer) rangeOver(n *ast.RangeStmt) {
	if id, ok := n.Key.(*ast.Ident); ok && id.Name != "_" {
		g.keyUse(n.X, id, KeyUse{Ranged: true})
		g.keysOf[g.pkg.Info.ObjectOf(id)] = g.mapBehind(n.X)
	}
	if n.Value == nil {
		return
	}
	if id, ok := n.Value.(*ast.Ident); ok {
		if obj := g.pkg.Info.ObjectOf(id); obj != nil {
			g.fresh[obj] = false
		}
	}
	if opaque(g.pkg.Info.TypeOf(n.Value)) {
		g.flowInto(n.Value, g.sources(n.X))
	}
}

func (g *gatherer) typeSwitch(n *ast.TypeSwitchStmt) {
	assign, ok := n.Assign.(*ast.AssignStmt)
	if !ok {
		return
	}
	from := g.sources(assign.Rhs[0])
	for _, clause := range n.Body.List {
		if v, ok := g.pkg.Info.Implicits[clause].(*types.Var); ok && opaque(v.Type()) {
			g.flow.add(node{obj: v}, from)
		}
	}
}

// call records what flows into parameters, and whether the call stores a
// document.
func (g *gatherer) call(call *ast.CallExpr) {
	fn := g.pkg.Called(call)
	g.clientOption(call)
	g.queryCall(call, fn)
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
			if text, ok := g.constantString(arg); ok {
				g.texts[p] = append(g.texts[p], text)
			}
		}
	}
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
				c.documents = append(c.documents, g.writtenFrom(arg, s.codec)...)
			}
		}
	}
	if s.keyed() && s.argument <= len(call.Args) {
		text, dynamic := g.constantPath(call.Args[s.argument-1])
		c.key = keyText{text, !dynamic}
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
		c.upsert = fn != nil && strings.HasPrefix(fn.Name(), "Upsert") || g.asksUpsert(call.Args[min(s.argument+1, len(call.Args)):])
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

// composite records literals of structs and what flows into their fields.
func (g *gatherer) composite(n *ast.CompositeLit) {
	if g.pkg.Info.TypeOf(n) == nil {
		return
	}
	t := Pointed(g.pkg.Info.TypeOf(n)) // an elided &T in a list of *T
	g.updateLiteral(n, t)
	g.queryLiteral(n, t)
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	keyed := len(n.Elts) == 0
	for i, element := range n.Elts {
		var v *types.Var
		value := element
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			keyed = true
			value = pair.Value
			if id, ok := pair.Key.(*ast.Ident); ok {
				v, _ = g.pkg.Info.ObjectOf(id).(*types.Var)
			}
		} else if i < s.NumFields() {
			v = s.Field(i)
		}
		if v == nil {
			continue
		}
		v = v.Origin()
		if isAny(v.Type()) {
			if t := g.pkg.Info.TypeOf(value); t != nil {
				g.assigned[v] = append(g.assigned[v], t)
			}
		}
		if opaque(v.Type()) && !isBSONPackage(pathOfVar(v)) {
			g.flow.add(node{obj: v}, g.sources(value))
		}
		if structNamed(v.Type()) != nil && !IsNil(value) {
			g.filled[v] = append(g.filled[v], filling{in: g.fn}) // a literal makes the value with it
		}
		g.lengthOf(v, value)
	}
	if named := Named(t); named != nil {
		key := TypeKey(named)
		g.literals[key] = append(g.literals[key], &Literal{Node: n, Keyed: keyed, Pkg: g.pkg})
		g.optionLiteral(named, n)
		g.tableInput(named, n)
	}
}

// handlerTypes are parameter types that show that a function answers requests.
var handlerTypes = []string{"ResponseWriter", "Request", "Ctx", "Context", "Message", "Delivery"}
