package docmodel

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A node is something that values pass through and whose own type does not say
// what they are: an interface, bytes, a type parameter, a cursor. It is a
// variable (a parameter, a field or a local variable), a type parameter, or a
// function result.
type node struct {
	obj    types.Object
	result int // number of the result of function obj, from 1; 0 for the object itself
}

// whenMade is the result of a field by which a node is what the field gets when code
// makes the struct.
const whenMade = -1

// A source flows into a node: a value of a known type, a trait of a database
// handle, or the content of another node.
type source struct {
	typ   types.Type
	trait trait
	from  node
	given [][]source // arguments of the call whose result from is
	json  bool       // the value is encoded as JSON
	names wording    // if code writes the value out, and does not leave that to the database's library
	at    token.Pos
}

// same reports whether two sources are one: they are at the same place.
func (s source) same(other source) bool {
	return s.at == other.at && s.from == other.from && s.typ == other.typ && s.trait.kind == other.trait.kind && s.trait.name == other.trait.name
}

// A trait is a fact about a database handle.
type trait struct {
	kind  traitKind
	name  string // of the collection
	below bool   // it is a collection of a document

	// A helper that takes the name of a collection and returns that collection is
	// followed separately for each call, so that its callers do not mix.
	helper *types.Func
	names  []string // constant arguments of that call, "" for others
}

type traitKind uint8

const (
	noTrait traitKind = iota
	inCollection
	fromAggregate // a cursor over computed documents
	fromFind      // a cursor or result of stored documents
	throughHelper
)

// A flow is the value flow of one or more packages. It ignores the order of
// statements and the call context: what one call passes to a parameter counts
// for all calls.
type flow struct {
	edges    map[node][]source
	dispatch map[*types.Func]bool // interface methods that are called
	named    map[*types.Func]int  // helpers that return the collection named by a parameter
	encoders map[*types.Func]*encoder
}

// An encoder is a function that makes its result from its parameters. Each of
// its calls is followed separately, so that its callers do not mix.
type encoder struct {
	parameters []int
	rest       []source // sources of the result other than parameters
}

func newFlow() *flow {
	return &flow{edges: map[node][]source{}, dispatch: map[*types.Func]bool{}, named: map[*types.Func]int{}, encoders: map[*types.Func]*encoder{}}
}

func (f *flow) add(to node, sources []source) {
	if to.obj != nil && len(sources) > 0 {
		f.edges[to] = append(f.edges[to], sources...)
	}
}

// reach returns everything that flows into sources: values of known types and
// traits, in the order found.
func (f *flow) reach(sources []source) (found []source) {
	seen := map[node]bool{}
	follow(sources, func(s source) []source {
		made := f.made(s)
		switch {
		case s.trait.kind == throughHelper:
			return []source{f.settle(s)}
		case s.from.obj == nil:
			found = append(found, s)
		case made == nil && !seen[s.from]:
			seen[s.from] = true
			return f.edges[s.from]
		}
		return made
	})
	return found
}

// follow walks back from sources to what flows into them, which next returns.
func follow(queue []source, next func(source) []source) {
	for len(queue) > 0 {
		queue = append(slices.Clip(queue[1:]), next(queue[0])...)
	}
}

// made returns the sources that the result of a call is made from. It returns
// nil if these are not the arguments.
func (f *flow) made(s source) []source {
	fn, ok := s.from.obj.(*types.Func)
	if !ok || s.given == nil {
		return nil
	}
	e := f.encoder(fn)
	if len(e.parameters) == 0 {
		return nil
	}
	all := slices.Clone(e.rest)
	for _, i := range e.parameters {
		if i < len(s.given) {
			all = append(all, s.given[i]...)
		}
	}
	return all
}

// encoder traces the first result of a function back through its variables.
func (f *flow) encoder(fn *types.Func) *encoder {
	if known := f.encoders[fn]; known != nil {
		return known
	}
	e := &encoder{}
	f.encoders[fn] = e // not an encoder until this is done
	parameters := fn.Signature().Params()
	seen := map[node]bool{}
	follow(f.edges[node{fn, 1}], func(s source) []source {
		if made := f.made(s); made != nil {
			return made
		}
		v, isVar := s.from.obj.(*types.Var)
		i := slices.Index(slices.Collect(parameters.Variables()), v)
		switch {
		case isVar && i >= 0:
			e.parameters = append(e.parameters, i)
		case !isVar || v.Kind() != types.ResultVar && !isLocal(fn, s.from):
			e.rest = append(e.rest, s)
		case !seen[s.from]:
			seen[s.from] = true
			return f.edges[s.from]
		}
		return nil
	})
	return e
}

// within returns the values of known types that flow into sources within one
// function, through its local variables only.
func (f *flow) within(fn *types.Func, sources []source) (found []source) {
	seen := map[node]bool{}
	follow(sources, func(s source) []source {
		switch {
		case s.from.obj == nil:
			found = append(found, s)
		case !seen[s.from] && (isLocal(fn, s.from) || f.writesOut(s.from)):
			seen[s.from] = true
			return f.edges[s.from]
		}
		return nil
	})
	return found
}

// writesOut reports whether a node is the result of a function that writes out a struct.
func (f *flow) writesOut(n node) bool {
	return n.result > 0 && slices.ContainsFunc(f.edges[n], func(s source) bool { return s.names != nil })
}

// isLocal reports whether a node is a variable that a function declares in its
// body.
func isLocal(fn *types.Func, n node) bool {
	v, ok := n.obj.(*types.Var)
	if !ok || fn == nil || n.result > 0 || v.Kind() != types.LocalVar {
		return false
	}
	return fn.Scope() != nil && fn.Scope().Contains(v.Pos())
}

// settle looks up the collection that a helper returned. If its arguments do not
// name it, it is whatever the helper returns.
func (f *flow) settle(s source) source {
	if i, ok := f.named[s.trait.helper]; ok && i < len(s.trait.names) && s.trait.names[i] != "" {
		return source{trait: trait{kind: inCollection, name: s.trait.names[i]}, at: s.at}
	}
	return source{from: node{s.trait.helper, 1}}
}

// link connects called interface methods to the methods that implement them.
func (f *flow) link(methods map[string][]*types.Func) {
	for abstract := range f.dispatch {
		from := abstract.Signature()
		iface, ok := from.Recv().Type().Underlying().(*types.Interface)
		if !ok {
			continue
		}
		for _, concrete := range methods[abstract.Name()] {
			if !implements(concrete, abstract, iface) {
				continue
			}
			to := concrete.Signature()
			for i := range to.Params().Len() {
				f.add(node{obj: to.Params().At(i)}, []source{{from: node{obj: from.Params().At(i)}}})
			}
			for i := range to.Results().Len() {
				f.add(node{abstract, i + 1}, []source{{from: node{concrete, i + 1}}})
			}
		}
	}
}

func implements(concrete, abstract *types.Func, iface *types.Interface) bool {
	from, to := abstract.Signature(), concrete.Signature()
	if from.Params().Len() != to.Params().Len() || from.Results().Len() != to.Results().Len() {
		return false
	}
	named, ok := Pointed(to.Recv().Type()).(*types.Named)
	if !ok || named.TypeParams().Len() == 0 {
		return ok && types.Implements(types.NewPointer(named), iface)
	}
	for method := range iface.Methods() { // for all instances alike
		if !hasMethod(named, method.Name()) {
			return false
		}
	}
	return true
}

// opaque reports whether a type does not say which document a value is.
func opaque(t types.Type) bool {
	if t == nil {
		return true
	}
	elem := takeApart(t).elem
	if isHandle(elem) {
		return true
	}
	if _, ok := types.Unalias(elem).(*types.TypeParam); ok {
		return true
	}
	switch u := elem.Underlying().(type) {
	case *types.Interface:
		return true
	case *types.Slice:
		return IsByte(u.Elem())
	case *types.Basic:
		return u.Info()&types.IsString != 0 || u.Kind() == types.Invalid
	}
	return false
}

// sources returns the sources of an expression's value.
func (g *gatherer) sources(expr ast.Expr) []source {
	expr = ast.Unparen(expr)
	t := g.pkg.Info.TypeOf(expr)
	if named := structNamed(t); named != nil && !isHandle(named) && !encoded(named) {
		return []source{{typ: t, at: expr.Pos()}}
	}
	switch e := expr.(type) {
	case *ast.Ident:
		if all, ok := g.reached[e]; ok {
			return all
		}
		if values, ok := g.reaching(e); ok {
			var all []source
			for _, value := range values {
				for _, s := range g.sources(value) {
					if !slices.ContainsFunc(all, s.same) {
						all = append(all, s)
					}
				}
			}
			g.reached[e] = all
			return all
		}
		return g.object(g.pkg.Info.ObjectOf(e), t, e.Pos())
	case *ast.SelectorExpr:
		if v := fieldVar(g.pkg.Info, e); v != nil && v.Pkg() != nil && isSDK(v.Pkg().Path()) && isHandle(takeApart(orInvalid(t)).elem) {
			return g.sources(e.X) // the Query of a collection
		}
		return g.object(g.pkg.Info.ObjectOf(e.Sel), t, e.Pos())
	case *ast.UnaryExpr, *ast.StarExpr, *ast.IndexExpr, *ast.SliceExpr, *ast.TypeAssertExpr:
		return g.sources(inner(e))
	case *ast.CompositeLit:
		var all []source
		if _, ok := orInvalid(t).Underlying().(*types.Map); ok || writtenOut(t) {
			return g.writtenFrom(e)
		}
		for _, element := range e.Elts {
			if pair, ok := element.(*ast.KeyValueExpr); ok {
				element = pair.Value
			}
			all = append(all, g.sources(element)...)
		}
		return all
	case *ast.CallExpr:
		return g.callSources(e)
	}
	return nil
}

// writtenOut reports whether a type is a list of keys and values, such as
// bson.D.
func writtenOut(t types.Type) bool {
	list, ok := orInvalid(t).Underlying().(*types.Slice)
	if !ok {
		return false
	}
	named := Named(list.Elem())
	return named != nil && encoded(named) && named.Obj().Name() != "AttributeValue"
}

func (g *gatherer) object(obj types.Object, t types.Type, at token.Pos) []source {
	v, ok := obj.(*types.Var)
	if !ok {
		return nil
	}
	found := []source{{from: node{obj: v.Origin()}, at: at}}
	if parameter := typeParam(t); parameter != nil {
		found = append(found, source{from: node{obj: parameter.Obj()}, at: at})
	}
	return found
}

func typeParam(t types.Type) *types.TypeParam {
	if t == nil {
		return nil
	}
	p, _ := types.Unalias(takeApart(t).elem).(*types.TypeParam)
	return p
}

func (g *gatherer) callSources(call *ast.CallExpr) []source {
	info := g.pkg.Info
	if g.pkg.Converts(call) {
		return g.sources(call.Args[0])
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := info.Uses[id].(*types.Builtin); ok {
			if b.Name() != "append" {
				return nil
			}
			var all []source
			for _, arg := range call.Args {
				all = append(all, g.sources(arg)...)
			}
			return all
		}
	}
	fn := g.pkg.Called(call)
	if found := g.goZeroModel(call, fn); found != nil {
		return found
	}
	if found := g.handleSources(call, fn); found != nil {
		return found
	}
	if fn == nil {
		return nil
	}
	if i := marshalArgument(fn); i >= 0 && i < len(call.Args) {
		encoded := slices.Clone(g.sources(call.Args[i]))
		for at := range encoded {
			encoded[at].json = strings.Contains(fn.Pkg().Path(), "json")
		}
		return encoded
	}
	found := []source{{from: node{fn, 1}, at: call.Pos()}}
	if returnsBytes(fn) {
		found[0].given = make([][]source, len(call.Args))
		for i, arg := range call.Args {
			found[0].given[i] = g.sources(arg)
		}
	}
	if named := encodedResult(info.TypeOf(call)); named && !g.isOwn(fn) { // a helper that encodes its argument
		for _, arg := range call.Args {
			found = append(found, g.sources(arg)...)
		}
	}
	if isHandle(takeApart(info.TypeOf(call)).elem) {
		names := make([]string, len(call.Args))
		for i, arg := range call.Args {
			names[i], _ = g.constantString(arg)
		}
		found = []source{{trait: trait{kind: throughHelper, helper: fn, names: names}, at: call.Pos()}}
	}
	if parameter := typeParam(info.TypeOf(call)); parameter != nil {
		found = append(found, source{from: node{obj: parameter.Obj()}, at: call.Pos()})
	}
	return found
}

// returnsBytes reports whether the first result of a function is encoded data.
func returnsBytes(fn *types.Func) bool {
	results := fn.Signature().Results()
	if results.Len() == 0 {
		return false
	}
	list, ok := results.At(0).Type().Underlying().(*types.Slice)
	return ok && IsByte(list.Elem())
}

// handleSources handles the calls that make database handles.
func (g *gatherer) handleSources(call *ast.CallExpr, fn *types.Func) []source {
	name := calledName(call)
	if name == "" || fn != nil && g.isOwn(fn) {
		return nil
	}
	at := call.Pos()
	switch selector, _ := ast.Unparen(call.Fun).(*ast.SelectorExpr); name {
	case "Bucket", "OpenBucket": // of Couchbase: its default collection has no other name
		if len(call.Args) > 0 && isHandle(takeApart(g.pkg.Info.TypeOf(call)).elem) {
			if text, ok := g.constantString(call.Args[0]); ok {
				return []source{{trait: trait{kind: inCollection, name: text}, at: at}}
			}
		}
	case "Collection", "CollectionGroup", "C", "NewContainer", "Table", "GetMongoCol", "DefaultCollection", "Container":
		args := call.Args
		if name == "NewContainer" && len(args) > 1 {
			args = args[1:] // the arguments after the database
		}
		for _, arg := range args {
			if text, ok := g.constantString(arg); ok {
				return []source{{trait: trait{kind: inCollection, name: text, below: g.belowDocument(selector)}, at: at}}
			}
		}
		if name == "DefaultCollection" && selector != nil {
			return g.sources(selector.X)
		}
	case "Aggregate", "Pipe", "ListCollections", "ListDatabases", "RunCommand", "RunCommandCursor": // the results are not stored documents
		return []source{{trait: trait{kind: fromAggregate}, at: at}}
	case "Find", "FindOne", "FindOneAndUpdate", "FindOneAndDelete", "FindOneAndReplace", "FindId", "Get", "GetAll", "Documents":
		if fn == nil || isHandle(takeApart(g.pkg.Info.TypeOf(call)).elem) || strings.Contains(fn.FullName(), "firestore") {
			return []source{{trait: trait{kind: fromFind}, at: at}}
		}
	case "List":
		if fn != nil && strings.Contains(fn.FullName(), "IndexView)") {
			return []source{{trait: trait{kind: fromAggregate}, at: at}}
		}
	case "Doc", "Select", "Sort", "Limit", "Skip", "Where", "OrderBy", "Scope", "WithContext", "Indexes":
		if selector != nil {
			return g.sources(selector.X)
		}
	}
	return nil
}

// goZeroModel handles the calls that make a model of go-zero: their arguments are the
// address of the server, the database, and the collection.
func (g *gatherer) goZeroModel(call *ast.CallExpr, fn *types.Func) []source {
	if !strings.HasSuffix(calledName(call), "Model") || len(call.Args) < 3 || fn == nil || fn.Pkg() == nil || !within(fn.Pkg().Path(), goZero) {
		return nil
	}
	text, ok := g.constantString(call.Args[2])
	if !ok {
		return nil
	}
	return []source{{trait: trait{kind: inCollection, name: text}, at: call.Pos()}}
}

// belowDocument reports whether a method of a Firestore document is called. Each
// document has collections of its own.
func (g *gatherer) belowDocument(method *ast.SelectorExpr) bool {
	if method == nil {
		return false
	}
	path, name := TypeName(Pointed(orInvalid(g.pkg.Info.TypeOf(method.X))))
	return name == "DocumentRef" && within(path, "go/firestore")
}

// calledName returns the name of the function or method in a call.
func calledName(call *ast.CallExpr) string {
	if name := instanceIdent(call); name != nil {
		return name.Name
	}
	return ""
}
