package docmodel

import (
	"go/ast"
	"go/types"
	"slices"
	"sync"
)

// usage is what determines whether code still compiles after a struct type or
// field is edited. It is gathered for the first fix that needs it.
type usage struct {
	once      sync.Once
	packages  []*Package
	mentioned map[*types.Var]bool
	converted map[string]bool // struct types converted to or from another
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

// conversion records struct types that are no longer convertible once one of
// them gains a field.
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

// Mentioned reports whether code selects a field or sets it in a literal. If
// not, its type can change without breaking the build.
func (p *Program) Mentioned(v *types.Var) bool {
	p.usage.gather()
	return p.usage.mentioned[v.Origin()]
}

// Extensible reports whether a struct type can gain fields without breaking the
// build: no literal lists its fields without names, and no conversion involves
// another struct type.
func (p *Program) Extensible(named *types.Named) bool {
	p.usage.gather()
	if named.TypeParams().Len() > 0 || p.usage.converted[TypeKey(named)] {
		return false
	}
	return !slices.ContainsFunc(p.Literals(named), func(literal *Literal) bool { return !literal.Keyed && len(literal.Node.Elts) > 0 })
}

// Updates returns the update literals, in source order.
func (p *Program) Updates() []*Update { return p.updates }

// UpdatedCollections returns the known collections that an update is sent to.
func (p *Program) UpdatedCollections(u *Update) []string {
	if u.group == nil {
		return nil
	}
	return p.collections(u.group.handle)
}

// collections returns the known names of the collections that a handle may be
// for.
func (e *evidence) collections(handle []source) (names []string) {
	for _, s := range e.flow.reach(handle) {
		if s.trait.kind == inCollection {
			names = append(names, s.trait.name)
		}
	}
	return names
}

// PlainPath returns the path of an update without positions: orders.lines for
// orders.$[].lines.0.
func (u *Update) PlainPath() string { return plainPath(u.Path) }

// UsedElsewhere reports whether another package uses a field.
func (p *Program) UsedElsewhere(f *Field) bool {
	for _, pkg := range p.usage.packages {
		if pkg.Types == f.Var.Pkg() || pkg.Info == nil {
			continue
		}
		for _, obj := range pkg.Info.Uses {
			if v, ok := obj.(*types.Var); ok && v.Origin() == f.Var {
				return true
			}
		}
	}
	return false
}
