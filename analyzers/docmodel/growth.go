package docmodel

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"
)

// Kept says what becomes of an element that code adds to a list.
type Kept uint8

const (
	NotKept     Kept = iota // the list is made here, or it is never stored again
	PerhapsKept             // the list was made elsewhere, and what becomes of it cannot be seen
	IsKept                  // the list was stored before and is stored again
)

// A Growth is a place in code that adds to a list of a document.
type Growth struct {
	Op      string // $push, append
	Pos     token.Pos
	Func    string
	Kept    Kept
	Bound   bool // the place limits the length
	Looks   bool // the code first checks that the element is not there, or adds to a set
	OneKind bool // the check looks for an element of a kind that the code spells out
	Swaps   bool // the code that runs it also takes out another element
	Actor   Actor
	Update  *Update
	Write   *FieldWrite

	by   []*site    // the calls that lead to this place
	list *types.Var // list whose longer copy is passed to the code that sets it; nil if the place adds to it
	pkg  *Package
}

// In returns the function that adds.
func (g *Growth) In() *types.Func {
	if g.Update != nil {
		return g.Update.In
	}
	return g.Write.In
}

// A Loss is a place in code that removes elements from a list.
type Loss struct {
	Op    string
	Pos   token.Pos
	Func  string
	Many  bool // it removes several at once, selected by a list or a range of values
	Moves bool // the same update adds the element to another list

	in *types.Func
}

// Growths returns the places that add to a list. Those where the list certainly
// gains from one save to the next come first.
func (p *Program) Growths(f *Field) []Growth {
	a := p.accumulates()
	var found []Growth
	for _, u := range f.Updates {
		if g, ok := a.updates[u]; ok && (g.list == nil || g.list == f.Var) {
			// An element with its own time is never in the set already.
			g.Looks = u.Excludes || u.Op == "$addToSet" && (f.Kind != Object || Timestamp(f.Fields) == nil) || p.Looks(u, f) ||
				slices.ContainsFunc(g.by, func(s *site) bool { return a.looks(s.in.fn, f.Var, s.call.Pos(), 0) })
			if e, ok := u.Node.(ast.Expr); ok && u.Op == "$addToSet" && u.unites(e, f.Var) {
				g.Kept = PerhapsKept
			}
			found = append(found, g)
		}
	}
	for _, w := range a.writesTo(f) {
		if g, ok := a.writes[w]; ok && (g.Kept != NotKept || g.Bound) {
			g.Swaps = slices.ContainsFunc(g.by, func(s *site) bool { return a.takesOut(s.in, w.Field) })
			found = append(found, g)
		}
	}
	slices.SortStableFunc(found, func(x, y Growth) int {
		return cmp.Or(cmp.Compare(y.Kept, x.Kept), cmp.Compare(y.of(f), x.of(f)))
	})
	return found
}

// of is 1 if a statement changes the list of this field, and 0 if it may be that of
// another field of the same type: the recipient's messages, not the requester's.
func (g *Growth) of(f *Field) int {
	if g.Write == nil || f.Parent == nil {
		return 0
	}
	for x := inner(g.Write.Left); x != nil; x = inner(x) {
		if v := fieldVar(g.pkg.Info, x); v != nil && v == f.Parent.Var {
			return 1
		}
	}
	return 0
}

// Looks reports whether the function of an update, or each function that calls
// it, first checks whether the element is in the list: by itself, in a function
// that it calls, or with a query.
func (p *Program) Looks(u *Update, f *Field) bool {
	return p.accumulates().looksBefore(u.In, u.Pos, f, 0)
}

// LooksIn reports whether a function checks, before a position, whether the list
// has the element.
func (p *Program) LooksIn(pkg *Package, fn *ast.FuncDecl, pos token.Pos, f *Field) bool {
	called, ok := pkg.Info.Defs[fn.Name].(*types.Func)
	return ok && p.accumulates().looksIn(called, pos, f)
}

func (a *accumulation) looksIn(fn *types.Func, pos token.Pos, f *Field) bool {
	return a.looks(fn, f.Var, pos, 0) || a.asksFor(fn, pos, f)
}

func (a *accumulation) looksBefore(fn *types.Func, pos token.Pos, f *Field, depth int) bool {
	if a.looksIn(fn, pos, f) {
		return true
	}
	callers := a.callers[fn]
	return depth < MaxCalls && len(callers) > 0 && !slices.ContainsFunc(callers, func(s *site) bool {
		return s.in.fn == fn || !a.looksBefore(s.in.fn, s.call.Pos(), f, depth+1)
	})
}

// asksFor reports whether a function queries documents by an element of the list, by itself
// or in a function that it calls, and a condition depends on the result.
func (a *accumulation) asksFor(fn *types.Func, before token.Pos, f *Field) bool {
	r := a.routines[fn]
	return r != nil && slices.ContainsFunc(r.calls, func(s *site) bool {
		return s.call.End() < before && r.decides(s.call) && slices.ContainsFunc(a.program.mentions[f.Dotted], func(m Mention) bool {
			in := func(fn *types.Func) bool {
				asked := a.routines[fn]
				return asked != nil && contains(asked.decl, m.literal)
			}
			return m.literal != nil && (contains(s.call, m.literal) || slices.ContainsFunc(a.targets(s), in)) && a.program.Concerns(m, f.Document) &&
				!slices.ContainsFunc(f.Updates, func(u *Update) bool { return u.Entries == m.literal })
		})
	})
}

// decides reports whether a condition uses what a call returns. That it failed with some
// error says nothing, but that it found a document or none does.
func (r *routine) decides(call *ast.CallExpr) (found bool) {
	ast.Inspect(r.decl.Body, func(n ast.Node) bool {
		branch, ok := n.(*ast.IfStmt)
		if !ok {
			return !found
		}
		ast.Inspect(branch.Cond, func(n ast.Node) bool {
			if differs, ok := n.(*ast.BinaryExpr); ok && differs.Op == token.NEQ && isError(r.pkg.Info.TypeOf(differs.X)) && r.pkg.Info.Types[differs.Y].IsNil() {
				return false
			}
			e, _ := n.(ast.Expr)
			found = found || n == call || slices.ContainsFunc(r.set[r.variable(e)], func(set ast.Expr) bool { return ast.Unparen(set) == call })
			return !found
		})
		return !found
	})
	return found
}

func (a *accumulation) looks(fn *types.Func, list *types.Var, before token.Pos, depth int) bool {
	r := a.routines[fn]
	return r != nil && (a.looksAt(r, list) || depth < 2 && slices.ContainsFunc(r.calls, func(s *site) bool {
		return (!before.IsValid() || s.call.End() < before) && slices.ContainsFunc(a.targets(s), func(fn *types.Func) bool {
			return a.looks(fn, list, NoPos, depth+1)
		})
	}))
}

// looksAt reports whether a function searches a list, or a field of another type
// that is set to the list.
func (a *accumulation) looksAt(r *routine, list *types.Var) bool {
	if r.looked[list] {
		return true
	}
	for other := range r.looked {
		if slices.ContainsFunc(a.taken(other), func(t taking) bool { return t.field == list }) {
			return true
		}
	}
	return false
}

// Steps reports whether an update sets a number to what code read from the same
// field plus or minus something. The field may have changed since.
func (p *Program) Steps(u *Update, f *Field) bool {
	r := p.accumulates().routines[u.In]
	value, _ := u.Node.(ast.Expr)
	if r == nil {
		return false
	}
	for _, from := range slices.Concat(r.set[r.variable(value)], []ast.Expr{value}) {
		sum, ok := ast.Unparen(orNil(from)).(*ast.BinaryExpr)
		if ok && (sum.Op == token.ADD || sum.Op == token.SUB) && fieldVar(r.pkg.Info, sum.X) == f.Var {
			return true
		}
	}
	return false
}

// Runs reports whether a function makes a literal, or is called by the function
// that makes it, for example to complete the value.
func (p *Program) Runs(l *Literal, fn *types.Func) bool {
	a := p.accumulates()
	r := a.around(l.Pkg, l.Node)
	return r != nil && (r.fn == fn || slices.ContainsFunc(r.calls, func(s *site) bool { return slices.Contains(a.targets(s), fn) }))
}

// Idle reports whether a literal is in a function that no code of the program
// refers to, such as a helper for tests. The runtime calls main and init,
// and methods may be called through an interface.
func (p *Program) Idle(l *Literal) bool {
	a := p.accumulates()
	r := a.around(l.Pkg, l.Node)
	return r != nil && r.fn != nil && r.fn.Signature().Recv() == nil && r.fn.Name() != "main" && r.fn.Name() != "init" && a.idle(r.fn)
}

// AsksEmpty reports whether the function of an update checks whether a list has
// elements, so that it can act differently if it is empty.
func (p *Program) AsksEmpty(u *Update, list *types.Var) (asks bool) {
	r := p.accumulates().routines[u.In]
	if r == nil {
		return false
	}
	ast.Inspect(r.decl.Body, func(n ast.Node) bool {
		branch, ok := n.(*ast.IfStmt)
		if !ok || branch.Pos() > u.Pos {
			return !asks
		}
		ast.Inspect(branch.Cond, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				asks = asks || calledName(n) == "len" && len(n.Args) == 1 && fieldVar(r.pkg.Info, deref(n.Args[0])) == list
			case *ast.BinaryExpr:
				asks = asks || fieldVar(r.pkg.Info, n.X) == list && r.pkg.Info.Types[n.Y].IsNil()
			}
			return !asks
		})
		return !asks
	})
	return asks
}

// Requires returns the states of a document of which one is required by the code that
// adds to its list: a function returns early if another field has none of these texts.
func (p *Program) Requires(g Growth, f *Field) []string {
	return p.accumulates().required(g.In(), g.Pos, f, 0)
}

func (a *accumulation) required(fn *types.Func, pos token.Pos, f *Field, depth int) (states []string) {
	r := a.routines[fn]
	if r == nil || depth > MaxCalls {
		return nil
	}
	for _, statement := range r.decl.Body.List {
		branch, ok := statement.(*ast.IfStmt)
		if !ok || branch.End() > pos || len(branch.Body.List) == 0 {
			continue
		}
		if _, leaves := branch.Body.List[len(branch.Body.List)-1].(*ast.ReturnStmt); leaves {
			if states = r.others(branch.Cond, f); len(states) > 0 {
				return states
			}
		}
	}
	for _, s := range a.callers[fn] {
		found := a.required(s.in.fn, s.call.Pos(), f, depth+1)
		if len(found) == 0 {
			return nil
		}
		states = append(states, found...)
	}
	return states
}

// others returns the texts from which a condition says that a field next to a list
// differs.
func (r *routine) others(cond ast.Expr, f *Field) []string {
	e, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	switch {
	case ok && e.Op == token.LAND:
		if x, y := r.others(e.X, f), r.others(e.Y, f); len(x) > 0 && len(y) > 0 {
			return slices.Concat(x, y)
		}
	case ok && e.Op == token.NEQ:
		v := fieldVar(r.pkg.Info, e.X)
		text, known := r.pkg.Text(e.Y)
		if known && slices.ContainsFunc(f.Siblings(), func(s *Field) bool { return s.Var == v }) {
			return []string{text}
		}
	}
	return nil
}

// Names reports whether a document names whom code adds to its list: a function returns
// early if the added id is in none of the other fields that hold one, such as the buyer
// and the seller of a chat.
func (p *Program) Names(g Growth, f *Field) bool {
	return p.adds(g, nil, func(r *routine, e ast.Expr) bool {
		v := r.variable(e)
		return v != nil && slices.ContainsFunc(r.decl.Body.List, func(statement ast.Stmt) bool {
			branch, ok := statement.(*ast.IfStmt)
			return ok && branch.End() < e.Pos() && returns(branch.Body) && r.differs(branch.Cond, v, f)
		})
	})
}

// differs reports whether a condition says that a variable differs from a field next to
// a list, or from several.
func (r *routine) differs(cond ast.Expr, v *types.Var, f *Field) bool {
	e, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok || e.Op != token.NEQ {
		return ok && r.differs(e.X, v, f) && r.differs(e.Y, v, f)
	}
	field := fieldVar(r.pkg.Info, e.X)
	return r.variable(e.Y) == v && slices.ContainsFunc(f.Siblings(), func(s *Field) bool { return s.Var == field })
}

// OwnState returns the field next to a list whose value code adds to the list, such as
// the status before it changes. It is nil unless all else that code adds is spelled out,
// and some is.
func (p *Program) OwnState(f *Field, growths []Growth) (state *Field) {
	siblings, spelled := f.Siblings(), false
	for _, g := range growths {
		for _, e := range p.added(g) {
			constant := p.SpelledOut(KeyUse{Expr: e, Pkg: g.pkg})
			spelled = spelled || constant
			v := fieldVar(g.pkg.Info, e)
			if i := slices.IndexFunc(siblings, func(s *Field) bool { return v != nil && s.Var == v }); i >= 0 {
				state = siblings[i]
			} else if !constant {
				return nil
			}
		}
	}
	if !spelled {
		return nil
	}
	return state
}

// Limited returns where code rejects or cuts a list that is too long; NoPos if
// there is no such place.
func (p *Program) Limited(f *Field) token.Pos {
	a := p.accumulates()
	for _, number := range f.Siblings() {
		if at := p.capped[number.Var]; at.IsValid() && number.Kind == Number && p.risesWith(number, f) {
			return at
		}
	}
	for _, list := range a.standing(f) {
		if at := p.capped[list]; at.IsValid() {
			return at
		}
		for _, h := range a.held[list] {
			for _, value := range append(h.in.set[h.in.variable(h.expr)], h.expr) {
				if call, ok := ast.Unparen(value).(*ast.CallExpr); ok && a.cuts(h.in, call, list) {
					return h.expr.Pos()
				}
			}
		}
	}
	return token.NoPos
}

// risesWith reports whether code that adds to a list adds to a number next to it
// wherever it adds to the list.
func (p *Program) risesWith(number, list *Field) bool {
	growths := p.Growths(list)
	return len(growths) > 0 && !slices.ContainsFunc(growths, func(g Growth) bool {
		if g.Update != nil {
			return !slices.ContainsFunc(g.Update.Siblings(), func(s *Update) bool { return s.Op == "$inc" && s.PlainPath() == number.Dotted })
		}
		return !slices.ContainsFunc(number.Writes, func(w *FieldWrite) bool { return w.Kind == Adds && w.In == g.Write.In })
	})
}

// Line quotes the code that adds to the list, from its operator on if it names
// one, or else from the start of the line on.
func (g *Growth) Line() string {
	file := g.pkg.Fset.File(g.Pos)
	text, err := g.pkg.Read(file.Name())
	if err != nil || len(text) != file.Size() {
		return g.Op
	}
	start := file.Offset(g.Pos)
	begin, end := strings.LastIndexByte(string(text[:start]), '\n')+1, start
	if g.Update != nil && g.list == nil {
		end = file.Offset(g.Update.Node.End())
	}
	rest, _, _ := strings.Cut(string(text[end:]), "\n")
	end += len(rest)
	if at := strings.LastIndex(string(text[begin:start]), `"`+g.Op); at > 0 && text[begin+at-1] != '[' && g.Update != nil && g.Update.Entries != nil && g.list == nil {
		begin, end = begin+at, file.Offset(g.Update.Entries.End())
	}
	return shortened(strings.TrimRight(strings.Join(strings.Fields(string(text[begin:end])), " "), ", "), 100)
}

// Read returns the text of a file.
func (p *Package) Read(name string) ([]byte, error) {
	if p.ReadFile != nil {
		return p.ReadFile(name)
	}
	return os.ReadFile(name)
}

func shortened(text string, width int) string {
	if r := []rune(text); len(r) > width {
		return string(r[:width-1]) + "…"
	}
	return text
}

// Losses returns the places that remove single elements from a list.
func (p *Program) Losses(f *Field) []Loss {
	a := p.accumulates()
	var found []Loss
	for _, u := range f.Updated("$pull", "$pullAll", "$pop") {
		found = append(found, Loss{Op: u.Op, Pos: u.Pos, Func: u.Func, Moves: u.moves(), Many: u.Op == "$pullAll" && !one(u.Node) || u.selects("$in", "$lt", "$lte", "$gt", "$gte")})
	}
	for _, list := range a.standing(f) {
		found = append(found, a.losses[list]...)
	}
	return found
}

// moves reports whether the same update adds to another list what it removes from
// this one, as when a task is done.
func (u *Update) moves() bool {
	removed, ok := u.Node.(ast.Expr)
	return ok && slices.ContainsFunc(u.Siblings(), func(s *Update) bool {
		added, ok := s.Node.(ast.Expr)
		return ok && listOperators[s.Op] && s.Path != u.Path && types.ExprString(added) == types.ExprString(removed)
	})
}

// one reports whether a node writes out a list with a single plain value.
func one(n ast.Node) bool {
	if entry, ok := n.(*ast.KeyValueExpr); ok {
		n = entry.Value
	}
	lit, ok := n.(*ast.CompositeLit)
	if !ok || len(lit.Elts) != 1 {
		return false
	}
	switch lit.Elts[0].(type) {
	case *ast.KeyValueExpr, *ast.CompositeLit:
		return false
	}
	return true
}

// selects reports whether the value of an update uses one of the operators,
// other than on a list with a single value.
func (u *Update) selects(operators ...string) bool {
	found := false
	ast.Inspect(u.Node, func(n ast.Node) bool {
		if lit, ok := n.(*ast.CompositeLit); ok && slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool { return one(e) }) {
			return false
		}
		if e, ok := n.(ast.Expr); ok {
			text, _ := u.Pkg.Text(e)
			found = found || slices.Contains(operators, text)
		}
		return !found
	})
	return found
}

// unites reports whether an update of a set adds the same list of another value, which
// may be as long as the list ever gets.
func (u *Update) unites(added ast.Expr, list *types.Var) bool {
	found := false
	ast.Inspect(added, func(n ast.Node) bool {
		e, ok := n.(*ast.SelectorExpr)
		found = found || ok && fieldVar(u.Pkg.Info, e) == list
		return !found
	})
	return found
}
