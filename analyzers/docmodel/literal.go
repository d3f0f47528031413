package docmodel

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// An entry is a key and a value of a literal document.
type entry struct {
	key     string
	keyExpr ast.Expr
	dynamic bool
	value   ast.Expr
}

// entries reads a literal map or a literal list of key-value structs, and what
// the current function adds to the variable that holds it.
func (g *gatherer) entries(expr ast.Expr) []entry {
	var found []entry
	if lit := g.literal(expr); lit != nil {
		found = g.elements(lit.Elts)
	}
	return append(found, g.elements(g.rows[g.variable(expr)])...)
}

// elements reads the elements of a document: "key": value, {"key", value}.
func (g *gatherer) elements(all []ast.Expr) (found []entry) {
	for _, element := range all {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			found = append(found, g.entry(pair.Key, pair.Value))
			continue
		}
		inner := g.literal(element)
		if inner == nil || len(inner.Elts) != 2 {
			continue
		}
		key, value := inner.Elts[0], inner.Elts[1]
		if _, keyed := key.(*ast.KeyValueExpr); keyed {
			if key = SetTo(inner, "Key"); key == nil {
				key = SetTo(inner, "Name")
			}
			value = SetTo(inner, "Value")
		}
		if key != nil && value != nil {
			found = append(found, g.entry(key, value))
		}
	}
	return found
}

// added returns the elements that a statement adds to the document in x:
// x["key"] = value, x = append(x, bson.E{"key", value}).
func (g *gatherer) added(left, right ast.Expr) (x ast.Expr, elements []ast.Expr) {
	if index, ok := ast.Unparen(left).(*ast.IndexExpr); ok {
		return index.X, []ast.Expr{&ast.KeyValueExpr{Key: index.Index, Value: right}}
	}
	call, ok := ast.Unparen(right).(*ast.CallExpr)
	if ok && calledName(call) == "append" && writtenOut(g.pkg.Info.TypeOf(left)) && g.variable(left) == g.variable(call.Args[0]) {
		return left, call.Args[1:]
	}
	return nil, nil
}

// row records what a statement adds to the document that a variable holds.
func (g *gatherer) row(left, right ast.Expr) {
	x, elements := g.added(left, right)
	if id, ok := orNil(x).(*ast.Ident); ok && id.Name != "_" {
		g.rows[g.pkg.Info.ObjectOf(id)] = append(g.rows[g.pkg.Info.ObjectOf(id)], elements...)
	}
}

func (g *gatherer) entry(key, value ast.Expr) entry {
	text, ok := g.constantString(key)
	if !ok {
		text = g.constantPrefix(key)
	}
	return entry{key: text, keyExpr: key, dynamic: !ok, value: value}
}

// alternatives returns the entries, with one more for each other text that the variable used
// as a key is set to.
func (g *gatherer) alternatives(entries []entry) []entry {
	var found []entry
	for _, e := range entries {
		found = append(found, e)
		id, ok := ast.Unparen(e.keyExpr).(*ast.Ident)
		if !ok || e.dynamic {
			continue
		}
		v, _ := g.pkg.Info.ObjectOf(id).(*types.Var)
		for _, t := range g.texts[v] {
			if !slices.ContainsFunc(found, func(other entry) bool { return other.key == t.value && other.value == e.value }) {
				found = append(found, entry{key: t.value, keyExpr: e.keyExpr, value: e.value})
			}
		}
	}
	return found
}

// constantPrefix returns the constant beginning of a text that is built at run
// time.
func (g *gatherer) constantPrefix(expr ast.Expr) string {
	switch e := ast.Unparen(expr).(type) {
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			if text, ok := g.constantString(e.X); ok {
				return text
			}
			return g.constantPrefix(e.X)
		}
	case *ast.Ident:
		local := g.pkg.Info.ObjectOf(e)
		if set := g.locals[local]; set != nil {
			delete(g.locals, local) // its value may refer to itself
			prefix := g.constantPrefix(set)
			g.locals[local] = set
			return prefix
		}
	case *ast.CallExpr:
		if names := g.joinedByDots(e); names != nil {
			prefix := ""
			for _, arg := range names {
				text, ok := g.constantString(arg)
				if !ok {
					break
				}
				prefix += text + "."
			}
			return prefix
		}
		if calledName(e) == "Sprintf" && len(e.Args) > 1 {
			if format, ok := g.constantString(e.Args[0]); ok {
				before, _, _ := strings.Cut(format, "%")
				return before
			}
		}
	}
	return ""
}

// variableParts returns the operands of a built text that are not constant.
func (g *gatherer) variableParts(expr ast.Expr) []ast.Expr {
	if _, ok := g.constantString(expr); ok {
		return nil
	}
	switch e := ast.Unparen(expr).(type) {
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return append(g.variableParts(e.X), g.variableParts(e.Y)...)
		}
	case *ast.Ident:
		local := g.pkg.Info.ObjectOf(e)
		if set := g.locals[local]; set != nil && g.constantPrefix(set) != "" {
			delete(g.locals, local)
			parts := g.variableParts(set)
			g.locals[local] = set
			return parts
		}
	case *ast.CallExpr:
		if names := g.joinedByDots(e); names != nil {
			return g.partsOf(names)
		}
		if calledName(e) == "Sprintf" && len(e.Args) > 1 {
			return g.partsOf(e.Args[1:])
		}
	case *ast.CompositeLit:
		return g.partsOf(e.Elts)
	}
	return []ast.Expr{expr}
}

func (g *gatherer) partsOf(all []ast.Expr) (parts []ast.Expr) {
	for _, expr := range all {
		parts = append(parts, g.variableParts(expr)...)
	}
	return parts
}

// literal returns the composite literal that an expression is, or that its
// variable was last set to.
func (g *gatherer) literal(expr ast.Expr) *ast.CompositeLit {
	for range 4 {
		switch e := ast.Unparen(expr).(type) {
		case *ast.CompositeLit:
			return e
		case *ast.UnaryExpr:
			expr = e.X
		case *ast.Ident:
			expr = g.locals[g.pkg.Info.ObjectOf(e)]
		default:
			return nil
		}
	}
	return nil
}

// constantPath returns a constant path, or the constant beginning of a path that is
// built at run time.
func (g *gatherer) constantPath(expr ast.Expr) (path string, dynamic bool) {
	if text, ok := g.constantString(expr); ok {
		return text, false
	}
	return g.constantPrefix(expr), true
}
