package docmodel

import (
	"go/ast"
	"strings"
)

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
	for n := range ast.Preorder(value) {
		if inner, ok := n.(*ast.CallExpr); ok {
			switch calledName(inner) {
			case "ListAppend":
				op = "$push"
			case "Plus":
				op = "$inc"
			}
		}
	}
	g.addUpdate(op, path, value)
}

// listAppend reads the text of a DynamoDB update expression.
func (g *gatherer) listAppend(expr ast.Expr, text string) {
	parts := strings.Split(text, "list_append(")
	for _, before := range parts[:len(parts)-1] {
		target, _, _ := strings.Cut(before, "=")
		if words := strings.FieldsFunc(target, func(r rune) bool { return r == ' ' || r == ',' }); len(words) > 0 {
			path := words[len(words)-1]
			if !strings.HasPrefix(path, "#") && !strings.HasPrefix(path, ":") {
				g.addUpdate("$push", path, expr)
			}
		}
	}
}

// stringConstant reads the constants in which DynamoDB updates are written,
// and those that may be paths of fields.
func (g *gatherer) stringConstant(lit *ast.BasicLit) {
	text, _ := g.pkg.Text(lit)
	g.listAppend(lit, text)
	if dottedPath.MatchString(text) {
		g.spelled[text] = true
	}
}
