package docmodel

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// A field of a stored type may hold nothing that is stored: a $lookup stores
// its result in it, or code fills it from another query after the document was
// read.

// A filling is a place that sets a field.
type filling struct {
	left ast.Expr // nil if a literal sets it
	in   *types.Func
}

// fills records that a field is set.
func (g *gatherer) fills(left, right ast.Expr) {
	if v := fieldVar(g.pkg.Info, left); v != nil && structNamed(v.Type()) != nil && !IsNil(right) {
		g.filled[v] = append(g.filled[v], filling{left, g.fn})
	}
}

// text records what a variable that holds a text is set to.
func (g *gatherer) text(left, right ast.Expr) {
	id, ok := ast.Unparen(left).(*ast.Ident)
	if !ok {
		return
	}
	if v, ok := g.pkg.Info.ObjectOf(id).(*types.Var); ok {
		if value, ok := g.constantString(right); ok {
			g.texts[v] = append(g.texts[v], text{value: value, pkg: g.pkg, in: g.fn, node: left})
		}
	}
}

// joins adds the result paths of $lookup stages that variables hold, and of
// stages that select from such a result.
func (e *evidence) joins() {
	for _, v := range e.joinedBy {
		for _, t := range e.texts[v] {
			e.joined[t.value] = true
		}
	}
	found := maps.Clone(e.joined)
	for _, u := range e.updates {
		if found[u.takes] {
			e.joined[u.Path] = true
		}
	}
}

// views marks the fields that hold nothing that is stored.
func (p *Program) views() {
	for _, d := range p.documents {
		All(d.Fields, func(f *Field) {
			f.View = f.Parent != nil && f.Parent.View || // the result of a join contains views
				f.Struct != nil && !slices.ContainsFunc(f.Updates, func(u *Update) bool { return !p.Joined(u.takes) }) && (p.finds(f) && len(p.filled[f.Var]) == 0 || p.shown(f.Var))
		})
	}
}

// finds reports whether a field holds the result of a join, in the document or
// in a document that contains its struct.
func (p *Program) finds(f *Field) bool {
	return p.Joined(f.Dotted) || f.Owner != nil && p.byKey[TypeKey(f.Owner)] != nil && p.Joined(f.Name)
}

// shown reports whether all code that sets a field does so in a value that was
// read or made and is not stored afterwards.
func (p *Program) shown(v *types.Var) bool {
	a := p.accumulates()
	return len(p.filled[v]) > 0 && !slices.ContainsFunc(p.filled[v], func(f filling) bool {
		r := a.routines[f.in]
		if f.left == nil || r == nil {
			return true
		}
		root := r.variable(outermost(f.left))
		return root == nil || !a.passing(r, part{root, v}, f.left.Pos(), map[reached]bool{})
	})
}

// maxReach is how many variables a value is followed to.
const maxReach = 200

// passing reports whether a part of a variable is never stored after a
// position. The variable must be made or read here, or by all callers.
func (a *accumulation) passing(r *routine, p part, pos token.Pos, seen map[reached]bool) bool {
	if seen[reached{in: r, part: p, saved: replaces}] {
		return true
	}
	seen[reached{in: r, part: p, saved: replaces}] = true
	if len(seen) > maxReach || a.storedLater(r, p, pos, seen) {
		return false
	}
	from, parameter := a.origin(r, p.root, map[*types.Var]bool{})
	if from != passed {
		return from == loaded || from == made
	}
	callers, number := a.sitesOf(r, parameter)
	return len(callers) > 0 && !slices.ContainsFunc(callers, func(s *site) bool {
		arg := s.argument(number)
		if arg == nil {
			return true
		}
		root := s.in.variable(outermost(arg))
		return root == nil || !a.passing(s.in, part{root, p.first}, s.call.Pos(), seen)
	})
}

// storedLater reports whether a part of a variable may be stored after a
// position, by the function or by those that it returns the value to.
func (a *accumulation) storedLater(r *routine, p part, pos token.Pos, seen map[reached]bool) bool {
	if seen[reached{in: r, part: p}] {
		return false
	}
	seen[reached{in: r, part: p}] = true
	if len(seen) > maxReach {
		return true
	}
	holders := r.holders(p)
	for _, holder := range holders {
		_, given := r.params[holder.root]
		if given && holder != p || holder.root.Parent() == r.pkg.Types.Scope() || a.savedBelow(r, holder, pos) != 0 {
			return true
		}
	}
	for _, s := range a.receivers(r, holders) {
		if s.variable == nil {
			if slices.ContainsFunc(s.in.calls, func(outer *site) bool {
				return outer != s.site && contains(outer.call, s.call) && (len(a.stores(outer)) > 0 || a.savesArgument(outer, s.call) != 0)
			}) {
				return true
			}
		} else if a.storedLater(s.in, p.in(s.variable), s.call.Pos(), seen) {
			return true
		}
	}
	return false
}

// in returns the same part of another variable that holds the value or several
// such values. If that variable holds another type, it returns the whole
// variable.
func (p part) in(v *types.Var) part {
	if types.Identical(takeApart(v.Type()).elem, takeApart(p.root.Type()).elem) {
		return part{v, p.first}
	}
	return part{root: v}
}

// A receiver is a call of a function that returns a value, and the variable that
// is set to the result, or nil.
type receiver struct {
	*site
	variable *types.Var
}

// receivers returns the calls that receive what one of the holders contains.
func (a *accumulation) receivers(r *routine, holders []part) []receiver {
	var found []receiver
	results := r.fn.Signature().Results()
	for i := range results.Len() {
		if !r.returnsAt(i, nil, holders) {
			continue
		}
		for _, s := range a.callers[r.fn] {
			if set := s.in.setBy(s.call, i); len(set) > 0 {
				for _, v := range set {
					found = append(found, receiver{s, v})
				}
			} else {
				found = append(found, receiver{s, nil})
			}
		}
	}
	return found
}

// holders returns the variables that contain what a variable does: what it is
// taken from, and what it is put into.
func (r *routine) holders(p part) []part {
	found := []part{p}
	for i := 0; i < len(found); i++ {
		add := func(v *types.Var) {
			if v != nil && !slices.ContainsFunc(found, func(known part) bool { return known.root == v }) {
				found = append(found, p.in(v))
			}
		}
		v := found[i].root
		for _, expr := range r.sources(v) {
			add(r.variable(outermost(expr)))
		}
		for _, into := range []map[*types.Var][]ast.Expr{r.set, r.derived} {
			for other, exprs := range into {
				if slices.ContainsFunc(exprs, func(e ast.Expr) bool { return r.mentions(e, v) }) {
					add(other)
				}
			}
		}
	}
	slices.SortFunc(found[1:], func(a, b part) int { return int(a.root.Pos() - b.root.Pos()) })
	return found
}

// mentions reports whether an expression uses a variable as a whole.
func (r *routine) mentions(expr ast.Expr, v *types.Var) bool {
	found := false
	ast.Inspect(expr, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			return false
		case *ast.Ident:
			found = found || r.variable(n) == v
		}
		return !found
	})
	return found
}

// returnsAt reports whether a result of a function is one of the holders, or
// contains what an expression makes.
func (r *routine) returnsAt(i int, made ast.Expr, holders []part) bool {
	results := r.fn.Signature().Results()
	return slices.ContainsFunc(holders, func(p part) bool { return p.root == results.At(i) }) || slices.ContainsFunc(r.returns, func(n *ast.ReturnStmt) bool {
		return len(n.Results) == results.Len() && (made != nil && contains(n.Results[i], made) ||
			slices.ContainsFunc(holders, func(p part) bool { return r.mentions(n.Results[i], p.root) }))
	})
}

// setBy returns the variables that are set to a value or to something that
// contains it. For a call with several results, result selects one.
func (r *routine) setBy(value ast.Expr, result int) []*types.Var {
	var found []*types.Var
	ast.Inspect(r.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if len(n.Lhs) != len(n.Rhs) && i != result || !contains(n.Rhs[min(i, len(n.Rhs)-1)], value) {
					continue
				}
				if v := r.variable(outermost(left)); v != nil {
					found = append(found, v)
				}
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				if i < len(n.Values) && contains(n.Values[i], value) {
					found = append(found, r.variable(name))
				}
			}
		}
		return n != nil && n.Pos() <= value.Pos() && value.End() <= n.End()
	})
	return found
}
