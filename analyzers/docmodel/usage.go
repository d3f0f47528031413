package docmodel

import (
	"go/ast"
	"go/types"
	"slices"
	"sync"
)

// usage is what code does with struct types and fields, as far as it decides
// whether an edit of their declaration still compiles. It is gathered when
// the first fix asks for it.
type usage struct {
	once      sync.Once
	packages  []*Package
	mentioned map[*types.Var]bool
	converted map[string]bool // struct types that are converted to or from another
}

func (u *usage) gather() {
	u.once.Do(func() {
		u.mentioned, u.converted = map[*types.Var]bool{}, map[string]bool{}
		for _, pkg := range u.packages {
			if pkg.Info == nil {
				continue
			}
			for _, object := range pkg.Info.Uses {
				if v, ok := object.(*types.Var); ok && v.IsField() {
					u.mentioned[v.Origin()] = true
				}
			}
			for _, file := range pkg.Files {
				for n := range ast.Preorder(file) {
					if call, ok := n.(*ast.CallExpr); ok {
						u.conversion(pkg, call)
					}
				}
			}
		}
	})
}

// conversion notes struct types that stop to be convertible once one of them
// gains a field.
func (u *usage) conversion(pkg *Package, call *ast.CallExpr) {
	if !pkg.Converts(call) {
		return
	}
	for _, expr := range []ast.Expr{call.Fun, call.Args[0]} {
		if named := structNamed(pkg.Info.TypeOf(expr)); named != nil {
			u.converted[TypeKey(named)] = true
		}
	}
}

// Mentioned reports whether code selects a field or sets it in a literal. Of a
// field that is not mentioned, the type can change and all still compiles.
func (p *Program) Mentioned(v *types.Var) bool {
	p.usage.gather()
	return p.usage.mentioned[v.Origin()]
}

// Extensible reports whether a struct type can gain fields and all still
// compiles: no literal lists its fields without names, and no value is
// converted from or to another struct type.
func (p *Program) Extensible(named *types.Named) bool {
	p.usage.gather()
	if named.TypeParams().Len() > 0 || p.usage.converted[TypeKey(named)] {
		return false
	}
	return !slices.ContainsFunc(p.Literals(named), func(literal *Literal) bool { return !literal.Keyed && len(literal.Node.Elts) > 0 })
}

// Updates returns the literals that change stored paths, in source order.
func (p *Program) Updates() []*Update { return p.updates }

// UpdatedCollections returns the collections that a literal is sent to, as far
// as they are known.
func (p *Program) UpdatedCollections(u *Update) []string {
	if u.group == nil {
		return nil
	}
	return p.collections(u.group.handle)
}

// collections are the names of those that a handle may be, as far as known.
func (p *Program) collections(handle []source) (names []string) {
	for _, s := range p.flow.reach(handle) {
		if s.trait.kind == inCollection {
			names = append(names, s.trait.name)
		}
	}
	return names
}

// PlainPath is the path of an update without positions: orders.lines for
// orders.$[].lines.0.
func (u *Update) PlainPath() string { return plainPath(u.Path) }
