package docmodel

import (
	"go/ast"
	"go/types"
)

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
