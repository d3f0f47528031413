package missingdiscriminator

import (
	"go/ast"

	"github.com/shapevet/shapevet/analyzers/docmodel"
)

// constants is the one constant that all keyed literals of a type set a field
// to, "" if there is none.
func constants(program *docmodel.Program, d *docmodel.Document, f *docmodel.Field) string {
	if f.Kind != docmodel.String || f.Promoted {
		return ""
	}
	value := ""
	for _, literal := range program.Literals(d.Named) {
		for _, element := range literal.Node.Elts {
			pair, ok := element.(*ast.KeyValueExpr)
			if !ok {
				continue
			}
			if id, ok := pair.Key.(*ast.Ident); !ok || id.Name != f.GoName() {
				continue
			}
			tv := literal.Pkg.Info.Types[pair.Value]
			if tv.Value == nil || value != "" && value != tv.Value.ExactString() {
				return ""
			}
			value = tv.Value.ExactString()
		}
	}
	return value
}
