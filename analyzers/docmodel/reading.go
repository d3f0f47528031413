package docmodel

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/lazyregexp"
)

// A reading is a request that returns documents by something else than their
// keys, so that they may be of several types.
type reading struct {
	handle []source
	names  []string // paths of fields that every document it returns has
	pos    token.Pos
}

// searches are the methods that send such requests, with what reads the fields that
// they name.
var searches = map[string]func(*gatherer, *ast.CallExpr) ([]string, bool){
	"Find": (*gatherer).filtered, "FindOne": (*gatherer).filtered, "CountDocuments": (*gatherer).filtered, "Distinct": (*gatherer).filtered,
	"Aggregate": (*gatherer).matched, "Pipe": (*gatherer).matched,
	"NewQueryItemsPager": (*gatherer).selected,
	"Where":              (*gatherer).named, "OrderBy": (*gatherer).named, "Documents": (*gatherer).all, "Snapshots": (*gatherer).all,
	"Watch": (*gatherer).all, "Scan": (*gatherer).all,
}

// search records a call that sends such a request.
func (g *gatherer) search(call *ast.CallExpr) {
	selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || searches[selector.Sel.Name] == nil {
		return
	}
	of := takeApart(orInvalid(g.pkg.Info.TypeOf(selector.X))).elem
	if _, name := TypeName(of); !isHandle(of) || name == "Query" { // which a call before has made
		return
	}
	if names, ok := searches[selector.Sel.Name](g, call); ok {
		g.readings = append(g.readings, reading{handle: g.sources(selector.X), names: names, pos: call.Pos()})
	}
}

// all returns no fields: a request for all documents.
func (g *gatherer) all(*ast.CallExpr) (names []string, ok bool) { return nil, true }

// filtered returns the fields that a filter names. ok is false if it asks for an
// id.
func (g *gatherer) filtered(call *ast.CallExpr) (names []string, ok bool) {
	for _, arg := range call.Args {
		if path, name := TypeName(g.pkg.Info.TypeOf(arg)); isBSONPackage(path) && (name == "M" || name == "D") {
			return g.keys(arg)
		}
	}
	return nil, true
}

// keys returns the names at the top of a filter.
func (g *gatherer) keys(filter ast.Expr) (names []string, ok bool) {
	for _, e := range g.entries(filter) {
		switch {
		case e.dynamic || strings.HasPrefix(e.key, "$"):
			continue
		case e.key == "_id" && g.oneOf(e.value):
			return nil, false
		}
		names = append(names, e.key)
	}
	return names, true
}

// oneOf reports whether a condition is a value, or a list of values, rather than a
// range.
func (g *gatherer) oneOf(condition ast.Expr) bool {
	return !slices.ContainsFunc(g.entries(condition), func(e entry) bool { return strings.HasPrefix(e.key, "$") && e.key != "$in" && e.key != "$eq" })
}

// matched returns the fields that the first stage of a pipeline names.
func (g *gatherer) matched(call *ast.CallExpr) (names []string, ok bool) {
	for _, arg := range call.Args {
		stages := g.literal(arg)
		if stages == nil || len(stages.Elts) == 0 {
			continue
		}
		for _, e := range g.entries(stages.Elts[0]) {
			if e.key == "$match" {
				return g.keys(e.value)
			}
		}
	}
	return nil, true
}

// compared matches a field that a text of SQL compares with something.
var compared = lazyregexp.New(`(?i)\b[a-z]\w*\.([\w.]+)\s*(=|!=|<|>|IN\b|LIKE\b|BETWEEN\b)`)

// alternative matches what makes a condition one of several.
var alternative = lazyregexp.New(`(?i)\bOR\b`)

// selected returns the fields that a text of SQL compares.
func (g *gatherer) selected(call *ast.CallExpr) (names []string, ok bool) {
	if len(call.Args) == 0 {
		return nil, true
	}
	text, _ := g.path(call.Args[0])
	if alternative.MatchString(text) {
		return nil, true
	}
	for _, found := range compared.FindAllStringSubmatch(text, -1) {
		if found[1] == "id" && found[2] == "=" {
			return nil, false
		}
		names = append(names, found[1])
	}
	return names, true
}

// named returns the field that the first argument names.
func (g *gatherer) named(call *ast.CallExpr) (names []string, ok bool) {
	if len(call.Args) > 0 {
		if path, ok := g.constantString(call.Args[0]); ok {
			return []string{path}, true
		}
	}
	return nil, true
}

// readInput records a request to DynamoDB for more than the items of one key, and one
// that turns on expiry.
func (g *gatherer) readInput(named *types.Named, n *ast.CompositeLit) {
	table, ok := g.constantString(orNil(SetTo(n, "TableName")))
	if !ok || !strings.Contains(pathOf(named), "service/dynamodb") {
		return
	}
	switch name := named.Obj().Name(); {
	case name == "UpdateTimeToLiveInput":
		g.expiring = append(g.expiring, table)
	case name == "ScanInput", name == "QueryInput" && SetTo(n, "IndexName") != nil:
		g.readings = append(g.readings, reading{handle: []source{{trait: trait{kind: inCollection, name: table}, at: n.Pos()}}, pos: n.Pos()})
	}
}

// keyspace matches what a text of N1QL reads from.
var keyspace = lazyregexp.New("(?i)\\bFROM\\s+([\\w.`-]+)")

// readText records a text of N1QL that reads documents. Where it is put together at
// run time it may read any.
func (g *gatherer) readText(call *ast.CallExpr, fn *types.Func) {
	if fn == nil || fn.Pkg() == nil || !within(fn.Pkg().Path(), "couchbase/gocb") || fn.Name() != "Query" && fn.Name() != "NewN1qlQuery" || len(call.Args) == 0 {
		return
	}
	text, parts := g.path(call.Args[0])
	found := reading{pos: call.Pos()}
	for _, from := range keyspace.FindAllStringSubmatch(text, -1) {
		for _, name := range strings.Split(strings.ReplaceAll(from[1], "`", ""), ".") {
			found.handle = append(found.handle, source{trait: trait{kind: inCollection, name: name}, at: call.Pos()})
		}
	}
	if len(found.handle) > 0 || len(parts) > 0 {
		g.readings = append(g.readings, found)
	}
}

// ReadTogether returns a request to a collection that may return documents of two
// types at once, or NoPos: it does not ask for keys, and both have the fields that
// it names.
func (p *Program) ReadTogether(collection string, a, b *Document) token.Pos {
	for _, r := range p.readings {
		if len(r.handle) > 0 && !slices.Contains(p.collections(r.handle), collection) || len(r.handle) == 0 && a.DB != "couchbase" {
			continue
		}
		if a.hasAll(r.names) && b.hasAll(r.names) {
			return r.pos
		}
	}
	return token.NoPos
}

// hasAll reports whether documents of the type may have the fields at the top of all
// paths.
func (d *Document) hasAll(paths []string) bool {
	return d.Open() || !slices.ContainsFunc(paths, func(path string) bool {
		name, _, _ := strings.Cut(path, ".")
		return !slices.ContainsFunc(d.Fields, func(f *Field) bool { return f.Name == name })
	})
}

// selects reports whether a chain of calls asks for some fields of the documents only.
func selects(call *ast.CallExpr) bool {
	for call != nil && calledName(call) != "Select" {
		method, _ := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if method == nil {
			return false
		}
		call, _ = ast.Unparen(method.X).(*ast.CallExpr)
	}
	return call != nil
}
