package docmodel

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// fieldVar returns the field that an expression selects, as its struct declares
// it, or nil.
func fieldVar(info *types.Info, expr ast.Expr) *types.Var {
	selector, ok := ast.Unparen(expr).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	v, ok := info.ObjectOf(selector.Sel).(*types.Var)
	if !ok || !v.IsField() {
		return nil
	}
	return v.Origin()
}

// Reads reports whether the value that is assigned is made from a field.
func (w *FieldWrite) Reads(f *Field) bool {
	found := false
	if w.Value != nil {
		ast.Inspect(w.Value, func(n ast.Node) bool {
			e, ok := n.(*ast.SelectorExpr)
			found = found || ok && fieldVar(w.Pkg.Info, e) == f.Var
			return !found
		})
	}
	return found
}

// appended returns the field to whose list an expression adds, or nil.
func (g *gatherer) appended(expr ast.Expr) *types.Var {
	return fieldVar(g.pkg.Info, deref(mapOf(g.pkg.Info, orNil(g.extended(expr)))))
}

// extended returns the selected list to which an expression adds, or nil:
// append(x.F, e), append([]T{e}, x.F...), slices.Insert(x.F, 0, e).
func (g *gatherer) extended(expr ast.Expr) ast.Expr {
	switch e := ast.Unparen(expr).(type) {
	case *ast.Ident:
		return g.grown[g.pkg.Info.ObjectOf(e)]
	case *ast.CallExpr:
		if len(e.Args) < 2 || calledName(e) != "append" && calledName(e) != "Insert" {
			return nil
		}
		list := e.Args[0]
		if prepends(e) {
			list = e.Args[1]
		}
		if id, ok := ast.Unparen(list).(*ast.Ident); ok {
			obj := g.pkg.Info.ObjectOf(id)
			if grown := g.grown[obj]; grown != nil {
				return grown
			}
			return g.taken[obj]
		}
		return list
	}
	return nil
}

// mapOf returns the map of an entry x.F[key], and other expressions unchanged.
func mapOf(info *types.Info, expr ast.Expr) ast.Expr {
	if index, ok := ast.Unparen(expr).(*ast.IndexExpr); ok {
		if _, ok := orInvalid(info.TypeOf(index.X)).Underlying().(*types.Map); ok {
			return index.X
		}
	}
	return expr
}

// prepends reports whether a call adds new elements before a list:
// append([]T{e}, list...).
func prepends(call *ast.CallExpr) bool {
	lit, ok := ast.Unparen(call.Args[0]).(*ast.CompositeLit)
	return ok && len(lit.Elts) > 0 && len(call.Args) == 2 && call.Ellipsis.IsValid()
}

// copyOf records that a local variable holds the list of a field. What one branch adds to is
// not lost where another takes the list as it was.
func (g *gatherer) copyOf(local types.Object, right ast.Expr) {
	grown := g.extended(right)
	if list := fieldVar(g.pkg.Info, deref(right)); list != nil && list == fieldVar(g.pkg.Info, deref(orNil(g.grown[local]))) {
		return
	}
	delete(g.grown, local)
	delete(g.taken, local)
	if grown != nil {
		g.grown[local] = grown
	} else if fieldVar(g.pkg.Info, deref(right)) != nil {
		g.taken[local] = right
	}
}

// copies records T{F: append(x.F, e)}: a copy of x with one more element.
func (g *gatherer) copies(v *types.Var, value ast.Expr) {
	if from := g.extended(value); from != nil && fieldVar(g.pkg.Info, deref(from)) == v {
		g.fieldWrite(from, value, Appends, value.Pos())
	}
}

func deref(expr ast.Expr) ast.Expr {
	if star, ok := ast.Unparen(expr).(*ast.StarExpr); ok {
		return star.X
	}
	return expr
}

// fieldWrite records a statement that changes a field.
func (g *gatherer) fieldWrite(left, value ast.Expr, kind WriteKind, pos token.Pos) {
	left = deref(left)
	v := fieldVar(g.pkg.Info, left)
	if v == nil {
		return
	}
	w := &FieldWrite{Field: v, Kind: kind, Value: value, Pos: pos, Pkg: g.pkg, Loop: g.loops > 0, Guarded: g.lengths[v], Left: left, In: g.fn}
	if g.function != nil {
		w.Func = g.function.Name.Name
	}
	base := ast.Unparen(left).(*ast.SelectorExpr).X
	w.Fresh = g.built(base) || g.adds(base)
	g.writes = append(g.writes, w)
}

// builders begin the names of functions that make values.
var builders = []string{"New", "new", "Make", "make", "Build", "build", "Convert", "convert", "From", "from", "To", "to",
	"Parse", "parse", "Decode", "decode", "Unmarshal", "unmarshal", "Clone", "clone", "DeepCopy", "deepCopy", "Fake", "Generate", "generate", "Marshal", "marshal"}

// built reports whether the struct that an expression names is being built
// here: this function made it, or its purpose is to make one.
func (g *gatherer) built(base ast.Expr) bool {
	if g.function == nil {
		return true
	}
	for _, prefix := range builders {
		rest, ok := strings.CutPrefix(g.function.Name.Name, prefix)
		if ok && (rest == "" || rest[0] < 'a' || rest[0] > 'z') {
			return true
		}
	}
	id, ok := outermost(base).(*ast.Ident)
	return ok && g.fresh[g.pkg.Info.ObjectOf(id)]
}

// adds reports whether the function is called AddPost, CreatePost or the like
// and the struct that an expression names is a Post. The function then
// completes the value before it is stored.
func (g *gatherer) adds(base ast.Expr) bool {
	named := structNamed(g.pkg.Info.TypeOf(base))
	if named == nil || g.function == nil {
		return false
	}
	for _, prefix := range []string{"Add", "Create", "Insert", "Register", "Put", "Save", "Upsert"} {
		if rest, ok := strings.CutPrefix(g.function.Name.Name, prefix); ok && rest != "" && strings.HasSuffix(named.Obj().Name(), rest) {
			return true
		}
	}
	return false
}

// bounds finds the fields whose length a function compares with a constant or
// cuts, so that what it appends is bounded.
func (g *gatherer) bounds(body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			g.refuses(n)
		case *ast.BinaryExpr:
			switch n.Op {
			case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL:
				g.boundOf(n.X, n.Y)
				g.boundOf(n.Y, n.X)
			}
		case *ast.AssignStmt: // x.F = x.F[:n], x.F = list[:max]
			for i, left := range n.Lhs[:min(len(n.Lhs), len(n.Rhs))] {
				if cut, ok := ast.Unparen(n.Rhs[i]).(*ast.SliceExpr); ok {
					if v := fieldVar(g.pkg.Info, left); v != nil && (fieldVar(g.pkg.Info, cut.X) == v || cut.High != nil && g.limits(cut.High)) {
						g.lengths[v] = true
						if _, known := g.capped[v]; !known && !singles(cut) {
							g.capped[v] = n.Pos()
						}
					}
				}
			}
		}
		return true
	})
}

// singles reports whether a slice expression leaves out one element, as for a
// queue or a stack.
func singles(cut *ast.SliceExpr) bool {
	one := func(e ast.Expr) bool {
		if b, ok := ast.Unparen(e).(*ast.BinaryExpr); ok { // len(x.F)-1
			e = b.Y
		}
		lit, ok := ast.Unparen(e).(*ast.BasicLit)
		return ok && (lit.Value == "0" || lit.Value == "1")
	}
	return (cut.Low == nil || one(cut.Low)) && (cut.High == nil || one(cut.High))
}

// boundOf records that len(x.F) is compared with a constant above one, or with
// something called a maximum.
func (g *gatherer) boundOf(length, limit ast.Expr) {
	if v := g.lengthOfField(length); v != nil && g.limits(limit) {
		g.lengths[v] = true
	}
}

// callsItLimit reports whether the name of a variable, a field or a function
// says that it is a maximum.
func callsItLimit(expr ast.Expr) bool {
	name := strings.ToLower(LastName(expr))
	return strings.Contains(name, "max") || strings.Contains(name, "limit") || strings.Contains(name, "cap")
}

// refuses records if len(x.F) >= limit { return … }, which all code that stores
// the list passes. The limit is a constant above one, or anything that is not
// another length. A stored count may take the place of the length.
func (g *gatherer) refuses(n *ast.IfStmt) {
	if !returns(n.Body) {
		return
	}
	for inner := range ast.Preorder(n.Cond) {
		e, ok := inner.(*ast.BinaryExpr)
		if !ok {
			continue
		}
		length, limit := e.X, e.Y
		switch e.Op {
		case token.GTR, token.GEQ:
		case token.LSS, token.LEQ:
			length, limit = limit, length
		default:
			continue
		}
		v := g.lengthOfField(length)
		if v == nil {
			v = g.number(length)
		}
		if v != nil && g.limits(limit) {
			g.lengths[v] = true
			if _, known := g.capped[v]; !known {
				g.capped[v] = n.Pos()
			}
		}
	}
}

// number returns the field that an expression reads, if it holds an integer.
func (g *gatherer) number(expr ast.Expr) *types.Var {
	v := fieldVar(g.pkg.Info, expr)
	if v == nil {
		return nil
	}
	if b, ok := v.Type().Underlying().(*types.Basic); !ok || b.Info()&types.IsInteger == 0 {
		return nil
	}
	return v
}

// limits reports whether an expression can be the limit of a length.
func (g *gatherer) limits(expr ast.Expr) bool {
	if tv, ok := g.pkg.Info.Types[expr]; ok && tv.Value != nil {
		text := tv.Value.ExactString()
		return text != "0" && text != "1"
	}
	return callsItLimit(expr)
}

// returns reports whether a block ends its function.
func returns(body *ast.BlockStmt) bool {
	if len(body.List) == 0 {
		return false
	}
	_, ok := body.List[len(body.List)-1].(*ast.ReturnStmt)
	return ok
}

// lengthOfField returns the field whose length an expression takes.
func (g *gatherer) lengthOfField(expr ast.Expr) *types.Var {
	call, ok := ast.Unparen(expr).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil
	}
	if g.pkg.Converts(call) { // int64(len(x.F))
		return g.lengthOfField(call.Args[0])
	}
	if calledName(call) != "len" {
		return nil
	}
	return fieldVar(g.pkg.Info, deref(call.Args[0]))
}

// compare records x.Count != len(x.List).
func (g *gatherer) compare(n *ast.BinaryExpr) {
	if n.Op != token.EQL && n.Op != token.NEQ {
		return
	}
	for _, pair := range [][2]ast.Expr{{n.X, n.Y}, {n.Y, n.X}} {
		v, list := fieldVar(g.pkg.Info, deref(pair[0])), g.lengthOfField(pair[1])
		if v != nil && list != nil {
			g.measures[v] = append(g.measures[v], Measure{List: list, Pos: n.Pos()})
		}
	}
}

func (g *gatherer) lengthOf(v *types.Var, value ast.Expr) {
	list := g.lengthOfField(value)
	if id, ok := ast.Unparen(value).(*ast.Ident); ok && list == nil { // n := len(x.List)
		if set := g.locals[g.pkg.Info.ObjectOf(id)]; set != nil {
			list = g.lengthOfField(set)
		}
	}
	if list != nil {
		g.measures[v] = append(g.measures[v], Measure{List: list, Sets: true, Pos: value.Pos()})
	}
}

// index records by what a map field is indexed.
func (g *gatherer) index(n *ast.IndexExpr) { g.keyUse(n.X, n.Index, KeyUse{Write: g.targets[n]}) }

// deletes records delete(x.Field, key).
func (g *gatherer) deletes(call *ast.CallExpr) {
	if len(call.Args) == 2 && calledName(call) == "delete" {
		g.keyUse(call.Args[0], call.Args[1], KeyUse{})
	}
}

// keyUse records a key of a map field, or of a local map that is stored in a
// field or taken from one.
func (g *gatherer) keyUse(of, key ast.Expr, use KeyUse) {
	v := g.mapBehind(of)
	use.Expr, use.Escapes, use.Pkg = key, g.escapesDots(key), g.pkg
	if id, ok := ast.Unparen(key).(*ast.Ident); ok {
		if v != nil && g.keysOf[g.pkg.Info.ObjectOf(id)] == v {
			return // it is copied
		}
		use.From = g.before[g.pkg.Info.ObjectOf(id)]
	}
	if v == nil || !v.IsField() {
		if named := definedMap(g.pkg.Info.TypeOf(deref(of))); named != nil {
			g.keyedAs[named] = append(g.keyedAs[named], use)
		}
		return
	}
	if _, ok := Pointed(v.Type()).Underlying().(*types.Map); ok {
		g.keyed[v] = append(g.keyed[v], use)
	}
}

// mapBehind returns the field whose map an expression is, or else its variable.
func (g *gatherer) mapBehind(of ast.Expr) *types.Var {
	if v := fieldVar(g.pkg.Info, deref(of)); v != nil {
		return v
	}
	id, _ := ast.Unparen(deref(of)).(*ast.Ident)
	local, _ := g.pkg.Info.ObjectOf(id).(*types.Var)
	if v := g.stands[local]; v != nil {
		return v
	}
	return local
}

// definedMap returns the name of a map type that the program defines, also
// behind a pointer.
func definedMap(t types.Type) *types.TypeName {
	named := Named(Pointed(t))
	if _, ok := Pointed(t).Underlying().(*types.Map); !ok || named == nil {
		return nil
	}
	return named.Obj()
}

// escapesDots reports whether strings.ReplaceAll(x, ".", …) or the like makes a
// key, directly or through a variable.
func (g *gatherer) escapesDots(key ast.Expr) bool {
	if id, ok := ast.Unparen(key).(*ast.Ident); ok {
		if set := g.locals[g.pkg.Info.ObjectOf(id)]; set != nil {
			key = set
		}
	}
	call, ok := ast.Unparen(key).(*ast.CallExpr)
	if !ok || !strings.HasPrefix(calledName(call), "Replace") {
		return false
	}
	return slices.ContainsFunc(call.Args, func(arg ast.Expr) bool {
		text, ok := g.constantString(arg)
		return ok && text == "."
	})
}

// aliases finds the local maps of a function that are put into a field or
// taken from one.
func (g *gatherer) aliases(body *ast.BlockStmt) {
	note := func(local ast.Expr, v *types.Var) {
		id, ok := ast.Unparen(local).(*ast.Ident)
		if !ok || v == nil {
			return
		}
		if obj, ok := g.pkg.Info.ObjectOf(id).(*types.Var); ok && !obj.IsField() {
			if _, ok := obj.Type().Underlying().(*types.Map); ok {
				g.stands[obj] = v
			}
		}
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				if index, ok := ast.Unparen(left).(*ast.IndexExpr); ok {
					g.targets[index] = true
				}
			}
			if len(n.Lhs) == len(n.Rhs) {
				for i, left := range n.Lhs {
					g.row(left, n.Rhs[i])
					note(left, fieldVar(g.pkg.Info, n.Rhs[i]))
					note(n.Rhs[i], fieldVar(g.pkg.Info, left))
				}
			}
		case *ast.IncDecStmt:
			if index, ok := ast.Unparen(n.X).(*ast.IndexExpr); ok {
				g.targets[index] = true
			}
		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok {
				if v, ok := g.pkg.Info.ObjectOf(id).(*types.Var); ok && v.IsField() {
					note(n.Value, v.Origin())
				}
			}
		}
		return true
	})
}
