package docmodel

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"iter"
)

// Named returns a type as a defined type, or nil.
func Named(t types.Type) *types.Named {
	named, _ := types.Unalias(t).(*types.Named)
	return named
}

// TypeName returns the import path and name of a defined type. Both are empty
// for other types.
func TypeName(t types.Type) (path, name string) {
	if named := Named(t); named != nil && named.Obj().Pkg() != nil {
		return named.Obj().Pkg().Path(), named.Obj().Name()
	}
	return "", ""
}

// LastName returns the name of the variable, field or function at the end of an
// expression: ID for x.ID and for x.ID(), "" if there is none.
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

// Referred returns an expression without parentheses and address operator: x
// for &x.
func Referred(expr ast.Expr) ast.Expr {
	if unary, ok := ast.Unparen(expr).(*ast.UnaryExpr); ok && unary.Op == token.AND {
		return ast.Unparen(unary.X)
	}
	return ast.Unparen(expr)
}

// Text returns the value of a constant text. ok is false for other expressions.
func (p *Package) Text(expr ast.Expr) (text string, ok bool) {
	if value := p.Info.Types[expr].Value; value != nil && value.Kind() == constant.String {
		return constant.StringVal(value), true
	}
	return "", false
}

// Converts reports whether a call is a conversion such as int64(x).
func (p *Package) Converts(call *ast.CallExpr) bool {
	return p.Info.Types[call.Fun].IsType() && len(call.Args) == 1
}

// Keyed yields the names in a literal such as T{A: x, B: y}, with their values.
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

// SetTo returns the value that a literal gives a field, or nil if it does not
// name the field.
func SetTo(lit *ast.CompositeLit, field string) ast.Expr {
	for name, value := range Keyed(lit) {
		if name.Name == field {
			return value
		}
	}
	return nil
}

// IsNil reports whether an expression is nil.
func IsNil(expr ast.Expr) bool {
	id, ok := ast.Unparen(expr).(*ast.Ident)
	return ok && id.Name == "nil"
}

// IsText reports whether values of a type are strings.
func IsText(t types.Type) bool {
	b, ok := orInvalid(t).Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// isWhole reports whether values of a type are whole numbers.
func isWhole(t types.Type) bool {
	b, ok := orInvalid(t).Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// IsByte reports whether values of a type are bytes.
func IsByte(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Uint8
}
