package docmodel

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// A Replacement is a call that replaces a whole document with a value of a
// type. Fields that the type lacks are lost.
type Replacement struct {
	Call string // as in the code: ReplaceOne, UpsertItem
	Pos  token.Pos
}

// replaceNames are functions that replace documents. Those that may also insert
// a document lose fields only if it was read before.
var replaceNames = map[string]bool{
	"ReplaceOne": true, "FindOneAndReplace": true, "SetReplacement": true, "ReplaceItem": true, "Replace": true,
	"UpsertItem": false, "Upsert": false, "UpsertId": false, "Set": false, "Put": false, "PutItem": false,
}

// mgoReplaceNames are the functions of mgo that replace the document if they
// are given a struct.
var mgoReplaceNames = map[string]bool{"Update": true, "UpdateId": true}

// replacement returns what a call replaces a document with, or nil. always is
// true if it replaces whether or not the document was read before.
func (c *sinkCall) replacement() (found *Replacement, always bool) {
	if c.sink.kind != writes || c.guessed {
		return nil, false
	}
	if c.node == nil { // the input of a PutItem
		return &Replacement{Call: "PutItem", Pos: c.pos}, false
	}
	name := calledName(c.node)
	always, ok := replaceNames[name]
	if !ok && c.sink.pattern == "mgo" {
		always, ok = mgoReplaceNames[name]
	}
	merges := c.sink.codec == Firestore && len(c.node.Args) > c.sink.argument+1 // firestore.MergeAll
	if !ok || merges {
		return nil, false
	}
	return &Replacement{Call: name, Pos: c.pos}, always
}

// sawReplacement keeps the first replacing call.
func (c *candidate) sawReplacement(call *sinkCall) {
	found, always := call.replacement()
	if found == nil || c.replaced != nil && (c.alwaysReplaced || !always) {
		return
	}
	c.replaced, c.alwaysReplaced = found, always
}

// Changes reports whether code changes stored documents of a type: it replaces
// them, or an update goes to a collection of theirs or to one of their fields.
func (p *Program) Changes(d *Document) bool {
	changed := d.changed
	All(d.Fields, func(f *Field) { changed = changed || len(f.Updates) > 0 })
	return changed || slices.ContainsFunc(p.calls, func(c sinkCall) bool {
		return c.sink.kind == updates && slices.ContainsFunc(p.collections(c.handle), func(name string) bool { return slices.Contains(d.Collections, name) })
	})
}

// decodes records the struct types that bytes are decoded into.
func (g *gatherer) decodes(call *ast.CallExpr) {
	if len(call.Args) < 2 || !strings.HasPrefix(calledName(call), "Unmarshal") {
		return
	}
	if named := structNamed(g.pkg.Info.TypeOf(call.Args[len(call.Args)-1])); named != nil {
		g.decoded[TypeKey(named)] = true
	}
}
