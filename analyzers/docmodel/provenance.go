package docmodel

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A part is a variable, or a field that contains a document, and the first
// field selected from it. first is nil for the whole value.
type part struct {
	root, first *types.Var
}

// parts returns the variables that an expression such as x.List belongs to,
// with what is selected from them. For j.task.Files these are j with task, and
// the task with Files. For a local variable they also include the value that it
// is an element of or points to.
func (r *routine) parts(expr ast.Expr, a *accumulation) []part {
	found := r.selected(expr, a)
	if len(found) == 0 {
		return nil
	}
	last := found[len(found)-1]
	for _, expr := range r.sources(last.root) {
		for _, p := range r.selected(expr, a) {
			if p.root == last.root {
				continue
			}
			if p.first == nil {
				p.first = last.first
			}
			found = append(found, p)
		}
	}
	return found
}

// selected returns the parts of an expression, without following variables.
func (r *routine) selected(expr ast.Expr, a *accumulation) []part {
	var found []part
	var first *types.Var
	for ; expr != nil; expr = inner(expr) {
		switch e := ast.Unparen(expr).(type) {
		case *ast.SelectorExpr:
			v := fieldVar(r.pkg.Info, e)
			if v == nil {
				return found
			}
			if a.holds(v) {
				found = append(found, part{v, first})
			}
			first = v
		case *ast.Ident:
			if v := r.variable(e); v != nil {
				found = append(found, part{v, first})
			}
		}
	}
	return found
}

// provenance says where the value of a variable comes from.
type provenance uint8

const (
	unknown provenance = iota
	made               // in this function
	passed             // as an argument
	loaded             // from a database
)

// origin says where the value of a variable comes from, and as which parameter it
// was passed. If there are several sources, the most telling one counts.
func (a *accumulation) origin(r *routine, v *types.Var, seen map[*types.Var]bool) (from provenance, parameter *types.Var) {
	if seen[v] {
		return unknown, nil
	}
	seen[v] = true
	if v.IsField() {
		for _, h := range a.held[v] {
			if a.holds(v) && a.comesFrom(h.in, h.expr, seen) == loaded {
				return loaded, nil
			}
		}
		return unknown, nil
	}
	if r.isParameter(v) {
		return passed, v
	}
	for _, s := range r.filled[v] {
		if a.fills(s, v, 0) {
			return loaded, nil
		}
	}
	sources := r.sources(v)
	if len(sources) == 0 {
		from = made
	}
	if _, parts := Pointed(v.Type()).Underlying().(*types.Struct); !parts {
		sources = slices.Concat(sources, r.derived[v]) // elements of a list, a map or a channel
	}
	for _, expr := range sources {
		other := r.variable(outermost(expr))
		if other == nil {
			from = max(from, a.comesFrom(r, expr, seen))
		} else if origin, by := a.origin(r, other, seen); origin > from {
			from, parameter = origin, by
		}
	}
	return from, parameter
}

// comesFrom says where the value of an expression comes from.
func (a *accumulation) comesFrom(r *routine, expr ast.Expr, seen map[*types.Var]bool) provenance {
	switch e := outermost(expr).(type) {
	case *ast.CallExpr:
		return a.result(&site{in: r, call: e, callee: r.pkg.Called(e)}, seen)
	case *ast.CompositeLit:
		return made
	case *ast.Ident:
		if v := r.variable(e); v != nil {
			from, _ := a.origin(r, v, seen)
			return from
		}
	}
	return unknown
}

// result says where the result of a call comes from.
func (a *accumulation) result(s *site, seen map[*types.Var]bool) provenance {
	if tv, ok := s.in.pkg.Info.Types[s.call.Fun]; ok && (tv.IsType() || tv.IsBuiltin()) {
		if len(s.call.Args) > 0 && tv.IsType() {
			return a.comesFrom(s.in, s.call.Args[0], seen)
		}
		if calledName(s.call) == "append" && a.given(s, seen) == loaded {
			return loaded
		}
		return made
	}
	if s.callee == nil {
		return unknown
	}
	if call := a.sinks[s.call]; call != nil && call.sink.kind == reads {
		return loaded
	}
	found, own := unknown, false
	for _, fn := range a.targets(s) {
		if r := a.routines[fn]; r != nil {
			own = true
			found = max(found, a.returned(r))
			if a.converts[fn] || readsDocument(fn) {
				found = max(found, a.given(s, seen))
			}
		}
	}
	if !own && (hasVerb(s.callee.Name(), readVerbs) || receiverName(s.callee) == "DocumentSnapshot" && a.storage(s.callee)) { // its body was not read
		return loaded
	}
	return found
}

// readsDocument reports whether a function makes a struct from a document that is written
// out.
func readsDocument(fn *types.Func) bool {
	signature := fn.Signature()
	if signature.Results().Len() == 0 || structNamed(signature.Results().At(0).Type()) == nil {
		return false
	}
	return slices.ContainsFunc(slices.Collect(signature.Params().Variables()), func(v *types.Var) bool { return isDocument(v.Type()) })
}

// given says where the arguments of a call come from. The most telling one
// counts.
func (a *accumulation) given(s *site, seen map[*types.Var]bool) provenance {
	found := unknown
	for i := -1; i < len(s.call.Args); i++ {
		if arg := s.argument(i); arg != nil {
			found = max(found, a.comesFrom(s.in, arg, seen))
		}
	}
	return found
}

// returned says where the result of a function comes from.
func (a *accumulation) returned(r *routine) provenance {
	const busy = 255
	if known, ok := a.loads[r.fn]; ok {
		if known == busy {
			return unknown
		}
		return provenance(known)
	}
	a.loads[r.fn] = busy
	found := made
	for _, ret := range r.returns {
		for _, expr := range ret.Results {
			if t := r.pkg.Info.TypeOf(expr); isError(t) || t == nil || t == types.Typ[types.UntypedNil] {
				continue
			}
			if a.comesFrom(r, expr, map[*types.Var]bool{}) == loaded {
				found = loaded
			}
		}
	}
	results := r.fn.Type().(*types.Signature).Results()
	for i := range results.Len() {
		if v := results.At(i); v.Name() != "" && !isError(v.Type()) {
			if from, _ := a.origin(r, v, map[*types.Var]bool{}); from == loaded {
				found = loaded
			}
		}
	}
	a.loads[r.fn] = uint8(found)
	return found
}

// fills reports whether a call reads a stored value into a variable.
func (a *accumulation) fills(s *site, v *types.Var, depth int) bool {
	if call := a.sinks[s.call]; call != nil && call.sink.kind == reads {
		return true
	}
	index := s.takes(v)
	if s.callee == nil || index < 0 {
		return false
	}
	if decoding(s.callee.Name()) && a.storedBytes(s) {
		return true
	}
	own := false
	for _, fn := range a.targets(s) {
		if r := a.routines[fn]; r != nil {
			own = true
			if a.fillsParameter(r, index, depth) {
				return true
			}
		}
	}
	return !own && s.callee.Pkg() != nil && a.storage(s.callee) && hasVerb(s.callee.Name(), readVerbs)
}

// takes returns the index of the argument that is a variable or points to it, or -1.
func (s *site) takes(v *types.Var) int {
	return slices.IndexFunc(s.call.Args, func(arg ast.Expr) bool { return s.in.variable(outermost(arg)) == v })
}

// fillsParameter reports whether a function reads a stored value into what a
// parameter points to.
func (a *accumulation) fillsParameter(r *routine, index, depth int) bool {
	signature := r.fn.Type().(*types.Signature)
	if index >= signature.Params().Len() || depth > MaxCalls {
		return false
	}
	v := signature.Params().At(index)
	return slices.ContainsFunc(r.calls, func(s *site) bool { return s.takes(v) >= 0 && a.fills(s, v, depth+1) }) ||
		a.storage(r.fn) && hasVerb(r.fn.Name(), readVerbs)
}

// decoding reports whether the name of a function says that it decodes bytes or
// maps.
func decoding(name string) bool { return strings.HasPrefix(name, "Unmarshal") || name == "Decode" }

// encoding reports whether the name of a function says that it encodes a value, and
// only reads it.
func encoding(name string) bool { return strings.HasPrefix(name, "Marshal") || name == "Encode" }

// filledElsewhere reports whether a function that is not part of the program
// receives a pointer to a struct, so that it may fill it from a request. Drivers fill
// it with what was stored.
func (a *accumulation) filledElsewhere(owner *types.Named) bool {
	a.leaving.Do(a.readLent)
	return a.lent[owner]
}

func (a *accumulation) readLent() {
	a.lent = map[*types.Named]bool{}
	for _, r := range a.routines {
		for _, s := range r.calls {
			if s.callee == nil || s.callee.Pkg() == nil || a.program.Reads(s.callee.Pkg()) || isSDK(s.callee.Pkg().Path()) || encoding(s.callee.Name()) {
				continue
			}
			for _, arg := range s.call.Args {
				t := r.pkg.Info.TypeOf(arg)
				if _, pointer := types.Unalias(t).(*types.Pointer); pointer {
					a.lent[structNamed(t)] = true
				}
			}
		}
	}
}

// storedBytes reports whether a call decodes what a database returned.
func (a *accumulation) storedBytes(s *site) bool {
	return slices.ContainsFunc(s.call.Args, func(arg ast.Expr) bool { return a.fromStore(s.in, arg, 0) })
}

// fromStore reports whether a value is what a database returned, or taken from it,
// also through a pager.
func (a *accumulation) fromStore(r *routine, expr ast.Expr, depth int) bool {
	switch e := outermost(orNil(expr)).(type) {
	case *ast.CallExpr:
		fn := r.pkg.Called(e)
		if fn == nil || fn.Pkg() == nil {
			return false
		}
		selector, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
		return isSDK(fn.Pkg().Path()) || a.storage(fn) || ok && depth < MaxCalls && fn.Signature().Recv() != nil && a.fromStore(r, selector.X, depth+1)
	case *ast.Ident:
		v := r.variable(e)
		return v != nil && depth < MaxCalls && slices.ContainsFunc(r.sources(v), func(from ast.Expr) bool { return a.fromStore(r, from, depth+1) })
	}
	return false
}

// storage reports whether a function belongs to a package about a database.
func (a *accumulation) storage(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return false
	}
	_, storage := storagePackage(fn.Pkg().Path())
	return storage || isSDK(fn.Pkg().Path())
}

// saveKind says how a call stores something.
type saveKind uint8

const (
	inserts  saveKind = 1 << iota
	replaces          // a document that is already stored
	puts              // a document that is already stored, or a new one
)

// savedParts are the parts of parameters that a function stores.
type savedParts struct {
	parts map[savedPart]saveKind
}

type savedPart struct {
	parameter int
	first     *types.Var
}

// savedBelow says how a function stores a part of a variable after a position.
func (a *accumulation) savedBelow(r *routine, wanted part, pos token.Pos) saveKind {
	var kind saveKind
	for _, s := range r.calls {
		if s.call.End() < pos && !s.loop {
			continue
		}
		for found, how := range a.stores(s) {
			if found.root == wanted.root && (found.first == nil || wanted.first == nil || found.first == wanted.first) {
				kind |= how
			}
		}
	}
	return kind
}

// stores returns the parts of variables that a call stores.
func (a *accumulation) stores(s *site) map[part]saveKind {
	found, known := a.stored[s]
	if !known {
		found = a.storesOf(s)
		a.stored[s] = found
	}
	return found
}

func (a *accumulation) storesOf(s *site) map[part]saveKind {
	found := map[part]saveKind{}
	add := func(expr ast.Expr, how saveKind) {
		for _, p := range a.mentioned(s.in, expr, 0) {
			found[p] |= how
		}
	}
	if call := a.sinks[s.call]; call != nil {
		if call.sink.kind == reads || call.sink.argument < 0 || call.sink.argument >= len(s.call.Args) {
			return nil
		}
		for _, arg := range documentArguments(s.call, call.sink, s.callee) {
			add(arg, howSaved(calledName(s.call), call.sink.kind))
		}
		return found
	}
	if s.callee == nil {
		return nil
	}
	own := false
	for _, fn := range a.targets(s) {
		r := a.routines[fn]
		if r == nil {
			continue
		}
		own = true
		for inner, how := range a.saved(r).parts {
			if arg := s.argument(inner.parameter); arg != nil {
				for _, p := range a.mentioned(s.in, arg, 0) {
					if p.first == nil {
						p.first = inner.first
					}
					found[p] |= how
				}
			}
		}
	}
	verb := hasVerb(s.callee.Name(), writeVerbs) || hasVerb(s.callee.Name(), []string{"Update", "Set", "Add"})
	if verb && a.storage(s.callee) && (!own || len(found) == 0) {
		for _, arg := range s.call.Args {
			add(arg, howSaved(s.callee.Name(), writes))
		}
	}
	return found
}

func howSaved(name string, kind sinkKind) saveKind {
	switch {
	case kind == updates, hasVerb(name, []string{"Replace", "Update", "FindOneAndReplace", "SetReplacement"}):
		return replaces
	case hasVerb(name, []string{"Insert", "Create", "Add", "SetDocument"}):
		return inserts
	}
	return puts
}

// saved says which parts of its parameters a function stores.
func (a *accumulation) saved(r *routine) *savedParts {
	if known := a.saves[r.fn]; known != nil {
		return known
	}
	result := &savedParts{parts: map[savedPart]saveKind{}}
	a.saves[r.fn] = result // empty while it is computed, to end recursion
	for _, s := range r.calls {
		for p, how := range a.stores(s) {
			if i, ok := r.params[p.root]; ok {
				result.parts[savedPart{i, p.first}] |= how
			}
		}
	}
	return result
}

// mentioned returns the parts of variables that an expression uses.
func (a *accumulation) mentioned(r *routine, expr ast.Expr, depth int) []part {
	var found []part
	note := func(p part) {
		found = append(found, p)
		if depth >= 3 || p.root.IsField() {
			return
		}
		if over := r.ranged[p.root]; over != nil {
			if v := r.variable(outermost(over)); v != nil {
				found = append(found, part{v, p.first})
			}
		}
		for _, expr := range slices.Concat(r.set[p.root], r.derived[p.root]) {
			found = append(found, a.mentioned(r, expr, depth+1)...)
		}
	}
	ast.Inspect(expr, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.KeyValueExpr:
			if _, ok := n.Key.(*ast.Ident); ok { // the name of a field
				found = append(found, a.mentioned(r, n.Value, depth)...)
				return false
			}
		case *ast.SelectorExpr:
			if fieldVar(r.pkg.Info, n) == nil {
				return true
			}
			if direct := r.selected(n, a); direct != nil {
				for _, p := range direct {
					note(p)
				}
				return false
			}
		case *ast.Ident:
			if v := r.variable(n); v != nil && !v.IsField() && carries(v.Type()) {
				note(part{v, nil})
			}
		}
		return true
	})
	return found
}

// carries reports whether a variable may hold a document or something made from
// one.
func carries(t types.Type) bool {
	if isError(t) || types.TypeString(t, nil) == "context.Context" {
		return false
	}
	_, basic := t.Underlying().(*types.Basic)
	return !basic
}
