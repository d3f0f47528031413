package docmodel

import (
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
)

// An Insert is a call that stores new documents.
type Insert struct {
	Document ast.Expr      // the argument
	Func     *ast.FuncDecl // that contains the call, nil outside functions
	Pkg      *Package
}

// Inserts returns the calls that insert values of the document's type, in source
// order. For a function that takes any value, they are the calls of that
// function.
func (p *Program) Inserts(d *Document) []Insert {
	p.inserting.Do(func() {
		p.inserts = map[string][]Insert{}
		for _, call := range p.calls {
			if call.node == nil || call.sink.kind != writes || !strings.HasPrefix(calledName(call.node), "Insert") || call.sink.argument < 0 || call.sink.argument >= len(call.node.Args) {
				continue
			}
			for _, arg := range call.node.Args[call.sink.argument:] {
				p.inserted(Insert{Document: arg, Func: call.function, Pkg: call.pkg}, 0)
			}
		}
	})
	return p.inserts[d.Key]
}

func (p *Program) inserted(insert Insert, passed int) {
	t := orInvalid(insert.Pkg.Info.TypeOf(insert.Document))
	if named := structNamed(t); named != nil {
		p.inserts[TypeKey(named)] = append(p.inserts[TypeKey(named)], insert)
	} else if isAny(takeApart(t).elem) && passed < MaxCalls {
		for _, outer := range p.Passed(insert) {
			p.inserted(outer, passed+1)
		}
	}
}

// Passed returns the calls that pass the inserted value to the function around
// an insert. They insert it too.
func (p *Program) Passed(insert Insert) (found []Insert) {
	a := p.accumulates()
	r := a.around(insert.Pkg, insert.Document)
	if r == nil {
		return nil
	}
	if i, ok := r.params[r.variable(Referred(insert.Document))]; ok && i >= 0 {
		for _, s := range a.callers[r.fn] {
			if arg := s.argument(i); arg != nil {
				found = append(found, Insert{Document: arg, Func: s.in.decl, Pkg: s.in.pkg})
			}
		}
	}
	return found
}

// Called returns the function that a call in a package names, or nil if it is
// not known. For an instance of a generic function or method it returns the
// declared one.
func (p *Package) Called(call *ast.CallExpr) *types.Func {
	if fn, ok := p.Info.Uses[instanceIdent(call)].(*types.Func); ok {
		return fn.Origin()
	}
	return nil
}

// File returns the file of the package that contains a position, or nil.
func (p *Package) File(pos token.Pos) *ast.File {
	for _, file := range p.Files {
		if file.FileStart <= pos && pos <= file.FileEnd {
			return file
		}
	}
	return nil
}

// Functions yields the functions of the package that have a body.
func (p *Package) Functions() iter.Seq[*ast.FuncDecl] {
	return func(yield func(*ast.FuncDecl) bool) {
		for _, file := range p.Files {
			for _, decl := range file.Decls {
				if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil && !yield(fn) {
					return
				}
			}
		}
	}
}

// Function returns the function of the package around a position, or nil.
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

// Reads reports whether a package is part of the program.
func (p *Program) Reads(pkg *types.Package) bool {
	return pkg != nil && (p.paths[pkg] || p.packages[pkg.Path()])
}

// Imported reports whether a package is imported by another.
func (p *Program) Imported(path, by string) bool {
	return slices.ContainsFunc(p.usage.packages, func(pkg *Package) bool {
		return pkg.Path == by && pkg.Types != nil && slices.ContainsFunc(pkg.Types.Imports(), func(imported *types.Package) bool { return imported.Path() == path })
	})
}

// asking begins the names of functions that take a document to find others like
// it.
var asking = []string{"Find", "Count", "Delete", "Remove", "Distinct", "Update", "Replace", "Get", "List", "Search", "Query", "Filter", "Exists"}

// Asks reports whether a literal is passed to a function that queries
// documents: it is a filter and is not stored.
func (l *Literal) Asks() bool {
	around, _ := astutil.PathEnclosingInterval(l.Pkg.File(l.Node.Pos()), l.Node.Pos(), l.Node.End())
	return slices.ContainsFunc(around, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		return ok && hasVerb(calledName(call), asking)
	})
}

// A Value is an expression that code sets a field to.
type Value struct {
	Expr ast.Expr
	At   token.Pos // position of the field's name in a literal, or else of the expression
	Pkg  *Package
}

// Values returns what code sets a field to. Values in literals come first.
func (p *Program) Values(f *Field) (found []Value) {
	if f.Owner != nil {
		for _, l := range p.Literals(f.Owner) {
			for name, value := range Keyed(l.Node) {
				if name.Name == f.GoName() {
					found = append(found, Value{value, name.Pos(), l.Pkg})
				}
			}
		}
	}
	for _, w := range f.Writes {
		if w.Value != nil {
			found = append(found, Value{w.Value, w.Value.Pos(), w.Pkg})
		}
	}
	return found
}
