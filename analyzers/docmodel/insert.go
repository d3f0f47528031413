package docmodel

import (
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"strings"
)

// An Insert is a call that stores new documents.
type Insert struct {
	Document ast.Expr      // the argument
	Func     *ast.FuncDecl // around the call, nil outside functions
	Pkg      *Package
}

// Inserts returns the calls that insert values which are of the document's
// type where they are passed, in source order.
func (p *Program) Inserts(d *Document) []Insert {
	var found []Insert
	for _, call := range p.calls {
		if call.sink.kind != writes || !strings.HasPrefix(calledName(call.node), "Insert") || call.sink.argument < 0 || call.sink.argument >= len(call.node.Args) {
			continue
		}
		for _, arg := range call.node.Args[call.sink.argument:] {
			if named := structNamed(call.pkg.Info.TypeOf(arg)); named != nil && TypeKey(named) == d.Key {
				found = append(found, Insert{Document: arg, Func: call.function, Pkg: call.pkg})
			}
		}
	}
	return found
}

// Called is the function that a call in a package names, nil if that is not
// known.
func (p *Package) Called(call *ast.CallExpr) *types.Func {
	g := gatherer{pkg: p}
	return g.callee(call)
}

// File is the file of the package that holds a position, nil if none does.
func (p *Package) File(pos token.Pos) *ast.File {
	for _, file := range p.Files {
		if file.FileStart <= pos && pos <= file.FileEnd {
			return file
		}
	}
	return nil
}

// Function is the function of the package around a position, nil if there is none.
func (p *Package) Function(pos token.Pos) *ast.FuncDecl {
	if file := p.File(pos); file != nil {
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Pos() <= pos && pos < fn.End() {
				return fn
			}
		}
	}
	return nil
}

// Reads reports whether a package is one of those the program is made of.
func (p *Program) Reads(pkg *types.Package) bool {
	return pkg != nil && (p.paths[pkg] || p.packages[pkg.Path()])
}

// asking begins the names of functions that take a document to look for others
// like it.
var asking = []string{"Find", "Count", "Delete", "Remove", "Distinct", "Update", "Replace", "Get", "List", "Search", "Query", "Filter", "Exists"}

// Asks reports whether a literal is passed to a function that looks for
// documents: it is a filter and not stored.
func (l *Literal) Asks() bool {
	asks := false
	ast.Inspect(l.Pkg.File(l.Node.Pos()), func(n ast.Node) bool {
		if n == nil || l.Node.Pos() < n.Pos() || n.End() < l.Node.End() {
			return false
		}
		if call, ok := n.(*ast.CallExpr); ok && hasVerb(calledName(call), asking) {
			asks = true
		}
		return true
	})
	return asks
}

// Values returns the expressions that code sets a field to, in literals first.
func (p *Program) Values(f *Field) iter.Seq2[ast.Expr, ast.Node] {
	return func(yield func(value ast.Expr, at ast.Node) bool) {
		if f.Owner != nil {
			for _, l := range p.Literals(f.Owner) {
				for _, element := range l.Node.Elts {
					pair, ok := element.(*ast.KeyValueExpr)
					if !ok {
						continue
					}
					if id, ok := pair.Key.(*ast.Ident); ok && id.Name == f.GoName() && !yield(pair.Value, pair) {
						return
					}
				}
			}
		}
		for _, w := range f.Writes {
			if w.Value != nil && !yield(w.Value, w.Value) {
				return
			}
		}
	}
}
