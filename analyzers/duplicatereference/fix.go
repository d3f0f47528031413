package duplicatereference

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
)

// fix puts an operation that keeps a set in the place of the push. It changes
// what the write does: an id that is there is not added again.
func fix(p *docmodel.Pass, f *docmodel.Field, u *docmodel.Update) *docmodel.Fix {
	plan := &docmodel.Fix{Title: fmt.Sprintf("keep %s as a set", f.Path), Safety: finding.Plan}
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
			return &docmodel.Fix{
				Title: "use $addToSet instead of $push", Safety: finding.Unsafe,
				Edits: []analysis.TextEdit{{Pos: key.Pos(), End: key.End(), NewText: []byte(strings.Replace(key.Value, "$push", "$addToSet", 1))}},
			}
		}
	case "couchbase":
		if name := appendSpec(file, u); name != nil {
			return &docmodel.Fix{
				Title: "use ArrayAddUniqueSpec instead of ArrayAppendSpec", Safety: finding.Unsafe,
				Edits: []analysis.TextEdit{{Pos: name.Pos(), End: name.End(), NewText: []byte("ArrayAddUniqueSpec")}},
			}
		}
	}
	return plan
}

// operator is the text "$push" of an update that pushes nothing else.
func operator(file *ast.File, u *docmodel.Update) *ast.BasicLit {
	entries, ok := u.Entries.(*ast.CompositeLit)
	if !ok || len(entries.Elts) != 1 {
		return nil
	}
	for _, sibling := range u.Siblings() {
		if sibling.Op == "$addToSet" {
			return nil
		}
	}
	var found *ast.BasicLit
	ast.Inspect(file, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok || n.Pos() > entries.Pos() || entries.End() > n.End() {
			return n == nil || n.Pos() <= entries.Pos()
		}
		for _, element := range lit.Elts {
			if key := pushKey(element, entries); key != nil {
				found = key
			}
		}
		return true
	})
	return found
}

// pushKey is the key of an element {"$push", entries}, in any of its
// spellings.
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

// appendSpec is the name of the function that makes the update, if it takes
// no options, which are of another type for the other function.
func appendSpec(file *ast.File, u *docmodel.Update) *ast.Ident {
	var found *ast.Ident
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 3 || call.Args[1] != u.Node {
			return true
		}
		selector, ok := call.Fun.(*ast.SelectorExpr)
		if options, isNil := call.Args[2].(*ast.Ident); ok && isNil && options.Name == "nil" && selector.Sel.Name == "ArrayAppendSpec" {
			found = selector.Sel
		}
		return true
	})
	return found
}
