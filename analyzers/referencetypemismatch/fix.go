package referencetypemismatch

import (
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lazyregexp"
)

// checks matches struct tags that validate the value and may reject another
// type.
var checks = lazyregexp.New(`\b(validate|binding|valid):"`)

// fix gives the reference the type of the id, if the code still compiles and none
// converts the reference or compares it with the text of an id.
// Stored references keep the old type.
func fix(p *check.Pass, f *docmodel.Field, target *docmodel.Document, id *docmodel.Field) *check.Fix {
	plan := check.Plan("store %s in the type of %s.%s and convert the stored references", f.Path, target.Name, id.GoName())
	if id.Kind == docmodel.Interface || f.Syntax == nil || len(f.Syntax.Names) != 1 || f.Document.Codec != target.Codec || checks.MatchString(f.RawTag) || p.Program.UsedElsewhere(f) || p.Program.Converted(f) {
		return plan
	}
	written := element(p, f)
	source := p.TypeSource(id.Elem, f.Var.Pos())
	if written == nil || source == "" {
		return plan
	}
	edit := analysis.TextEdit{Pos: written.Pos(), End: written.End(), NewText: []byte(source)}
	if found := p.Edit(fmt.Sprintf("change the type of %s to %s, that of %s.%s", f.GoName(), source, target.Name, id.GoName()), finding.Unsafe, edit); found != nil {
		return found
	}
	return plan
}

// element returns the type of one reference as written in the field, or nil if
// a defined list or pointer type hides it.
func element(p *check.Pass, f *docmodel.Field) ast.Expr {
	for expr := f.Syntax.Type; ; {
		switch e := ast.Unparen(expr).(type) {
		case *ast.StarExpr:
			expr = e.X
		case *ast.ArrayType:
			expr = e.Elt
		default:
			if t := p.Package.Info.TypeOf(e); t == nil || !types.Identical(t, f.Elem) {
				return nil
			}
			return e
		}
	}
}
