package invalidid

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/lazyregexp"
)

// A part is a piece of an id that is visible in code.
type part struct {
	text    string
	node    ast.Expr
	literal *ast.BasicLit // nil if the text is elsewhere
	format  bool          // the literal is a fmt.Sprintf format
	base64  bool          // not text, but the standard base64 alphabet
}

// verb matches a fmt.Sprintf verb: a # in it is not part of the text.
var verb = lazyregexp.New(`%[-+# 0]*(\[\d+\])?[0-9*]*(\.[0-9*]*)?(\[\d+\])?[a-zA-Z%]`)

// parts lists the visible pieces from which an expression makes a text: with
// fmt.Sprintf, +, or strings.Join, also in a function of the same package.
func parts(pkg *docmodel.Package, expr ast.Expr, hops int) []part {
	expr = ast.Unparen(expr)
	if hops > docmodel.MaxCalls {
		return nil
	}
	if text, ok := pkg.Text(expr); ok {
		literal, _ := expr.(*ast.BasicLit)
		return []part{{text: text, node: expr, literal: literal}}
	}
	switch e := expr.(type) {
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return append(parts(pkg, e.X, hops+1), parts(pkg, e.Y, hops+1)...)
		}
	case *ast.Ident:
		if set := definition(pkg, e); set != nil {
			return parts(pkg, set, hops+1)
		}
	case *ast.CallExpr:
		return called(pkg, e, hops)
	}
	return nil
}

func called(pkg *docmodel.Package, call *ast.CallExpr, hops int) []part {
	if pkg.Converts(call) {
		return parts(pkg, call.Args[0], hops+1)
	}
	fn := pkg.Called(call)
	if fn == nil || fn.Pkg() == nil {
		return nil
	}
	switch fn.FullName() {
	case "fmt.Sprintf":
		if len(call.Args) == 0 {
			return nil
		}
		found := parts(pkg, call.Args[0], hops+1)
		for i := range found {
			found[i].text, found[i].format = verb.ReplaceAllString(found[i].text, ""), true
		}
		return found
	case "strings.Join":
		if len(call.Args) == 2 {
			return parts(pkg, call.Args[1], hops+1)
		}
	case "(*encoding/base64.Encoding).EncodeToString":
		if encoding, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
			if name, ok := encoding.X.(*ast.SelectorExpr); ok && (name.Sel.Name == "StdEncoding" || name.Sel.Name == "RawStdEncoding") {
				return []part{{node: name, base64: true}}
			}
		}
	}
	if fn.Pkg() == pkg.Types {
		if result := onlyResult(pkg, fn); result != nil {
			return parts(pkg, result, hops+1)
		}
	}
	return nil
}

// definition returns the only expression that a local variable is set to, or
// nil.
func definition(pkg *docmodel.Package, id *ast.Ident) ast.Expr {
	v, ok := pkg.Info.ObjectOf(id).(*types.Var)
	if !ok || v.IsField() {
		return nil
	}
	fn := pkg.Function(v.Pos())
	if fn == nil || fn.Body == nil {
		return nil
	}
	var set []ast.Expr
	for n := range ast.Preorder(fn.Body) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				name, ok := left.(*ast.Ident)
				switch {
				case !ok || pkg.Info.ObjectOf(name) != v:
				case len(n.Lhs) != len(n.Rhs) || n.Tok != token.DEFINE && n.Tok != token.ASSIGN:
					return nil
				default:
					set = append(set, n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if pkg.Info.ObjectOf(name) == v && i < len(n.Values) {
					set = append(set, n.Values[i])
				}
			}
		}
	}
	if len(set) != 1 {
		return nil
	}
	return set[0]
}

// onlyResult returns the only expression that a function returns.
func onlyResult(pkg *docmodel.Package, fn *types.Func) ast.Expr {
	decl := pkg.Function(fn.Pos())
	if decl == nil || decl.Body == nil || len(decl.Body.List) == 0 {
		return nil
	}
	if ret, ok := decl.Body.List[len(decl.Body.List)-1].(*ast.ReturnStmt); ok && len(decl.Body.List) <= 2 && len(ret.Results) == 1 {
		return ret.Results[0]
	}
	return nil
}

// replace returns the edit that writes an id without the characters. It is
// unsafe because stored ids keep them.
func replace(p *check.Pass, part part, characters string) *check.Fix {
	plan := check.Plan("join the parts of the id with a colon")
	if p.Package.File(part.node.Pos()) == nil {
		return plan
	}
	if part.base64 {
		name := part.node.(*ast.SelectorExpr).Sel
		better := strings.Replace(name.Name, "Std", "URL", 1)
		return check.Rewrite(name, better, "use the alphabet for addresses, base64.%s", better)
	}
	if part.literal == nil || strings.Contains(part.literal.Value, `\`) {
		return plan
	}
	source := part.literal.Value
	var verbs [][]int
	if part.format {
		verbs = verb.FindAllStringIndex(source, -1)
	}
	var text strings.Builder
	for at, r := range source {
		inVerb := slices.ContainsFunc(verbs, func(v []int) bool { return v[0] <= at && at < v[1] })
		if !inVerb && strings.ContainsRune(characters, r) {
			r = ':'
		}
		text.WriteRune(r)
	}
	return check.Rewrite(part.literal, text.String(), "join the parts of the id with a colon")
}
