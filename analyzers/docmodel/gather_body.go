package docmodel

import (
	"go/ast"
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
	g.refused, g.reached = map[*ast.CallExpr]bool{}, map[*ast.Ident][]source{}
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
			if g.built(l.X) {
				g.flow.add(node{v.Origin(), whenMade}, sources)
			}
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
			if isDocument(results.At(i).Type()) {
				g.flow.add(node{g.fn, i + 1}, g.writtenFrom(result))
			}
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

// composite records literals of structs and what flows into their fields.
func (g *gatherer) composite(n *ast.CompositeLit) {
	if g.pkg.Info.TypeOf(n) == nil {
		return
	}
	t := Pointed(g.pkg.Info.TypeOf(n)) // an elided &T in a list of *T
	g.updateLiteral(n, t)
	g.queryLiteral(n, t)
	g.expressionValues(n)
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
			sources := g.sources(value)
			g.flow.add(node{obj: v}, sources)
			g.flow.add(node{v, whenMade}, sources)
		}
		if structNamed(v.Type()) != nil && !IsNil(value) {
			g.filled[v] = append(g.filled[v], filling{in: g.fn}) // a literal makes the value with it
		}
		g.lengthOf(v, value)
		g.copies(v, value)
	}
	if named := Named(t); named != nil {
		key := TypeKey(named)
		g.literals[key] = append(g.literals[key], &Literal{Node: n, Keyed: keyed, Pkg: g.pkg})
		g.optionLiteral(named, n)
		g.tableInput(named, n)
		g.readInput(named, n)
		g.model(named, n)
	}
}

// handlerTypes are parameter types that show that a function answers requests.
var handlerTypes = []string{"ResponseWriter", "Request", "Ctx", "Context", "Message", "Delivery"}
