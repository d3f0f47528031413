package docmodel

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Careful code keeps the stored names of fields in variables, such as FilesKey
// = tagOf(Entry{}, "Files"), and joins paths with helpers. These variables are
// treated like constants.

// heldNames records a package's variables that hold a stored name or a path. A
// variable may depend on one declared later.
func (g *gatherer) heldNames() {
	for changed := true; changed; {
		changed = false
		for _, file := range g.pkg.Files {
			for _, decl := range file.Decls {
				vars, ok := decl.(*ast.GenDecl)
				if !ok || vars.Tok != token.VAR {
					continue
				}
				for _, spec := range vars.Specs {
					changed = g.heldName(spec.(*ast.ValueSpec)) || changed
				}
			}
		}
	}
}

func (g *gatherer) heldName(spec *ast.ValueSpec) (added bool) {
	if len(spec.Names) != len(spec.Values) {
		return false
	}
	for i, name := range spec.Names {
		v, ok := g.pkg.Info.Defs[name].(*types.Var)
		if !ok || g.names[v] != "" {
			continue
		}
		if text, ok := g.constantString(spec.Values[i]); ok && text != "" && IsText(v.Type()) {
			g.names[v], added = text, true
		}
	}
	return added
}

// tagRead handles a call that takes a struct value and the name of one of its
// fields and returns a text. Whatever its name, it reads the field's stored
// name.
func (g *gatherer) tagRead(call *ast.CallExpr) (string, bool) {
	if len(call.Args) != 2 || !IsText(g.pkg.Info.TypeOf(call)) {
		return "", false
	}
	lit, ok := outermost(call.Args[0]).(*ast.CompositeLit)
	if !ok || len(lit.Elts) > 0 {
		return "", false
	}
	name, _ := g.constantString(call.Args[1])
	stored := taggedAs(g.pkg.Info.TypeOf(lit), name)
	return stored, stored != ""
}

// taggedAs returns the name that the tag of a field gives it.
func taggedAs(t types.Type, field string) string {
	if s, ok := Pointed(t).Underlying().(*types.Struct); ok {
		for i := range s.NumFields() {
			if s.Field(i).Name() == field {
				return BSON.Tag(s.Tag(i)).Name
			}
		}
	}
	return ""
}

// joinedByDots returns the texts, at least two, that a call joins to a path.
// That is any function that takes only texts, or a list of them, and
// strings.Join with a dot.
func (g *gatherer) joinedByDots(call *ast.CallExpr) []ast.Expr {
	fn := g.pkg.Called(call)
	if fn == nil || len(call.Args) == 0 {
		return nil
	}
	signature := fn.Type().(*types.Signature)
	if signature.Results().Len() != 1 || !IsText(signature.Results().At(0).Type()) ||
		signature.Params().Len() == 0 || !IsText(takeApart(signature.Params().At(0).Type()).elem) {
		return nil
	}
	parts := call.Args
	switch {
	case signature.Variadic() && signature.Params().Len() == 1:
	case signature.Params().Len() == 1, fn.FullName() == "strings.Join" && len(call.Args) == 2:
		if by, _ := g.constantString(call.Args[len(call.Args)-1]); len(call.Args) == 2 && by != "." {
			return nil
		}
		list, ok := ast.Unparen(call.Args[0]).(*ast.CompositeLit)
		if !ok {
			return nil
		}
		parts = list.Elts
	default:
		return nil
	}
	if len(parts) < 2 {
		return nil
	}
	return parts
}
