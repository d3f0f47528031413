package duplicatereference

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/rulebook"
)

// fresh reports whether an update adds the id of something that the function,
// or each of its callers, has just made. No list can contain it yet. A caller may
// check instead that the list does not have the id.
func fresh(p *docmodel.Program, u *docmodel.Update, f *docmodel.Field) bool {
	value, ok := u.Node.(ast.Expr)
	return ok && u.In != nil && p.Everywhere(u.In, value, func(pkg *docmodel.Package, fn *ast.FuncDecl, e ast.Expr) bool {
		return isNew(pkg.Info, fn, e, 0) || p.LooksIn(pkg, fn, e.Pos(), f)
	})
}

// isNew reports whether an expression is, or comes from, something made in
// the function.
func isNew(info *types.Info, fn *ast.FuncDecl, expr ast.Expr, hops int) bool {
	if hops > docmodel.MaxCalls {
		return false
	}
	switch e := ast.Unparen(expr).(type) {
	case *ast.CallExpr:
		return makes(e) || hasNewArgument(info, fn, e, hops)
	case *ast.TypeAssertExpr:
		return isNew(info, fn, e.X, hops+1)
	case *ast.StarExpr:
		return isNew(info, fn, e.X, hops+1)
	case *ast.SelectorExpr:
		return e.Sel.Name == "InsertedID" || isNew(info, fn, e.X, hops+1)
	case *ast.CompositeLit, *ast.UnaryExpr:
		return true
	case *ast.Ident:
		return madeIn(info, fn, info.ObjectOf(e), hops)
	}
	return false
}

// hasNewArgument reports whether a call converts or formats something new:
// id.Hex(), ObjectIDFromHex(id).
func hasNewArgument(info *types.Info, fn *ast.FuncDecl, call *ast.CallExpr, hops int) bool {
	if selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && isNew(info, fn, selector.X, hops+1) {
		return true
	}
	return slices.ContainsFunc(call.Args, func(arg ast.Expr) bool {
		_, literal := ast.Unparen(arg).(*ast.CompositeLit)
		return !literal && isNew(info, fn, arg, hops+1)
	})
}

var (
	makers  = rulebook.Words("duplicate-reference", "makers")
	keepers = rulebook.Words("duplicate-reference", "keepers")
)

// makes reports whether the name of a function says that it makes or stores its
// result.
func makes(call *ast.CallExpr) bool {
	return called(call, makers())
}

// called reports whether the name of a function begins with one of the verbs,
// in upper or lower case.
func called(call *ast.CallExpr, verbs []string) bool {
	name := strings.ToLower(docmodel.LastName(call.Fun))
	return slices.ContainsFunc(verbs, func(verb string) bool { return strings.HasPrefix(name, verb) })
}

// madeIn reports whether a function makes or stores the value of a variable.
// Its id is then added for the first time.
func madeIn(info *types.Info, fn *ast.FuncDecl, object types.Object, hops int) bool {
	for n := range ast.Preorder(fn.Body) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if names(info, left, object) && isNew(info, fn, n.Rhs[min(i, len(n.Rhs)-1)], hops+1) {
					return true
				}
			}
		case *ast.ValueSpec: // var id = uuid.New()
			for i, name := range n.Names {
				if info.ObjectOf(name) == object && len(n.Values) > 0 && isNew(info, fn, n.Values[min(i, len(n.Values)-1)], hops+1) {
					return true
				}
			}
		case *ast.CallExpr: // c.InsertOne(ctx, comment)
			for _, arg := range n.Args {
				if id, ok := docmodel.Referred(arg).(*ast.Ident); ok && info.ObjectOf(id) == object && stores(n) {
					return true
				}
			}
		}
	}
	return false
}

// names reports whether an expression is a variable or a part of its value.
func names(info *types.Info, expr ast.Expr, object types.Object) bool {
	for {
		switch e := ast.Unparen(expr).(type) {
		case *ast.SelectorExpr:
			expr = e.X
			continue
		case *ast.Ident:
			return info.ObjectOf(e) == object
		}
		return false
	}
}

func stores(call *ast.CallExpr) bool {
	selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	return ok && ast.IsExported(selector.Sel.Name) && called(call, keepers())
}
