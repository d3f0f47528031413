package docmodel

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// An Update is one change of one stored path that code writes out as a
// literal: {$push: {comments: c}}.
type Update struct {
	Op        string     // the operator as MongoDB calls it: $push, $inc, $set …
	Path      string     // as written, positions such as .0. and .$[]. included
	Dynamic   bool       // the path is put together at run time; Path is its constant beginning
	Parts     []ast.Expr // what such a path is put together from, constants left out
	Sliced    bool       // the list is cut to a length
	Each      bool
	Many      bool     // changes many documents at once
	Filters   []string // paths the update selects documents by
	Value     types.Type
	Pos       token.Pos
	Node      ast.Node // the value, for fixes
	Entries   ast.Node // the literal with the paths of the operator
	Outer     ast.Node // the literal with the operators
	Ambiguous bool     // it may be of several documents: which one is stored there is not known
	Sized     bool     // the value is computed by the database from the size of a list
	Func      string
	Handler   bool
	Pkg       *Package

	group *updateGroup
}

// Siblings are the other changes in the same update.
func (u *Update) Siblings() []*Update {
	if u.group == nil {
		return nil
	}
	return u.group.updates
}

// An updateGroup is one literal: what it changes happens at once.
type updateGroup struct {
	literal *ast.CompositeLit
	updates []*Update
	handle  []source
}

// An entry is a key and a value of a literal document.
type entry struct {
	key     string
	keyExpr ast.Expr
	dynamic bool
	value   ast.Expr
}

// entries reads a literal map or a literal list of key-value structs.
func (g *gatherer) entries(expr ast.Expr) []entry {
	lit := g.literal(expr)
	if lit == nil {
		return nil
	}
	var found []entry
	for _, element := range lit.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			found = append(found, g.entry(pair.Key, pair.Value))
			continue
		}
		inner, ok := ast.Unparen(element).(*ast.CompositeLit)
		if !ok {
			continue
		}
		var key, value ast.Expr
		for i, part := range inner.Elts {
			if pair, ok := part.(*ast.KeyValueExpr); ok {
				switch id, _ := pair.Key.(*ast.Ident); {
				case id == nil:
				case id.Name == "Key", id.Name == "Name":
					key = pair.Value
				case id.Name == "Value":
					value = pair.Value
				}
			} else if i == 0 {
				key = part
			} else if i == 1 {
				value = part
			}
		}
		if key != nil && value != nil && len(inner.Elts) == 2 {
			found = append(found, g.entry(key, value))
		}
	}
	return found
}

func (g *gatherer) entry(key, value ast.Expr) entry {
	text, ok := g.constantString(key)
	if !ok {
		text = g.constantPrefix(key)
	}
	return entry{key: text, keyExpr: key, dynamic: !ok, value: value}
}

// constantPrefix is the constant beginning of a text that is put together.
func (g *gatherer) constantPrefix(expr ast.Expr) string {
	switch e := ast.Unparen(expr).(type) {
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			if text, ok := g.constantString(e.X); ok {
				if more, ok := g.constantString(e.Y); ok {
					return text + more
				}
				return text
			}
			return g.constantPrefix(e.X)
		}
	case *ast.CallExpr:
		if calledName(e) == "Sprintf" && len(e.Args) > 1 {
			if format, ok := g.constantString(e.Args[0]); ok {
				before, _, _ := strings.Cut(format, "%")
				return before
			}
		}
	}
	return ""
}

// variableParts are the operands of a text that is put together which are not
// constant.
func (g *gatherer) variableParts(expr ast.Expr) []ast.Expr {
	if _, ok := g.constantString(expr); ok {
		return nil
	}
	switch e := ast.Unparen(expr).(type) {
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return append(g.variableParts(e.X), g.variableParts(e.Y)...)
		}
	case *ast.CallExpr:
		if calledName(e) == "Sprintf" && len(e.Args) > 1 {
			var parts []ast.Expr
			for _, arg := range e.Args[1:] {
				parts = append(parts, g.variableParts(arg)...)
			}
			return parts
		}
	case *ast.CompositeLit:
		var parts []ast.Expr
		for _, element := range e.Elts {
			parts = append(parts, g.variableParts(element)...)
		}
		return parts
	}
	return []ast.Expr{expr}
}

// literal is the composite literal an expression is or was last set to.
func (g *gatherer) literal(expr ast.Expr) *ast.CompositeLit {
	for range 4 {
		switch e := ast.Unparen(expr).(type) {
		case *ast.CompositeLit:
			return e
		case *ast.UnaryExpr:
			expr = e.X
			continue
		case *ast.Ident:
			set, ok := g.locals[g.pkg.Info.ObjectOf(e)]
			if !ok {
				return nil
			}
			expr = set
			continue
		}
		return nil
	}
	return nil
}

// updateLiteral reads a literal if it is an update.
func (g *gatherer) updateLiteral(n *ast.CompositeLit, t types.Type) {
	switch u := t.Underlying().(type) {
	case *types.Map, *types.Slice:
	case *types.Struct:
		if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Name() == "Update" && isSDK(pathOf(named)) {
			if g.groupOf[n] == nil {
				g.firestoreUpdate(n, &updateGroup{})
			}
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
	if g.firestoreUpdates(n) {
		return
	}
	group := &updateGroup{literal: n}
	for _, e := range g.entries(n) {
		if strings.HasPrefix(e.key, "$") && !e.dynamic {
			g.operator(group, e)
		}
	}
	g.groups(n, group)
}

func pathOf(named *types.Named) string {
	if named.Obj().Pkg() == nil {
		return ""
	}
	return named.Obj().Pkg().Path()
}

// groups remembers the group of a literal until the call that sends it.
func (g *gatherer) groups(n ast.Node, group *updateGroup) {
	if len(group.updates) > 0 {
		g.groupOf[n] = group
	}
}

// updateEntry reads update["$push"] = ….
func (g *gatherer) updateEntry(left, right ast.Expr) {
	index, ok := ast.Unparen(left).(*ast.IndexExpr)
	if !ok {
		return
	}
	key, ok := g.constantString(index.Index)
	if !ok || !strings.HasPrefix(key, "$") {
		return
	}
	group := &updateGroup{}
	if lit := g.literal(index.X); lit != nil {
		group.literal = lit
		if known := g.groupOf[lit]; known != nil {
			group = known
		}
		g.groupOf[lit] = group
	}
	g.operator(group, entry{key: key, value: right})
}

// listOperators add to a list, in some spelling.
var listOperators = map[string]bool{"$push": true, "$addToSet": true, "$pushAll": true}

// operator reads {$op: {path: value, …}}.
func (g *gatherer) operator(group *updateGroup, op entry) {
	switch op.key {
	case "$push", "$addToSet", "$pushAll", "$pull", "$pullAll", "$pop", "$inc", "$set", "$unset", "$setOnInsert", "$addFields", "$min", "$max", "$mul":
	default:
		return
	}
	for _, e := range g.entries(op.value) {
		if e.key == "" {
			continue
		}
		u := g.newUpdate(op.key, e.key, e.value)
		if e.dynamic {
			u.Dynamic, u.Parts = true, g.variableParts(e.keyExpr)
		}
		if lit := g.literal(op.value); lit != nil {
			u.Entries = lit
		}
		if group.literal != nil {
			u.Outer = group.literal
		}
		if listOperators[op.key] {
			if isAccumulator(e.value, g) {
				continue // $push in a $group stage
			}
			for _, modifier := range g.entries(e.value) {
				switch modifier.key {
				case "$slice":
					u.Sliced = true
				case "$each":
					u.Each = true
					u.Value = g.pkg.Info.TypeOf(modifier.value)
				}
			}
		}
		if op.key == "$set" || op.key == "$addFields" {
			g.concatenation(u, e)
		}
		u.group = group
		group.updates = append(group.updates, u)
		g.updates = append(g.updates, u)
	}
}

// isAccumulator reports whether a value is an expression of an aggregation:
// "$field" or {…: "$field"}.
func isAccumulator(value ast.Expr, g *gatherer) bool {
	text, ok := g.constantString(value)
	return ok && strings.HasPrefix(text, "$")
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
			for _, element := range lit.Elts {
				if text, ok := g.constantString(element); ok && text == "$"+e.key {
					u.Op = "$push"
				}
			}
		case "$slice":
			u.Sliced = true
		case "$size":
			u.Sized = true
		}
	}
}

func (g *gatherer) newUpdate(op, path string, value ast.Expr) *Update {
	u := &Update{Op: op, Path: path, Pos: value.Pos(), Node: value, Value: g.pkg.Info.TypeOf(value), Pkg: g.pkg, Handler: g.isHandler()}
	if g.function != nil {
		u.Func = g.function.Name.Name
	}
	return u
}

// firestoreUpdates reads []firestore.Update{{Path: …, Value: …}, …}: what one
// list changes happens at once.
func (g *gatherer) firestoreUpdates(n *ast.CompositeLit) bool {
	list, ok := g.pkg.Info.TypeOf(n).Underlying().(*types.Slice)
	if !ok {
		return false
	}
	named, ok := types.Unalias(list.Elem()).(*types.Named)
	if !ok || named.Obj().Name() != "Update" || !isSDK(pathOf(named)) {
		return false
	}
	group := &updateGroup{literal: n}
	g.groupOf[n] = group
	for _, element := range n.Elts {
		if lit, ok := ast.Unparen(element).(*ast.CompositeLit); ok {
			g.groupOf[lit] = group
			g.firestoreUpdate(lit, group)
		}
	}
	return true
}

// firestoreUpdate reads firestore.Update{Path: …, Value: …}.
func (g *gatherer) firestoreUpdate(n *ast.CompositeLit, group *updateGroup) {
	var path string
	var value ast.Expr
	var parts []ast.Expr
	dynamic := false
	for _, element := range n.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		if id, ok := pair.Key.(*ast.Ident); ok {
			switch id.Name {
			case "Path":
				path, dynamic = g.constantPath(pair.Value)
				parts = g.variableParts(pair.Value)
			case "FieldPath":
				path, dynamic = g.fieldPath(pair.Value)
				parts = g.variableParts(pair.Value)
			case "Value":
				value = pair.Value
			}
		}
	}
	if path == "" || value == nil {
		return
	}
	u := g.newUpdate(firestoreOperator(value), path, value)
	u.Dynamic, u.Parts = dynamic, parts
	u.group = group
	group.updates = append(group.updates, u)
	g.updates = append(g.updates, u)
}

// constantPath reads a path that is constant, or the constant beginning of one that
// is put together.
func (g *gatherer) constantPath(expr ast.Expr) (path string, dynamic bool) {
	if text, ok := g.constantString(expr); ok {
		return text, false
	}
	return g.constantPrefix(expr), true
}

// fieldPath reads firestore.FieldPath{"scores", id}.
func (g *gatherer) fieldPath(expr ast.Expr) (path string, dynamic bool) {
	lit, ok := ast.Unparen(expr).(*ast.CompositeLit)
	if !ok {
		return "", false
	}
	for _, element := range lit.Elts {
		text, ok := g.constantString(element)
		if !ok {
			return path, true
		}
		path = join(path, text)
	}
	return path, false
}

func (g *gatherer) addUpdate(op, path string, value ast.Expr) { g.addUpdateAt(op, path, nil, value) }

// addUpdateAt adds an update whose path ends in parts that are not constant.
func (g *gatherer) addUpdateAt(op, path string, parts []ast.Expr, value ast.Expr) {
	u := g.newUpdate(op, path, value)
	u.Dynamic, u.Parts = len(parts) > 0, parts
	u.group = &updateGroup{updates: []*Update{u}}
	g.updates = append(g.updates, u)
}

func firestoreOperator(value ast.Expr) string {
	if call, ok := ast.Unparen(value).(*ast.CallExpr); ok {
		switch calledName(call) {
		case "ArrayUnion":
			return "$addToSet"
		case "ArrayRemove":
			return "$pull"
		case "Increment":
			return "$inc"
		}
	}
	return "$set"
}

// updateCall reads updates that are written as calls, and ties literals to
// the call that sends them.
func (g *gatherer) updateCall(call *ast.CallExpr, fn *types.Func) {
	name := calledName(call)
	if strings.HasPrefix(name, "Update") || strings.HasPrefix(name, "FindOneAndUpdate") || strings.HasPrefix(name, "Upsert") || name == "FindAndModify" {
		g.sendUpdate(call, name)
	}
	if fn == nil || fn.Pkg() == nil {
		return
	}
	path := fn.Pkg().Path()
	switch {
	case strings.HasSuffix(path, "dynamodb/expression"):
		g.expression(call, name)
	case strings.Contains(path, "data/azcosmos") && len(call.Args) == 2:
		g.patch(call, name)
	case strings.Contains(path, "couchbase/gocb") && len(call.Args) >= 2:
		if p, dynamic := g.constantPath(call.Args[0]); p != "" {
			var parts []ast.Expr
			if dynamic {
				parts = g.variableParts(call.Args[0])
			}
			switch name {
			case "ArrayAppendSpec", "ArrayPrependSpec":
				g.addUpdateAt("$push", p, parts, call.Args[1])
			case "ArrayAddUniqueSpec":
				g.addUpdateAt("$addToSet", p, parts, call.Args[1])
			case "IncrementSpec", "DecrementSpec":
				g.addUpdateAt("$inc", p, parts, call.Args[1])
			case "UpsertSpec", "ReplaceSpec", "InsertSpec":
				g.addUpdateAt("$set", p, parts, call.Args[1])
			}
		}
	}
}

func (g *gatherer) sendUpdate(call *ast.CallExpr, name string) {
	var handle []source
	if selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		handle = g.sources(selector.X)
	}
	var filters []string
	for _, arg := range call.Args {
		lit := g.literal(arg)
		if lit == nil {
			continue
		}
		group := g.groupOf[lit]
		if group == nil { // not read yet: arguments come after the call
			if t := g.pkg.Info.TypeOf(lit); t != nil {
				g.updateLiteral(lit, t)
				group = g.groupOf[lit]
			}
		}
		if group == nil {
			for _, e := range g.entries(arg) {
				if e.key != "" {
					filters = append(filters, e.key)
				}
			}
			continue
		}
		group.handle = append(group.handle, handle...)
		for _, u := range group.updates {
			u.Many = u.Many || strings.Contains(name, "Many") || strings.Contains(name, "All")
			u.Filters = append(u.Filters, filters...)
		}
	}
}

// expression reads expression.Set(expression.Name("f"), expression.ListAppend(…)).
func (g *gatherer) expression(call *ast.CallExpr, name string) {
	if name != "Set" && name != "Add" || len(call.Args) < 2 {
		return
	}
	target, ok := ast.Unparen(call.Args[len(call.Args)-2]).(*ast.CallExpr)
	if !ok || calledName(target) != "Name" || len(target.Args) != 1 {
		return
	}
	path, ok := g.constantString(target.Args[0])
	if !ok {
		return
	}
	value := call.Args[len(call.Args)-1]
	op := "$set"
	if name == "Add" {
		op = "$inc"
	}
	ast.Inspect(value, func(n ast.Node) bool {
		if inner, ok := n.(*ast.CallExpr); ok {
			switch calledName(inner) {
			case "ListAppend":
				op = "$push"
			case "Plus":
				op = "$inc"
			}
		}
		return true
	})
	g.addUpdate(op, path, value)
}

// patch reads the operations of azcosmos.PatchOperations.
func (g *gatherer) patch(call *ast.CallExpr, name string) {
	pointer, dynamic := g.constantPath(call.Args[0])
	if !strings.HasPrefix(pointer, "/") {
		return
	}
	var parts []ast.Expr
	if dynamic {
		parts = g.variableParts(call.Args[0])
	}
	path := strings.ReplaceAll(strings.TrimPrefix(pointer, "/"), "/", ".")
	switch name {
	case "AppendAdd":
		if list, ok := strings.CutSuffix(path, ".-"); ok {
			g.addUpdate("$push", list, call.Args[1])
			return
		}
		g.addUpdateAt("$set", path, parts, call.Args[1])
	case "AppendSet", "AppendReplace":
		g.addUpdateAt("$set", path, parts, call.Args[1])
	case "AppendIncrement":
		g.addUpdateAt("$inc", path, parts, call.Args[1])
	}
}

// listAppend reads the text of a DynamoDB update expression.
func (g *gatherer) listAppend(expr ast.Expr, text string) {
	const call = "list_append("
	for rest := text; ; {
		i := strings.Index(rest, call)
		if i < 0 {
			return
		}
		target, _, _ := strings.Cut(rest[:i], "=")
		if words := strings.FieldsFunc(target, func(r rune) bool { return r == ' ' || r == ',' }); len(words) > 0 {
			path := words[len(words)-1]
			if !strings.HasPrefix(path, "#") && !strings.HasPrefix(path, ":") {
				g.addUpdate("$push", path, expr)
			}
		}
		rest = rest[i+len(call):]
	}
}

// setDocuments are the structs that an update sets as a whole:
// {$set: post}.
func (g *gatherer) setDocuments(expr ast.Expr) []source {
	if named := structNamed(g.pkg.Info.TypeOf(expr)); named != nil && !isHandle(named) && named.Obj().Name() != "E" {
		return []source{{typ: named, at: expr.Pos()}}
	}
	var found []source
	for _, e := range g.entries(expr) {
		if (e.key == "$set" || e.key == "$setOnInsert") && structNamed(g.pkg.Info.TypeOf(e.value)) != nil {
			found = append(found, g.sources(e.value)...)
		}
	}
	return found
}

// stringConstant reads the constants in which DynamoDB updates are written,
// and those that may be paths of fields.
func (g *gatherer) stringConstant(lit *ast.BasicLit) {
	tv, ok := g.pkg.Info.Types[lit]
	if !ok || tv.Value == nil || tv.Value.Kind() != constant.String {
		return
	}
	text := constant.StringVal(tv.Value)
	if strings.Contains(text, "list_append(") {
		g.listAppend(lit, text)
	}
	if dottedPath.MatchString(text) {
		g.spelled[text] = true
	}
}
