package docmodel

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// An Update is one change of one stored path that code writes out as a literal:
// {$push: {comments: c}}.
type Update struct {
	Op        string     // the operator as MongoDB calls it: $push, $inc, $set …
	Path      string     // as written, with positions such as .0. and .$[].
	Dynamic   bool       // the path is built at run time; Path has $[] in place of what is not constant
	Parts     []ast.Expr // these parts
	Sliced    bool       // the list is cut to a length
	Each      bool
	Many      bool     // changes many documents at once
	Filters   []string // paths the update selects documents by
	Exactly   []string // those of them that have one value
	Value     types.Type
	Pos       token.Pos
	Node      ast.Node // the value, for fixes
	Entries   ast.Node // the literal with the paths of the operator
	Outer     ast.Node // the literal with the operators
	Ambiguous bool     // it may be for several documents, and it is not known which
	Sized     bool     // the database computes the value from the size of a list
	Func      string
	In        *types.Func
	Appends   bool // the value is the stored list with more elements
	Excludes  bool // the filter requires that the list does not contain the value yet
	Pkg       *Package

	takes  string // the path of the list that it is an element of
	group  *updateGroup
	handed *text // where code names the path or the operator, if the function that updates has it from there
}

// Siblings returns the other changes in the same update.
func (u *Update) Siblings() []*Update {
	if u.group == nil {
		return nil
	}
	return u.group.updates
}

// Constant returns the value as it is written, "" if it is not known before the
// program runs.
func (u *Update) Constant() string {
	value, _ := u.Node.(ast.Expr)
	if constant := u.Pkg.Info.Types[value].Value; constant != nil {
		return constant.ExactString()
	}
	return ""
}

// An updateGroup is one update literal. All its changes happen at once.
type updateGroup struct {
	literal *ast.CompositeLit
	updates []*Update
	handle  []source
}

// updateLiteral reads a literal if it is an update.
func (g *gatherer) updateLiteral(n *ast.CompositeLit, t types.Type) {
	switch u := t.Underlying().(type) {
	case *types.Map, *types.Slice:
	case *types.Struct:
		if path, name := TypeName(t); name == "Update" && isSDK(path) && g.groupOf[n] == nil {
			g.firestoreUpdate(n, &updateGroup{})
		}
		return
	case *types.Basic:
		if u.Kind() != types.Invalid {
			return
		}
	default:
		return
	}
	if g.groupOf[n] != nil {
		return
	}
	if g.firestoreUpdates(n) || g.uses("firestore") && g.firestoreMap(n) {
		return
	}
	group := &updateGroup{literal: n}
	for _, e := range g.alternatives(g.entries(n)) {
		if strings.HasPrefix(e.key, "$") && !e.dynamic {
			g.operator(group, e)
		} else if by := g.parameter(e.keyExpr); by != nil && e.key == "" {
			for _, inner := range g.entries(e.value) {
				if inner.key != "" && !inner.dynamic && !strings.HasPrefix(inner.key, "$") {
					g.hand(by, g.newUpdate("", inner.key, inner.value), group)
				}
			}
		}
	}
	if len(group.updates) > 0 { // kept until the call that sends it
		g.groupOf[n] = group
	}
}

func pathOf(named *types.Named) string {
	path, _ := TypeName(named)
	return path
}

// updateEntry reads update["$push"] = … and update = append(update,
// bson.E{"$push", …}).
func (g *gatherer) updateEntry(left, right ast.Expr) {
	x, elements := g.added(left, right)
	for _, e := range g.elements(elements) {
		if e.dynamic || !strings.HasPrefix(e.key, "$") {
			continue
		}
		group, holder := &updateGroup{literal: g.literal(x)}, g.holder(x)
		if holder != nil {
			if known := g.groupOf[holder]; known != nil {
				group = known
			}
			g.groupOf[holder] = group
		}
		g.operator(group, e)
	}
}

// holder identifies a document that code builds: by its literal, or by the
// variable that holds it. It is nil if neither is known.
func (g *gatherer) holder(expr ast.Expr) any {
	if lit := g.literal(expr); lit != nil {
		return lit
	}
	if id, ok := Referred(expr).(*ast.Ident); ok && g.variable(id) != nil {
		return g.variable(id)
	}
	return nil
}

// operatorNames are the update operators that change a path.
var operatorNames = []string{"$push", "$addToSet", "$pushAll", "$pull", "$pullAll", "$pop", "$inc", "$set", "$unset", "$setOnInsert", "$addFields", "$min", "$max", "$mul", "$currentDate"}

// listOperators add to a list, in different versions and dialects.
var listOperators = map[string]bool{"$push": true, "$addToSet": true, "$pushAll": true}

// operator reads {$op: {path: value, …}}.
func (g *gatherer) operator(group *updateGroup, op entry) {
	if !slices.Contains(operatorNames, op.key) {
		return
	}
	for _, e := range g.alternatives(g.entries(op.value)) {
		by := g.parameter(e.keyExpr)
		if e.key == "" && by == nil {
			continue
		}
		u := g.newUpdate(op.key, e.key, e.value)
		u.Dynamic, u.Parts = e.dynamic, e.parts
		if lit := g.literal(op.value); lit != nil {
			u.Entries = lit
		}
		if group.literal != nil {
			u.Outer = group.literal
		}
		if op.key == "$currentDate" {
			u.Value = nil // true means the current time, and is not the value itself
		}
		if listOperators[op.key] {
			if text, ok := g.constantString(e.value); ok && strings.HasPrefix(text, "$") {
				continue // "$field", which $push collects in a $group stage
			}
			g.modifiers(u, e.value)
		}
		if e.key == "" {
			g.hand(by, u, group)
			continue
		}
		if op.key == "$set" || op.key == "$addFields" {
			g.concatenation(u, e)
		}
		g.put(u, group)
	}
}

// modifiers reads {$each: [value], $slice: n}, which an update adds to a list.
func (g *gatherer) modifiers(u *Update, value ast.Expr) {
	for _, modifier := range g.entries(value) {
		switch modifier.key {
		case "$slice":
			u.Sliced = true
		case "$each":
			u.Each = true
			u.Value = g.pkg.Info.TypeOf(modifier.value)
		}
	}
}

func (g *gatherer) put(u *Update, group *updateGroup) {
	u.group = group
	group.updates = append(group.updates, u)
	g.updates = append(g.updates, u)
}

// concatenation recognises {$set: {logs: {$concatArrays: ["$logs", more]}}},
// which is a push.
func (g *gatherer) concatenation(u *Update, e entry) {
	for _, inner := range g.entries(e.value) {
		switch inner.key {
		case "$concatArrays":
			lit := g.literal(inner.value)
			if lit == nil {
				continue
			}
			itself, more := false, false
			for _, element := range lit.Elts {
				text, ok := g.constantString(element)
				itself = itself || ok && text == "$"+e.key
				more = more || !strings.HasPrefix(text, "$") // what other fields hold was there before
			}
			if itself && more {
				u.Op = "$push"
			}
		case "$slice":
			u.Sliced = true
		case "$size":
			u.Sized = true
		case "$first", "$arrayElemAt":
			list := inner.value
			if lit := g.literal(list); lit != nil && len(lit.Elts) > 0 {
				list = lit.Elts[0]
			}
			text, _ := g.constantString(list)
			u.takes = strings.TrimPrefix(text, "$")
		}
	}
}

func (g *gatherer) newUpdate(op, path string, value ast.Expr) *Update {
	u := &Update{Op: op, Path: path, Pos: value.Pos(), Node: value, Value: g.pkg.Info.TypeOf(value), Pkg: g.pkg, In: g.fn}
	if g.function != nil {
		u.Func = g.function.Name.Name
	}
	if op == "$set" {
		u.Appends = g.appended(value) != nil
		if list := g.partOf(value); list != nil {
			g.capped[list] = value.Pos()
		}
	}
	return u
}

// partOf returns the field whose first or last elements a value is, or a list is built
// from: x.F[n:], append(summary, x.F[n:]...).
func (g *gatherer) partOf(value ast.Expr) *types.Var {
	for _, set := range append(g.before[g.variable(value)], value) {
		if call, ok := ast.Unparen(set).(*ast.CallExpr); ok && call.Ellipsis.IsValid() {
			set = call.Args[len(call.Args)-1]
		}
		if cut, ok := ast.Unparen(set).(*ast.SliceExpr); ok && !singles(cut) {
			return fieldVar(g.pkg.Info, cut.X)
		}
	}
	return nil
}

// A handed update has a parameter as its path or operator.
type handed struct {
	*Update
	by *types.Var
}

// A text is a constant that a variable is set to, or that a call passes.
type text struct {
	value string
	pkg   *Package
	in    *types.Func
	node  ast.Node // the call, or the variable that is set

	handles []source // database handles that the call passes too
}

// beside returns the names that the call passes too, of which one may be that of a
// collection, and the collections that it passes. What the function around the call has
// from its callers counts for each of them.
func (e *evidence) beside(t *text) []string {
	names := e.collections(t.handles)
	call, _ := t.node.(*ast.CallExpr)
	if call == nil {
		return nil
	}
	for _, arg := range call.Args {
		if name, ok := t.pkg.Text(arg); ok {
			names = append(names, name)
		} else if id, ok := ast.Unparen(arg).(*ast.Ident); ok {
			if v, ok := t.pkg.Info.ObjectOf(id).(*types.Var); ok {
				for _, above := range e.constants(v) {
					names = append(names, above.value)
				}
			}
		}
	}
	return names
}

// Handed reports whether the function that updates has the path or the operator
// from its callers. The update then does not concern one list only.
func (u *Update) Handed() bool { return u.handed != nil }

// place returns where code decides what is updated.
func (u *Update) place() (*Package, token.Pos) {
	if u.handed != nil {
		return u.handed.pkg, u.handed.node.Pos()
	}
	return u.Pkg, u.Pos
}

// parameter returns the parameter that an expression names or converts, or nil.
func (g *gatherer) parameter(expr ast.Expr) *types.Var {
	if call, ok := ast.Unparen(orNil(expr)).(*ast.CallExpr); ok && len(call.Args) == 1 && g.pkg.Info.Types[call.Fun].IsType() {
		expr = call.Args[0]
	}
	id, _ := ast.Unparen(orNil(expr)).(*ast.Ident)
	v, _ := g.pkg.Info.ObjectOf(id).(*types.Var)
	if v == nil || v.Kind() != types.ParamVar {
		return nil
	}
	return v
}

// hand records an update whose operator or path is a parameter of the current function:
// {op: {comments: c}}, {$push: {field: value}}.
func (g *gatherer) hand(by *types.Var, u *Update, group *updateGroup) {
	u.group = group
	g.handed = append(g.handed, handed{u, by})
	group.updates = append(group.updates, u)
}

// handedPaths makes an update of each path or operator at each place that passes it
// to a function, directly or through others.
func (e *evidence) handedPaths() {
	for _, h := range e.handed {
		for _, t := range e.constants(h.by) {
			u := *h.Update
			u.handed = &t
			if t.in != nil {
				u.Func = t.in.Name()
			}
			if u.Op != "" {
				u.Path = t.value
			} else if u.Op = t.value; !slices.Contains(operatorNames, t.value) {
				continue
			}
			e.updates = append(e.updates, &u)
		}
	}
}

// constants returns the texts that a variable may hold, at the places that set it or pass
// it.
func (e *evidence) constants(held *types.Var) (texts []text) {
	seen := map[node]bool{}
	for queue := []node{{obj: held}}; len(queue) > 0; queue = queue[1:] {
		v, ok := queue[0].obj.(*types.Var)
		if !ok || seen[queue[0]] {
			continue
		}
		seen[queue[0]] = true
		texts = append(texts, e.texts[v]...)
		for _, s := range e.flow.edges[queue[0]] {
			queue = append(queue, s.from)
		}
	}
	return texts
}

// addUpdate adds an update whose path has parts that are not constant.
func (g *gatherer) addUpdate(op, path string, value ast.Expr, parts ...ast.Expr) *Update {
	u := g.newUpdate(op, path, value)
	u.Dynamic, u.Parts = len(parts) > 0, parts
	g.put(u, &updateGroup{})
	return u
}

// updateCall reads updates that are written as calls, and connects literals to
// the call that sends them.
func (g *gatherer) updateCall(call *ast.CallExpr, fn *types.Func) {
	name := calledName(call)
	if strings.HasPrefix(name, "Update") || strings.HasPrefix(name, "FindOneAndUpdate") || strings.HasPrefix(name, "Upsert") || name == "FindAndModify" ||
		name == "Set" && fn != nil && strings.Contains(fn.FullName(), "firestore") {
		g.sendUpdate(call, name)
	}
	if fn == nil || fn.Pkg() == nil {
		return
	}
	path := fn.Pkg().Path()
	if receiverName(fn) == "Update" && strings.Contains(path, "guregu/dynamo") {
		g.refusals(call)
	}
	switch {
	case strings.HasSuffix(path, "dynamodb/expression"):
		g.expression(call, name)
	case strings.Contains(path, "data/azcosmos") && len(call.Args) > 0:
		g.patch(call, name)
	case len(call.Args) >= 2:
		for _, u := range updateCalls {
			if op := u.operators[name]; op != "" && receiverName(fn) == u.receiver && strings.Contains(path, u.pattern) {
				if p, parts := g.path(call.Args[0]); p != "" {
					added := g.addUpdate(op, p, call.Args[1], parts...)
					if selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && u.receiver != "" {
						added.group.handle = g.sources(selector.X) // table.Update("id", id).Append(…)
						added.Sliced = g.refused[call]
					}
				}
			}
		}
	}
}

// updateCalls are the functions of libraries that take a path and a value, by
// the operators that they correspond to.
var updateCalls = []struct {
	pattern, receiver string
	operators         map[string]string
}{
	{"couchbase/gocb", "", map[string]string{
		"ArrayAppendSpec": "$push", "ArrayPrependSpec": "$push", "ArrayAddUniqueSpec": "$addToSet",
		"IncrementSpec": "$inc", "DecrementSpec": "$inc", "UpsertSpec": "$set", "ReplaceSpec": "$set", "InsertSpec": "$set", "RemoveSpec": "$pull",
	}},
	{"couchbase/gocb", "MutateInBuilder", map[string]string{
		"ArrayAppend": "$push", "ArrayPrepend": "$push", "ArrayAppendMulti": "$push", "ArrayPrependMulti": "$push", "ArrayAddUnique": "$addToSet", "Counter": "$inc", "Upsert": "$set", "Replace": "$set", "Insert": "$set",
	}},
	{"guregu/dynamo", "Update", map[string]string{
		"Append": "$push", "Prepend": "$push", "AddStringsToSet": "$addToSet", "AddIntsToSet": "$addToSet", "AddFloatsToSet": "$addToSet",
		"DeleteStringsFromSet": "$pull", "DeleteIntsFromSet": "$pull", "DeleteFloatsFromSet": "$pull", "Add": "$inc", "Set": "$set", "SetSet": "$set",
	}},
}

func (g *gatherer) sendUpdate(call *ast.CallExpr, name string) {
	var handle []source
	if selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		handle = g.sources(selector.X)
	}
	var filters, exactly, excluded, below []string
	for _, arg := range call.Args {
		if isHandle(takeApart(orInvalid(g.pkg.Info.TypeOf(arg))).elem) { // transaction.Update(document, …)
			handle = append(handle, g.sources(arg)...)
		}
		holder := g.holder(arg)
		if holder == nil {
			continue
		}
		group := g.groupOf[holder]
		if lit, ok := holder.(*ast.CompositeLit); ok && group == nil { // not read yet, because arguments come after the call
			if t := g.pkg.Info.TypeOf(lit); t != nil {
				g.updateLiteral(lit, t)
				group = g.groupOf[lit]
			}
		}
		if group == nil {
			for _, e := range g.entries(arg) {
				if e.key == "" {
					continue
				}
				conditions := g.entries(e.value)
				filters = append(filters, e.key)
				if len(conditions) == 0 {
					exactly = append(exactly, e.key)
				}
				for _, inner := range conditions {
					switch inner.key {
					case "$ne", "$nin", "$not":
						excluded = append(excluded, e.key)
					case "$lt", "$lte", "$exists":
						below = append(below, e.key)
					}
				}
			}
			continue
		}
		group.handle = append(group.handle, handle...)
		for _, u := range group.updates {
			u.Many = u.Many || strings.Contains(name, "Many") || strings.Contains(name, "All")
			u.Filters, u.Exactly = append(u.Filters, filters...), append(u.Exactly, exactly...)
			u.Excludes = u.Excludes || slices.ContainsFunc(excluded, func(path string) bool { return path == u.Path || strings.HasPrefix(path, u.Path+".") })
			u.Sliced = u.Sliced || listOperators[u.Op] && slices.ContainsFunc(below, u.limitedBy)
		}
	}
}

// limitedBy reports whether a condition on a path limits the length of the list
// that an update adds to: the path is a counter that the same update increments,
// or one element of the list, such as comments.99.
func (u *Update) limitedBy(path string) bool {
	position, ok := strings.CutPrefix(path, u.Path+".")
	return ok && strings.Trim(position, "0123456789") == "" ||
		slices.ContainsFunc(u.Siblings(), func(s *Update) bool { return (s.Op == "$inc" || s.Op == adds) && s.Path == path })
}

// patch reads the operations of azcosmos.PatchOperations.
func (g *gatherer) patch(call *ast.CallExpr, name string) {
	pointer, parts := g.path(call.Args[0])
	op := map[string]string{"AppendAdd": "$set", "AppendSet": "$set", "AppendReplace": "$set", "AppendIncrement": "$inc", "AppendRemove": "$pull"}[name]
	if !strings.HasPrefix(pointer, "/") || op == "" {
		return
	}
	path := strings.ReplaceAll(strings.TrimPrefix(pointer, "/"), "/", ".")
	if list, ok := strings.CutSuffix(path, ".-"); ok && name == "AppendAdd" {
		op, path = "$push", list
	}
	g.addUpdate(op, path, call.Args[len(call.Args)-1], parts...)
}

// setDocuments returns the structs that an update sets as a whole: {$set:
// post}.
func (g *gatherer) setDocuments(expr ast.Expr) []source {
	if named := structNamed(g.pkg.Info.TypeOf(expr)); named != nil && !isHandle(named) && named.Obj().Name() != "E" {
		return []source{{typ: named, at: expr.Pos()}}
	}
	var found []source
	for _, e := range g.entries(expr) {
		if e.key == "$set" || e.key == "$setOnInsert" {
			found = append(found, g.sources(e.value)...)
		}
	}
	return found
}
