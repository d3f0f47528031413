package duplicatereference

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
)

// fix replaces the push by an operation that keeps a set. This changes what is
// written: an existing id is not added again.
func fix(p *check.Pass, f *docmodel.Field, u *docmodel.Update) *check.Fix {
	plan := check.Plan("keep %s as a set", f.Path)
	if u.Pkg != p.Package {
		return plan
	}
	file := p.Package.File(u.Pos)
	if file == nil {
		return plan
	}
	switch p.DB(f.Document) {
	case "mongodb":
		if key := operator(file, u); key != nil {
			return check.Rewrite(key, strings.Replace(key.Value, "$push", "$addToSet", 1), "use $addToSet instead of $push")
		}
	case "couchbase":
		if name := appendSpec(file, u); name != nil {
			return check.Rewrite(name, "ArrayAddUniqueSpec", "use ArrayAddUniqueSpec instead of ArrayAppendSpec")
		}
	}
	return plan
}

// operator returns the text "$push" of an update that pushes nothing else.
func operator(file *ast.File, u *docmodel.Update) *ast.BasicLit {
	entries, ok := u.Entries.(*ast.CompositeLit)
	if !ok || len(entries.Elts) != 1 {
		return nil
	}
	if slices.ContainsFunc(u.Siblings(), func(sibling *docmodel.Update) bool { return sibling.Op == "$addToSet" }) {
		return nil
	}
	around, _ := astutil.PathEnclosingInterval(file, entries.Pos(), entries.End())
	for _, n := range around {
		if element, ok := n.(ast.Expr); ok {
			if key := pushKey(element, entries); key != nil {
				return key
			}
		}
	}
	return nil
}

// pushKey returns the key of an element {"$push", entries}, in any spelling.
func pushKey(element ast.Expr, entries *ast.CompositeLit) *ast.BasicLit {
	var key, value ast.Expr
	switch e := element.(type) {
	case *ast.KeyValueExpr:
		key, value = e.Key, e.Value
	case *ast.CompositeLit:
		if len(e.Elts) != 2 {
			return nil
		}
		key, value = plain(e.Elts[0]), plain(e.Elts[1])
	}
	literal, ok := key.(*ast.BasicLit)
	if !ok || literal.Kind != token.STRING || value != ast.Expr(entries) {
		return nil
	}
	return literal
}

func plain(expr ast.Expr) ast.Expr {
	if pair, ok := expr.(*ast.KeyValueExpr); ok {
		return pair.Value
	}
	return expr
}

// appendSpec returns the name of the function that makes the update, if it has
// no options: the other function has another type for them.
func appendSpec(file *ast.File, u *docmodel.Update) *ast.Ident {
	for n := range ast.Preorder(file) {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 3 || call.Args[1] != u.Node {
			continue
		}
		selector, ok := call.Fun.(*ast.SelectorExpr)
		if options, isNil := call.Args[2].(*ast.Ident); ok && isNil && options.Name == "nil" && selector.Sel.Name == "ArrayAppendSpec" {
			return selector.Sel
		}
	}
	return nil
}
