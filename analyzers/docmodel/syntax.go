package docmodel

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"iter"
)

// Named is the defined type that a type is, nil if it is none.
func Named(t types.Type) *types.Named {
	named, _ := types.Unalias(t).(*types.Named)
	return named
}

// TypeName is the import path and the name of a defined type; both are empty
// for other types.
func TypeName(t types.Type) (path, name string) {
	if named := Named(t); named != nil && named.Obj().Pkg() != nil {
		return named.Obj().Pkg().Path(), named.Obj().Name()
	}
	return "", ""
}

// LastName is the name of the variable, field or function that an expression
// ends in: of x.ID and of x.ID() it is ID, "" of what has no name.
func LastName(expr ast.Expr) string {
	if call, ok := ast.Unparen(expr).(*ast.CallExpr); ok {
		return calledName(call)
	}
	if id := lastIdent(expr); id != nil {
		return id.Name
	}
	return ""
}

func lastIdent(expr ast.Expr) *ast.Ident {
	switch e := ast.Unparen(expr).(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	}
	return nil
}

// Referred is what an expression stands for or takes the address of: x of &x.
func Referred(expr ast.Expr) ast.Expr {
	if unary, ok := ast.Unparen(expr).(*ast.UnaryExpr); ok && unary.Op == token.AND {
		return ast.Unparen(unary.X)
	}
	return ast.Unparen(expr)
}

// Text is the value of a constant text; not ok if an expression is none.
func (p *Package) Text(expr ast.Expr) (text string, ok bool) {
	if value := p.Info.Types[expr].Value; value != nil && value.Kind() == constant.String {
		return constant.StringVal(value), true
	}
	return "", false
}

// Converts reports whether a call is a conversion, as int64(x) is.
func (p *Package) Converts(call *ast.CallExpr) bool {
	return p.Info.Types[call.Fun].IsType() && len(call.Args) == 1
}

// Keyed yields the names in a literal such as T{A: x, B: y}, and what they are
// set to.
func Keyed(lit *ast.CompositeLit) iter.Seq2[*ast.Ident, ast.Expr] {
	return func(yield func(*ast.Ident, ast.Expr) bool) {
		for _, element := range lit.Elts {
			if pair, ok := element.(*ast.KeyValueExpr); ok {
				if name, ok := pair.Key.(*ast.Ident); ok && !yield(name, pair.Value) {
					return
				}
			}
		}
	}
}

// SetTo is what a literal sets a field to, nil if it does not name the field.
func SetTo(lit *ast.CompositeLit, field string) ast.Expr {
	for name, value := range Keyed(lit) {
		if name.Name == field {
			return value
		}
	}
	return nil
}
