package docmodel

import (
	"cmp"
	"go/ast"
	"go/types"
	"iter"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/lexicon"
)

// ComesFrom reports whether code sets a field to the value of another field,
// such as the address of a user in the field that names the user.
func (p *Program) ComesFrom(f *Field, from func(*types.Var) bool) bool {
	a := p.accumulates()
	return slices.ContainsFunc(a.held[f.Var], func(h held) bool {
		t := tracer{accumulation: a, seen: map[traced]bool{}, found: func(r *routine, e ast.Expr) bool {
			v := fieldVar(r.pkg.Info, e)
			return v != nil && from(v)
		}}
		return t.source(h.in, h.expr, 0)
	})
}

// Converted reports whether code makes an ObjectID from the text of a field, as
// ObjectIDFromHex or a lookup with mgm does, to look up what the field refers
// to, or from a text that a query compares with the field.
func (p *Program) Converted(f *Field) bool {
	converted := p.accumulates().converted
	return converted[f.Var] || slices.ContainsFunc(p.mentions[f.Dotted], func(m Mention) bool { return converted[m.by] && p.Concerns(m, f.Document) })
}

// convert records the fields and variables whose text becomes an ObjectID. It follows each call that
// makes one once, whatever the number of fields.
func (a *accumulation) convert() {
	a.converted = map[types.Object]bool{}
	t := tracer{accumulation: a, found: func(r *routine, e ast.Expr) bool {
		if v := cmp.Or(fieldVar(r.pkg.Info, deref(e)), r.variable(e)); v != nil {
			a.converted[v] = true
		}
		return false // there may be more
	}}
	for _, r := range a.routines {
		for _, s := range r.calls {
			if s.converts() {
				t.seen = map[traced]bool{}
				t.source(s.in, s.call.Args[0], 0)
			}
		}
	}
}

// converts reports whether a call makes an ObjectID from a text.
func (s *site) converts() bool {
	if s.callee == nil || len(s.call.Args) == 0 || !IsText(s.in.pkg.Info.TypeOf(s.call.Args[0])) {
		return false
	}
	if s.callee.Name() == "FindByID" && s.callee.Pkg() != nil && strings.Contains(s.callee.Pkg().Path(), "/mgm") {
		return true
	}
	results := s.callee.Signature().Results()
	return len(s.call.Args) == 1 && results.Len() > 0 && KindOf(results.At(0).Type(), BSON) == ObjectID
}

// Copied reports whether a value that code sets a field to, or adds to it, was
// read from a store or exists independently: code that makes a document has it
// in a variable, or an update receives it as an argument.
func (p *Program) Copied(f *Field) bool {
	a := p.accumulates()
	if slices.ContainsFunc(f.Updates, func(u *Update) bool {
		e, ok := u.Node.(ast.Expr)
		r := a.routines[u.In]
		if _, whole := deref(orNil(e)).(*ast.Ident); !ok || !whole || r == nil {
			return false
		}
		from := a.comesFrom(r, e, map[*types.Var]bool{})
		return from == loaded || from == passed && (u.Op != "$set" || !f.List()) // a whole list may have been written for the field
	}) {
		return true
	}
	t := tracer{accumulation: a, seen: map[traced]bool{}, found: func(r *routine, e ast.Expr) bool { return a.comesFrom(r, e, map[*types.Var]bool{}) == loaded }}
	return slices.ContainsFunc(a.held[f.Var], func(h held) bool {
		if slices.ContainsFunc(a.fields(h.in, h.expr, map[types.Object]bool{}), func(t taking) bool { return slices.Contains(a.standing(f), t.field) }) {
			return false // previous content of the list
		}
		found := !f.List() && a.standsAlone(h.in, h.expr, f.id(), 0)
		ast.Inspect(h.expr, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			found = found || ok && t.source(h.in, e, 0)
			return !found
		})
		return found
	})
}

// standsAlone reports whether a value stands in a variable of its own: in the function
// that uses it and, if it is an argument, at a call. A thing that the code writes out with
// a new id, and uses nowhere else, is only a step on the way to the field.
func (a *accumulation) standsAlone(r *routine, value ast.Expr, id string, depth int) bool {
	if address, ok := ast.Unparen(value).(*ast.UnaryExpr); ok && depth > 0 {
		value = address.X
	}
	name, ok := deref(value).(*ast.Ident)
	if !ok || r.variable(name) == nil {
		return false
	}
	number, passed := r.params[r.variable(name)]
	callers := a.callers[r.fn]
	if !passed {
		return !r.step(r.variable(name), id)
	}
	return len(callers) == 0 || depth == MaxCalls || slices.ContainsFunc(callers, func(s *site) bool {
		arg := s.argument(number)
		return arg != nil && a.standsAlone(s.in, arg, id, depth+1)
	})
}

// step reports whether a function writes a thing out with a new id and uses it as a
// whole only once.
func (r *routine) step(v *types.Var, id string) bool {
	if len(r.set[v]) == 0 || slices.ContainsFunc(r.set[v], func(value ast.Expr) bool { return !writesNew(value, id) }) {
		return false
	}
	uses := 0
	ast.Inspect(r.decl.Body, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok {
			_, direct := ast.Unparen(selector.X).(*ast.Ident)
			return !direct || fieldVar(r.pkg.Info, selector) == nil
		}
		if name, ok := n.(*ast.Ident); ok && r.pkg.Info.Uses[name] == v {
			uses++
		}
		return true
	})
	return uses == 1
}

// writesNew reports whether an expression is a literal whose id is the result of a call
// without arguments, such as NewObjectID.
func writesNew(value ast.Expr, id string) bool {
	if address, ok := ast.Unparen(value).(*ast.UnaryExpr); ok {
		value = address.X
	}
	lit, ok := ast.Unparen(value).(*ast.CompositeLit)
	if !ok {
		return false
	}
	call, ok := ast.Unparen(orNil(SetTo(lit, id))).(*ast.CallExpr)
	return ok && len(call.Args) == 0
}

// NewID reports whether an expression is the result of New… without arguments, also as a
// text: uuid.New().String().
func NewID(value ast.Expr) bool {
	call, ok := ast.Unparen(value).(*ast.CallExpr)
	if !ok || len(call.Args) > 0 {
		return false
	}
	selector, _ := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	return strings.HasPrefix(calledName(call), "New") || selector != nil && NewID(selector.X)
}

// Everywhere reports whether a condition is true of a value, in the function
// that uses it or, if it is an argument, at each call.
func (p *Program) Everywhere(fn *types.Func, value ast.Expr, holds func(*Package, *ast.FuncDecl, ast.Expr) bool) bool {
	a := p.accumulates()
	r := a.routines[fn.Origin()]
	return r != nil && a.everywhere(r, value, 0, holds)
}

func (a *accumulation) everywhere(r *routine, value ast.Expr, depth int, holds func(*Package, *ast.FuncDecl, ast.Expr) bool) bool {
	if holds(r.pkg, r.decl, value) {
		return true
	}
	v := r.variable(outermost(value))
	if set := r.set[v]; len(set) == 1 {
		call, ok := ast.Unparen(set[0]).(*ast.CallExpr) // as ObjectIDFromHex(id)
		return ok && len(call.Args) == 1 && depth < MaxCalls && a.everywhere(r, call.Args[0], depth+1, holds)
	}
	number, passed := r.params[v]
	callers := a.callers[r.fn]
	return passed && depth < MaxCalls && len(callers) > 0 && !slices.ContainsFunc(callers, func(s *site) bool {
		arg := s.argument(number)
		return arg == nil || !a.everywhere(s.in, arg, depth+1, holds)
	})
}

// ByRequester reports whether the added element is the identity of the requester
// or has it as the key by which code finds the element in the list: a value from
// the session, the token or the sender of a message rather than the body or the
// path. Then each user adds one element, however many users there are. What users
// add to a document of their own does not count.
func (p *Program) ByRequester(g Growth, f *Field) bool {
	is := func(r *routine, e ast.Expr) bool { return requester(r, e) || p.sender(r, e) }
	if !p.adds(g, p.elementKeys(f), is) {
		return false
	}
	a := p.accumulates()
	r := a.routines[g.In()]
	mine := func(r *routine, e ast.Expr) bool {
		return tracer{a, map[traced]bool{}, is, &elementKeys{}}.source(r, e, 0)
	}
	if g.Write != nil {
		return !a.readBy(r, r.variable(outermost(g.Write.Left)), mine, 0)
	}
	own, keyed, byUser := false, false, false
	for _, s := range r.calls {
		for _, arg := range s.call.Args {
			for path, value := range r.filtered(arg) {
				switch below := strings.HasPrefix(path, f.Dotted+"."); {
				case !contains(s.call, g.Update.Node):
				case !below && path != f.Dotted:
					own = own || mine(r, value) // what users add to a document of their own
				case below:
					for _, key := range r.filtered(value) { // {"likes.user": {"$ne": id}}: one for each of these
						keyed, byUser = true, byUser || mine(r, key)
					}
				}
			}
		}
	}
	return !own && (!keyed || byUser)
}

// readBy reports whether the value of a variable is the result of a call with an
// argument that mine accepts.
func (a *accumulation) readBy(r *routine, v *types.Var, mine func(*routine, ast.Expr) bool, depth int) bool {
	if i, ok := r.params[v]; ok && depth < MaxCalls {
		return slices.ContainsFunc(a.callers[r.fn], func(s *site) bool {
			arg := s.argument(i)
			return arg != nil && a.readBy(s.in, s.in.variable(outermost(arg)), mine, depth+1)
		})
	}
	return slices.ContainsFunc(r.set[v], func(set ast.Expr) bool {
		call, ok := ast.Unparen(set).(*ast.CallExpr)
		return ok && slices.ContainsFunc(call.Args, func(arg ast.Expr) bool { return mine(r, arg) })
	})
}

// filtered returns the paths of a filter, or the operators of a condition, and what they are
// compared with.
func (r *routine) filtered(arg ast.Expr) iter.Seq2[string, ast.Expr] {
	return func(yield func(string, ast.Expr) bool) {
		for _, expr := range slices.Concat(r.set[r.variable(arg)], []ast.Expr{arg}) {
			lit, ok := ast.Unparen(expr).(*ast.CompositeLit)
			if !ok {
				continue
			}
			for _, element := range lit.Elts {
				var key, value ast.Expr
				switch e := element.(type) {
				case *ast.KeyValueExpr:
					key, value = e.Key, e.Value
				case *ast.CompositeLit: // an element of bson.D
					key, value = SetTo(e, "Key"), SetTo(e, "Value")
				}
				path, ok := r.pkg.Text(orNil(key))
				if ok && value != nil && !yield(path, value) {
					return
				}
			}
		}
	}
}

// elementKeys are the fields of a list's elements by which code finds or removes an
// element, in Go and as stored.
type elementKeys struct {
	fields map[*types.Var]bool
	names  map[string]bool
}

func (p *Program) elementKeys(f *Field) *elementKeys {
	a := p.accumulates()
	found := &elementKeys{map[*types.Var]bool{}, map[string]bool{}}
	for _, list := range a.standing(f) {
		for _, key := range a.searched[list] {
			found.fields[key] = true
		}
	}
	for _, inner := range f.Fields {
		if found.fields[inner.Var] || len(p.Mentions(inner.Dotted)) > 0 || slices.ContainsFunc(f.Updated("$pull"), func(u *Update) bool { return u.selects(inner.Name) }) {
			found.fields[inner.Var], found.names[inner.Name] = true, true
		}
	}
	return found
}

// AddedStem returns what the texts or numbers added to a list refer to, according to
// their names at the source, or "" if they are not ids of something else.
func (p *Program) AddedStem(g Growth) (stem string) {
	p.adds(g, nil, func(r *routine, e ast.Expr) bool {
		name := ""
		switch e := e.(type) {
		case *ast.Ident:
			name = e.Name
		case *ast.SelectorExpr:
			if named := structNamed(Pointed(r.pkg.Info.TypeOf(e.X))); named != nil {
				name = named.Obj().Name()
			}
			name += e.Sel.Name // the ID of a User
		}
		of, many, ok := lexicon.ReferenceStem(name)
		if ok && !many && strings.HasSuffix(strings.ToLower(name), "id") && (IsText(r.pkg.Info.TypeOf(e)) || isWhole(r.pkg.Info.TypeOf(e))) {
			stem = of
		}
		return stem != ""
	})
	return stem
}

// adds reports whether an added element, or one of its keys, comes from an
// expression that found accepts.
func (p *Program) adds(g Growth, keys *elementKeys, found func(*routine, ast.Expr) bool) bool {
	a := p.accumulates()
	r := a.routines[g.In()]
	t := tracer{a, map[traced]bool{}, found, keys}
	return r != nil && slices.ContainsFunc(p.added(g), func(e ast.Expr) bool { return t.source(r, e, 0) })
}

// added returns the elements that a place adds, as the code writes them.
func (p *Program) added(g Growth) []ast.Expr {
	if g.Update != nil {
		if e, ok := g.Update.Node.(ast.Expr); ok {
			return []ast.Expr{e}
		}
	} else if call, ok := ast.Unparen(orNil(g.Write.Value)).(*ast.CallExpr); ok && len(call.Args) > 1 {
		return call.Args[1:]
	}
	return nil
}

// contextual are methods of framework contexts that return what was stored in
// them.
var contextual = []string{"Value", "Get", "MustGet", "GetString", "GetInt", "GetInt64", "GetUint", "GetUint64", "Locals", "UserValue"}

// requester reports whether an expression is the requester's identity in a
// context, a session or the claims of a token.
func requester(r *routine, expr ast.Expr) bool {
	switch e := expr.(type) {
	case *ast.CallExpr:
		selector, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
		return ok && slices.Contains(contextual, selector.Sel.Name) && typeNamed(r, selector.X, "Context", "Ctx", "Session") || ok && len(e.Args) == 0 && typeNamed(r, selector.X, "Claims")
	case *ast.IndexExpr:
		return typeNamed(r, e.X, "Claims", "Session")
	case *ast.SelectorExpr:
		return typeNamed(r, e.X, "Claims") || typeNamed(r, e.X, "Session") && !strings.EqualFold(e.Sel.Name, "id") // which may be that of a lesson
	}
	return false
}

// sender reports whether an expression is a property of who sent a message that a
// library of a chat platform has read: update.Message.From.ID. Others that a
// message names are in lists.
func (p *Program) sender(r *routine, expr ast.Expr) bool {
	e, ok := expr.(*ast.SelectorExpr)
	if !ok || !typeNamed(r, e.X, "User") || p.Own(Pointed(r.pkg.Info.TypeOf(e.X))) {
		return false
	}
	of, ok := ast.Unparen(e.X).(*ast.SelectorExpr)
	for ok {
		if _, id := ast.Unparen(of.X).(*ast.Ident); id {
			return true
		}
		of, ok = ast.Unparen(of.X).(*ast.SelectorExpr)
	}
	return false
}

// typeNamed reports whether the name of an expression's type ends in one of the
// words.
func typeNamed(r *routine, expr ast.Expr, words ...string) bool {
	named, ok := types.Unalias(Pointed(r.pkg.Info.TypeOf(expr))).(*types.Named)
	return ok && slices.ContainsFunc(words, func(w string) bool { return strings.HasSuffix(named.Obj().Name(), w) })
}

// Inserted reports whether code stores the value of a literal as a new
// document.
func (p *Program) Inserted(l *Literal) bool {
	a := p.accumulates()
	a.mutex.Lock()
	defer a.mutex.Unlock()
	r := a.around(l.Pkg, l.Node)
	return r != nil && a.inserted(r, l.Node, 0, nil)
}

// inserted reports whether the value of an expression is stored as a new
// document, here or by the callers it is returned to.
func (a *accumulation) inserted(r *routine, made ast.Expr, result int, above []*routine) bool {
	if len(above) > MaxCalls || slices.Contains(above, r) {
		return false
	}
	var holders []part
	for _, v := range r.setBy(made, result) {
		holders = append(holders, r.holders(part{root: v})...)
	}
	for _, s := range r.calls {
		for stored, how := range a.stores(s) {
			if stored.first == nil && how&(inserts|puts) != 0 && slices.Contains(holders, stored) && a.passesOn(s, stored, r.pkg.Info.TypeOf(made)) {
				return true
			}
		}
		if a.savesArgument(s, made)&(inserts|puts) != 0 {
			return true
		}
	}
	for i := range r.fn.Signature().Results().Len() {
		if r.returnsAt(i, made, holders) && slices.ContainsFunc(a.callers[r.fn], func(s *site) bool { return a.inserted(s.in, s.call, i, append(above, r)) }) {
			return true
		}
	}
	return false
}

// passesOn reports whether the argument by which a call stores something can be a value of
// a type, or contain one. Otherwise it is only made from some of its fields.
func (a *accumulation) passesOn(s *site, stored part, t types.Type) bool {
	return slices.ContainsFunc(s.call.Args, func(arg ast.Expr) bool {
		return slices.Contains(a.mentioned(s.in, arg, 0), stored) && canHold(orInvalid(s.in.pkg.Info.TypeOf(arg)), orInvalid(t), 0)
	})
}

func canHold(t, held types.Type, depth int) bool {
	own, named := structNamed(t), structNamed(held)
	if named == nil || own == nil || TypeKey(own) == TypeKey(named) {
		return true
	}
	for v := range own.Underlying().(*types.Struct).Fields() {
		if inner := structNamed(v.Type()); inner != nil && depth < MaxCalls && canHold(inner, held, depth+1) {
			return true
		}
	}
	return false
}

// savesArgument returns how a call stores the argument that contains an
// expression.
func (a *accumulation) savesArgument(s *site, made ast.Expr) saveKind {
	at := slices.IndexFunc(s.call.Args, func(arg ast.Expr) bool { return contains(arg, made) })
	if at < 0 {
		return 0
	}
	if call := a.sinks[s.call]; call != nil {
		if at < call.sink.argument || call.sink.argument < 0 || call.sink.kind == reads {
			return 0
		}
		return howSaved(calledName(s.call), call.sink.kind)
	}
	var kind saveKind
	for _, fn := range a.targets(s) {
		if r := a.routines[fn]; r != nil {
			kind |= a.saved(r).parts[savedPart{parameter: at}]
		}
	}
	return kind
}

func contains(outer, inner ast.Node) bool {
	return outer.Pos() <= inner.Pos() && inner.End() <= outer.End()
}
