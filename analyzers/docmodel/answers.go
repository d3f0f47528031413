package docmodel

import (
	"go/ast"
	"go/types"
	"strings"
)

// Answered reports whether the value of a field comes from the response of another
// service: code decodes it from there, or copies it from a struct that it decodes.
// That service then assigns the ids in it.
func (p *Program) Answered(f *Field) bool {
	a := p.accumulates()
	a.replies.Do(a.readAnswers)
	given := func(v *types.Var) bool { return a.answered[v] }
	return given(f.Var) || p.ComesFrom(f, given)
}

// readAnswers finds the fields of structs that code decodes from the responses of
// other services.
func (a *accumulation) readAnswers() {
	a.answered = map[*types.Var]bool{}
	for _, r := range a.routines {
		for _, s := range r.calls {
			if s.callee == nil || !decoding(s.callee.Name()) || len(s.call.Args) == 0 {
				continue
			}
			from, into := s.call.Args[0], s.call.Args[len(s.call.Args)-1]
			if selector, ok := ast.Unparen(s.call.Fun).(*ast.SelectorExpr); ok && from == into { // json.NewDecoder(response.Body).Decode(&order)
				from = selector.X
			}
			t := tracer{accumulation: a, seen: map[traced]bool{}, found: answers}
			if t.source(r, from, 0) {
				a.answer(r.pkg.Info.TypeOf(into))
			}
		}
	}
}

// answer records the fields of a struct and of the structs in it.
func (a *accumulation) answer(t types.Type) {
	s, ok := takeApart(t).elem.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for v := range s.Fields() {
		if v = v.Origin(); !a.answered[v] {
			a.answered[v] = true
			a.answer(v.Type())
		}
	}
}

// answers reports whether an expression is the response of another service: the body
// of a Response, or the result of a function that is given a web address.
func answers(r *routine, expr ast.Expr) bool {
	switch e := expr.(type) {
	case *ast.SelectorExpr:
		return e.Sel.Name == "Body" && typeNamed(r, e.X, "Response")
	case *ast.CallExpr:
		for _, arg := range e.Args {
			if r.address(arg, 0) {
				return true
			}
		}
	}
	return false
}

// address reports whether a text begins like a web address.
func (r *routine) address(expr ast.Expr, depth int) bool {
	if text, ok := r.pkg.Text(expr); ok {
		return strings.HasPrefix(text, "http")
	}
	switch e := ast.Unparen(expr).(type) {
	case *ast.BinaryExpr: // "https://example.com/orders/" + id
		return r.address(e.X, depth)
	case *ast.CallExpr: // fmt.Sprintf("https://example.com/orders/%s", id)
		return calledName(e) == "Sprintf" && len(e.Args) > 0 && r.address(e.Args[0], depth)
	case *ast.Ident:
		for _, set := range r.set[r.variable(e)] {
			if depth < MaxCalls && r.address(set, depth+1) {
				return true
			}
		}
	}
	return false
}
