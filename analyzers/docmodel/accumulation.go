package docmodel

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"sync"
)

// accumulation is what all functions together show about lists: which gain an
// element each time the program runs, and which are only built up. It is
// computed when a rule first needs it.
type accumulation struct {
	once      sync.Once
	mutex     sync.Mutex // several rules may call it at the same time
	program   *Program
	routines  map[*types.Func]*routine
	ordered   []*routine // by position
	callers   map[*types.Func][]*site
	indirect  []*site              // calls of function values
	values    map[*types.Func]bool // functions that code uses as values
	sinks     map[*ast.CallExpr]*sinkCall
	held      map[*types.Var][]held       // values of the fields of documents, and of fields that contain a document
	saves     map[*types.Func]*savedParts // the parameters that a function stores
	stored    map[*site]map[part]saveKind // what a call stores
	loads     map[*types.Func]uint8
	routes    map[types.Object]string
	writes    map[*FieldWrite]Growth
	updates   map[*Update]Growth
	losses    map[*types.Var][]Loss
	mirrors   map[*types.Var][]*types.Var // lists of other types that go into stored ones and back
	mirrored  map[*types.Var]bool         // the lists in mirrors
	converts  map[*types.Func]bool        // functions that make a value with such a list from a stored one
	used      map[*types.Func]bool        // functions that code refers to
	runs      bool                        // there is a main function
	converted map[types.Object]bool       // fields and variables whose text code makes an ObjectID from
	searched  map[*types.Var][]*types.Var // fields by which code searches the elements of a list
	replies   sync.Once
	answered  map[*types.Var]bool // fields of structs that other services fill
	leaving   sync.Once
	lent      map[*types.Named]bool // structs whose pointers functions outside the program receive
}

// held is a value that a function assigns.
type held struct {
	in   *routine
	expr ast.Expr
}

func (p *Program) accumulates() *accumulation {
	a := &p.growth
	a.once.Do(func() { a.read(p) })
	return a
}

func (a *accumulation) read(p *Program) {
	a.program = p
	a.routines, a.callers, a.sinks = map[*types.Func]*routine{}, map[*types.Func][]*site{}, map[*ast.CallExpr]*sinkCall{}
	a.held, a.saves, a.stored, a.loads = map[*types.Var][]held{}, map[*types.Func]*savedParts{}, map[*site]map[part]saveKind{}, map[*types.Func]uint8{}
	a.routes, a.writes, a.updates, a.losses = map[types.Object]string{}, map[*FieldWrite]Growth{}, map[*Update]Growth{}, map[*types.Var][]Loss{}
	a.searched = map[*types.Var][]*types.Var{}
	a.values = map[*types.Func]bool{}
	a.used, a.mirrors, a.mirrored, a.converts = map[*types.Func]bool{}, map[*types.Var][]*types.Var{}, map[*types.Var]bool{}, map[*types.Func]bool{}
	for i := range p.calls {
		if call := &p.calls[i]; call.node != nil {
			a.sinks[call.node] = call
		}
	}
	for _, pkg := range p.usage.packages {
		a.mark(pkg)
	}
	for _, r := range p.routines() {
		a.add(r)
	}
	a.ordered = slices.SortedFunc(maps.Values(a.routines), func(r, o *routine) int { return cmp.Compare(r.decl.Pos(), o.decl.Pos()) })
	a.link()
	a.mirror()
	a.convert()
	for _, w := range p.writes {
		a.write(w)
	}
	for _, u := range p.updates {
		a.update(u)
	}
}

// mark records which functions the code of a package uses, and whether there is
// a main function.
func (a *accumulation) mark(pkg *Package) {
	if pkg.Info == nil {
		return
	}
	for _, object := range pkg.Info.Uses {
		if fn, ok := object.(*types.Func); ok {
			a.used[fn.Origin()] = true
		}
	}
	for _, object := range pkg.Info.Defs {
		fn, ok := object.(*types.Func)
		a.runs = a.runs || ok && fn.Name() == "main" && fn.Pkg().Name() == "main"
	}
}

func (a *accumulation) add(r *routine) {
	if r.fn != nil {
		a.routines[r.fn] = r
	}
	for _, s := range r.calls {
		a.route(s)
		delete(r.named, instanceIdent(s.call))
	}
	for key, list := range r.keys {
		a.searched[list] = append(a.searched[list], key)
	}
	for _, fn := range r.named {
		a.values[fn.Origin()] = true
	}
	for _, n := range r.given {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if v := fieldVar(r.pkg.Info, left); v != nil && a.gives(v) {
					a.held[v] = append(a.held[v], held{r, n.Rhs[min(i, len(n.Rhs)-1)]})
				}
			}
		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok {
				if v, ok := r.pkg.Info.ObjectOf(id).(*types.Var); ok && v.IsField() && a.gives(v.Origin()) {
					a.held[v.Origin()] = append(a.held[v.Origin()], held{r, n.Value})
				}
			}
		}
	}
}

// gives reports whether it matters what a field is set to: the field belongs to
// a document or contains one, or may be copied to or from a list or map of one.
func (a *accumulation) gives(v *types.Var) bool {
	return len(a.program.byVar[v]) > 0 || a.holds(v) || holdsElements(v.Type())
}

// holds reports whether a field that is not stored itself contains a document,
// as a job contains the task that it works on.
func (a *accumulation) holds(v *types.Var) bool {
	t := v.Type()
	t = Pointed(t)
	named := structNamed(t)
	return named != nil && takeApart(v.Type()).lists == 0 && a.program.byKey[TypeKey(named)] != nil && len(a.program.byVar[v]) == 0
}

// write judges a statement that changes a list: whether it adds, and what
// becomes of the element.
func (a *accumulation) write(w *FieldWrite) {
	if a.removal(w) {
		a.losses[w.Field] = append(a.losses[w.Field], Loss{Op: "append", Pos: w.Pos, Func: w.Func, in: w.In})
		return
	}
	if w.Kind != Appends || w.In == nil {
		a.shortens(w)
		return
	}
	if len(a.program.byVar[w.Field]) == 0 && !a.mirrored[w.Field] {
		return
	}
	if r := a.routines[w.In]; r != nil && (merges(w) || r.withinOther(w) || a.repeats(r, w)) {
		return
	}
	g := Growth{Op: "append", Pos: w.Pos, Func: w.Func, Bound: w.Guarded, Write: w, pkg: w.Pkg}
	r := a.routines[w.In]
	if r == nil {
		return
	}
	if at := r.anew[w.Field]; at.IsValid() && at < w.Pos {
		return
	}
	g.Looks, g.OneKind = r.looked[w.Field], r.kinds[w.Field]
	var chain []*site
	g.Kept, chain = a.kept(r, r.parts(w.Left, a), w.Pos, 0, nil, map[reached]bool{})
	g.Actor, g.by = a.actor(r, w.Pos, chain), chain
	a.writes[w] = g
}

// takesOut reports whether a function unconditionally calls another that removes
// an element from a list.
func (a *accumulation) takesOut(r *routine, list *types.Var) bool {
	return slices.ContainsFunc(r.calls, func(s *site) bool {
		return r.always(s.call) && slices.ContainsFunc(a.targets(s), func(fn *types.Func) bool {
			return slices.ContainsFunc(a.losses[list], func(l Loss) bool { return l.in == fn })
		})
	})
}

// always reports whether a function makes a call outside all branches and loops.
func (r *routine) always(call *ast.CallExpr) bool {
	return slices.ContainsFunc(r.decl.Body.List, func(statement ast.Stmt) bool {
		if branch, ok := statement.(*ast.IfStmt); ok {
			return branch.Init != nil && contains(branch.Init, call) || contains(branch.Cond, call)
		}
		_, plain := statement.(*ast.AssignStmt)
		_, bare := statement.(*ast.ExprStmt)
		return (plain || bare) && contains(statement, call)
	})
}

// shortens records statements that set a list to a part of itself.
func (a *accumulation) shortens(w *FieldWrite) {
	if part, ok := ast.Unparen(orNil(w.Value)).(*ast.SliceExpr); ok && fieldVar(w.Pkg.Info, deref(part.X)) == w.Field && !empty(part) && singles(part) {
		a.losses[w.Field] = append(a.losses[w.Field], Loss{Op: "cutting", Pos: w.Pos, Func: w.Func, in: w.In})
		return
	}
	if r := a.routines[w.In]; r != nil && w.Kind == Assigns && r.sifts(w.Value, w.Field) {
		a.losses[w.Field] = append(a.losses[w.Field], Loss{Op: "a loop", Pos: w.Pos, Func: w.Func, in: w.In})
		return
	}
	call, ok := ast.Unparen(orNil(w.Value)).(*ast.CallExpr)
	if !ok || w.Kind != Assigns {
		return
	}
	if hasVerb(calledName(call), removeVerbs) && len(call.Args) > 0 && fieldVar(w.Pkg.Info, deref(call.Args[0])) == w.Field {
		a.losses[w.Field] = append(a.losses[w.Field], Loss{Op: calledName(call), Pos: w.Pos, Func: w.Func, in: w.In})
	}
}

// sifts reports whether a value is built by a loop that keeps some elements of
// a list.
func (r *routine) sifts(value ast.Expr, list *types.Var) (found bool) {
	kept := r.variable(orNil(value))
	ast.Inspect(r.decl.Body, func(n ast.Node) bool {
		loop, ok := n.(*ast.RangeStmt)
		if kept == nil || !ok || fieldVar(r.pkg.Info, deref(loop.X)) != list {
			return kept != nil && !found
		}
		keeps, chooses := false, false
		ast.Inspect(loop.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.IfStmt:
				chooses = true
			case *ast.CallExpr:
				element := r.variable(orNil(loop.Value))
				keeps = keeps || calledName(n) == "append" && len(n.Args) == 2 && element != nil && r.variable(n.Args[0]) == kept && r.variable(n.Args[1]) == element
			}
			return true
		})
		found = keeps && chooses
		return !found
	})
	return found
}

// removal reports whether a statement is x.F = append(x.F[:i], x.F[i+1:]...), also
// by way of a variable that holds the list.
func (a *accumulation) removal(w *FieldWrite) bool {
	is := func(list ast.Expr) bool { return fieldVar(w.Pkg.Info, deref(mapOf(w.Pkg.Info, list))) == w.Field }
	if takesOne(w.Value, is) {
		return true
	}
	r := a.routines[w.In]
	if r == nil {
		return false
	}
	held := r.variable(orNil(w.Value))
	set := r.set[held]
	return held != nil && slices.ContainsFunc(set, is) && slices.ContainsFunc(set, func(value ast.Expr) bool {
		return takesOne(value, func(list ast.Expr) bool { return r.variable(list) == held })
	})
}

// takesOne reports whether a value is append(list[:i], list[i+1:]...).
func takesOne(value ast.Expr, is func(ast.Expr) bool) bool {
	call, ok := ast.Unparen(orNil(value)).(*ast.CallExpr)
	if !ok || len(call.Args) != 2 || !call.Ellipsis.IsValid() {
		return false
	}
	var parts [2]*ast.SliceExpr
	for i, arg := range call.Args {
		part, ok := ast.Unparen(arg).(*ast.SliceExpr)
		if !ok || !is(part.X) {
			return false
		}
		parts[i] = part
	}
	// otherwise list[:i] and list[i:] are the whole list
	return types.ExprString(orNil(parts[0].High)) != types.ExprString(orNil(parts[1].Low))
}

// merges reports whether a statement adds the same list of another value, as
// when one configuration is merged into another.
func merges(w *FieldWrite) bool {
	call, ok := ast.Unparen(orNil(w.Value)).(*ast.CallExpr)
	if !ok || !call.Ellipsis.IsValid() || len(call.Args) != 2 || prepends(call) {
		return false
	}
	return fieldVar(w.Pkg.Info, deref(call.Args[1])) == w.Field
}

// repeats reports whether a statement adds another field of the same value that its
// function does not change. The list then gets the same element each time.
func (a *accumulation) repeats(r *routine, w *FieldWrite) bool {
	call, ok := ast.Unparen(orNil(w.Value)).(*ast.CallExpr)
	if !ok || len(call.Args) != 2 || prepends(call) {
		return false
	}
	v, base := fieldVar(w.Pkg.Info, call.Args[1]), r.variable(outermost(call.Args[1]))
	return v != nil && base != nil && base == r.variable(outermost(w.Left)) && !slices.ContainsFunc(a.program.writes, func(other *FieldWrite) bool {
		return other.Field == v && other.In == w.In
	})
}

// withinOther reports whether a statement is in a loop over another list of the
// same value, so that it adds as many elements as that list has, or in a loop
// over the same list of another value, which it merges. A loop over the list
// that contains the changed value does not count: it may only search for that
// value.
func (r *routine) withinOther(w *FieldWrite) bool {
	base := r.variable(outermost(w.Left))
	found := false
	ast.Inspect(r.decl.Body, func(n ast.Node) bool {
		loop, ok := n.(*ast.RangeStmt)
		if !ok || w.Pos < loop.Pos() || loop.End() < w.Pos {
			return !found
		}
		v := fieldVar(r.pkg.Info, deref(loop.X))
		same := base != nil && r.variable(outermost(loop.X)) == base
		holds := false
		for x := inner(w.Left); x != nil && v != w.Field; x = inner(x) {
			holds = holds || fieldVar(r.pkg.Info, x) == v
		}
		found = found || v != nil && !holds && same != (v == w.Field)
		return !found
	})
	return found
}

// update judges a literal that adds to a list, or that sets a list which
// callers have built.
func (a *accumulation) update(u *Update) {
	r := a.routines[u.In]
	g := Growth{Op: u.Op, Pos: u.Pos, Func: u.Func, Kept: IsKept, Bound: u.Sliced, Update: u, pkg: u.Pkg}
	if !listOperators[u.Op] {
		g.Op = "append"
		value, _ := u.Node.(ast.Expr)
		if s, list := a.handed(r, value, 0); list != nil && u.Op == "$set" {
			r, g.list, g.by, g.Pos, g.Func, g.pkg = s.in, list, []*site{s}, s.call.Pos(), funcName(s.in.fn), s.in.pkg
		} else if !u.Appends {
			return
		}
	}
	from := g.Pos
	if h := u.handed; h != nil && a.routines[h.in] != nil {
		r, from = a.routines[h.in], h.node.Pos()
		g.by = slices.DeleteFunc(slices.Clone(r.calls), func(s *site) bool { return s.call != h.node })
	}
	if r != nil {
		g.Actor = a.actor(r, from, nil)
	}
	a.updates[u] = g
}

// handed returns the call that passes a function a field's list with one more
// element, if the function stores that argument or passes it on.
func (a *accumulation) handed(r *routine, value ast.Expr, depth int) (*site, *types.Var) {
	if r == nil || value == nil || depth > MaxCalls {
		return nil, nil
	}
	number, ok := r.params[r.variable(value)]
	if !ok {
		return nil, nil
	}
	for _, s := range a.callers[r.fn] {
		arg := s.argument(number)
		if list := a.program.given[arg]; list != nil {
			return s, list
		}
		if outer, list := a.handed(s.in, arg, depth+1); list != nil {
			return outer, list
		}
	}
	return nil, nil
}

// MaxCalls is how many calls a value, or what causes code to run, is followed.
const MaxCalls = 5

// reached is a variable to which a value was followed.
type reached struct {
	in    *routine
	part  part
	saved saveKind
}

// kept says whether the value at the start of a path was stored before and is
// stored again. It also returns the calls that lead to this function.
func (a *accumulation) kept(r *routine, path []part, pos token.Pos, saved saveKind, above []*site, seen map[reached]bool) (Kept, []*site) {
	best, chain := NotKept, above
	consider := func(k Kept, by []*site) {
		if k > best {
			best, chain = k, by
		}
	}
	for _, part := range path {
		saved := saved | a.savedBelow(r, part, pos)
		if at := (reached{r, part, saved}); seen[at] {
			continue
		} else {
			seen[at] = true
		}
		switch from, parameter := a.origin(r, part.root, map[*types.Var]bool{}); from {
		case loaded:
			if saved&(replaces|puts) != 0 {
				consider(IsKept, above)
			}
		case passed:
			callers, number := a.sitesOf(r, parameter)
			if saved&replaces != 0 && !a.newAtAll(callers, number) { // there is a stored value to replace
				consider(IsKept, above)
			}
			if len(callers) == 0 && saved != inserts && !a.idle(r.fn) {
				consider(PerhapsKept, above)
			}
			if len(above) >= MaxCalls {
				continue
			}
			for _, s := range callers {
				if s.in == r || slices.Contains(above, s) {
					continue
				}
				arg := s.argument(number)
				if arg == nil {
					continue
				}
				consider(a.kept(s.in, s.in.parts(arg, a), s.call.Pos(), saved, append(above[:len(above):len(above)], s), seen))
			}
		}
		if best == IsKept {
			break
		}
	}
	return best, chain
}

// newAtAll reports whether each of some calls passes as an argument what the function
// around it makes and nothing else fills. It replaces a stored value, and grows no list.
func (a *accumulation) newAtAll(calls []*site, number int) bool {
	return len(calls) > 0 && !slices.ContainsFunc(calls, func(s *site) bool {
		arg := s.argument(number)
		if arg == nil {
			return true
		}
		v := s.in.variable(outermost(arg))
		return v != nil && slices.ContainsFunc(s.in.filled[v], func(other *site) bool { return other != s }) || a.comesFrom(s.in, arg, map[*types.Var]bool{}) != made
	})
}

// cuts reports whether a call passes a list to a function that keeps only a
// number of elements from its start or its end.
func (a *accumulation) cuts(r *routine, call *ast.CallExpr, list *types.Var) bool {
	for i, arg := range call.Args {
		if fieldVar(r.pkg.Info, deref(arg)) != list {
			continue
		}
		for _, fn := range a.targets(&site{in: r, call: call, callee: r.pkg.Called(call)}) {
			inner, found := a.routines[fn], false
			if inner == nil {
				continue
			}
			ast.Inspect(inner.decl.Body, func(n ast.Node) bool {
				cut, ok := n.(*ast.SliceExpr)
				if ok && !singles(cut) && (cut.Low == nil) != (cut.High == nil) {
					v := inner.variable(ast.Unparen(cut.X))
					number, known := inner.params[v]
					found = found || known && number == i
				}
				return !found
			})
			if found {
				return true
			}
		}
	}
	return false
}
