package docmodel

import (
	"go/ast"
	"go/types"
)

// firestoreUpdates reads []firestore.Update{{Path: …, Value: …}, …}. All
// changes of one list happen at once.
func (g *gatherer) firestoreUpdates(n *ast.CompositeLit) bool {
	list, ok := g.pkg.Info.TypeOf(n).Underlying().(*types.Slice)
	if !ok {
		return false
	}
	if path, name := TypeName(list.Elem()); name != "Update" || !isSDK(path) {
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
	value, written := SetTo(n, "Value"), SetTo(n, "Path")
	path, parts := "", []ast.Expr(nil)
	if written != nil {
		path, parts = g.path(written)
	} else if names, ok := ast.Unparen(orNil(SetTo(n, "FieldPath"))).(*ast.CompositeLit); ok { // firestore.FieldPath{"scores", id}
		path, parts = g.concat(".", names.Elts...)
	}
	by := g.parameter(written)
	if value == nil || path == "" && by == nil {
		return
	}
	u := g.newUpdate(firestoreOperator(value), path, value)
	if u.Dynamic, u.Parts = len(parts) > 0, parts; path == "" {
		g.hand(by, u, group)
	} else {
		g.put(u, group)
	}
}

// firestoreMap reads Set(ctx, map[string]any{"tags": firestore.ArrayUnion(tag)},
// firestore.MergeAll), including nested maps.
func (g *gatherer) firestoreMap(n *ast.CompositeLit) bool {
	group := &updateGroup{literal: n}
	if !g.firestoreEntries(n, "", group) {
		return false
	}
	g.groupOf[n] = group
	g.updates = append(g.updates, group.updates...)
	return true
}

func (g *gatherer) firestoreEntries(n *ast.CompositeLit, above string, group *updateGroup) (transforms bool) {
	for _, e := range g.entries(n) {
		if e.key == "" || e.dynamic {
			continue
		}
		path := join(above, e.key)
		if inner, ok := ast.Unparen(e.value).(*ast.CompositeLit); ok && g.firestoreEntries(inner, path, group) {
			transforms = true
			g.groupOf[inner] = group
			continue
		}
		u := g.newUpdate(firestoreOperator(e.value), path, e.value)
		u.group = group
		group.updates = append(group.updates, u)
		transforms = transforms || u.Op != "$set"
	}
	return transforms
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
