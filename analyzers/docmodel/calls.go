package docmodel

import (
	"go/ast"
	"go/types"
	"slices"
)

// link connects calls to the functions that they may call.
func (a *accumulation) link() {
	concrete := map[*types.Func][]*types.Func{}
	for _, r := range a.ordered {
		for _, s := range r.calls {
			if s.callee == nil {
				if _, ok := orInvalid(r.pkg.Info.TypeOf(s.call.Fun)).Underlying().(*types.Signature); ok && r.pkg.Info.Types[s.call.Fun].IsValue() {
					a.indirect = append(a.indirect, s)
				}
				continue
			}
			if !isInterfaceMethod(s.callee) {
				a.callers[s.callee] = append(a.callers[s.callee], s)
				continue
			}
			methods, known := concrete[s.callee]
			if !known {
				methods = a.program.implementations(s.callee)
				concrete[s.callee] = methods
			}
			for _, m := range methods {
				a.callers[m] = append(a.callers[m], s)
			}
		}
	}
	for _, sites := range a.callers {
		slices.SortFunc(sites, func(x, y *site) int { return int(x.call.Pos() - y.call.Pos()) })
	}
}

// implementations returns the methods that may run when an interface method is
// called.
func (p *Program) implementations(abstract *types.Func) []*types.Func {
	receiver := abstract.Type().(*types.Signature).Recv()
	iface, ok := receiver.Type().Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	var found []*types.Func
	for _, m := range p.methods[abstract.Name()] {
		if implements(m, abstract, iface) {
			found = append(found, m.Origin())
		}
	}
	return found
}

// targets returns the functions with a body that a call may run.
func (a *accumulation) targets(s *site) []*types.Func {
	switch {
	case s.callee == nil:
		return nil
	case isInterfaceMethod(s.callee):
		return a.program.implementations(s.callee)
	}
	return []*types.Func{s.callee}
}

// idle reports whether no code of a program refers to one of its functions. It
// is false without a main function: the callers of a library are not seen.
func (a *accumulation) idle(fn *types.Func) bool {
	return fn != nil && a.runs && !a.used[fn]
}

// isParameter reports whether a variable is a parameter of a function or of a
// function literal in it.
func (r *routine) isParameter(v *types.Var) bool {
	_, own := r.params[v]
	_, inner := r.lambdas[v]
	return own || inner
}

// sitesOf returns the calls that pass a parameter, and its number. A function
// literal, and a function that code uses as a value, may run wherever code calls a
// value of its type, such as an option or a callback.
func (a *accumulation) sitesOf(r *routine, parameter *types.Var) ([]*site, int) {
	if l, ok := r.lambdas[parameter]; ok {
		return a.calling(l.signature), l.number
	}
	callers, number := a.callers[r.fn], r.params[parameter]
	if a.values[r.fn] {
		callers = append(callers[:len(callers):len(callers)], a.calling(r.fn.Signature())...)
	}
	return callers, number
}

// calling returns the calls of function values that may have a type. What a type
// parameter stands for is not compared.
func (a *accumulation) calling(signature *types.Signature) (found []*site) {
	same := func(x, y *types.Tuple) bool {
		for i := range min(x.Len(), y.Len()) {
			if _, any := Pointed(y.At(i).Type()).(*types.TypeParam); !any && !types.Identical(x.At(i).Type(), y.At(i).Type()) {
				return false
			}
		}
		return x.Len() == y.Len()
	}
	for _, s := range a.indirect {
		called := s.in.pkg.Info.TypeOf(s.call.Fun).Underlying().(*types.Signature)
		if same(signature.Params(), called.Params()) && same(signature.Results(), called.Results()) {
			found = append(found, s)
		}
	}
	return found
}

// argument is what a call passes as a parameter; -1 is the receiver.
func (s *site) argument(i int) ast.Expr {
	if i < 0 {
		if selector, ok := ast.Unparen(s.call.Fun).(*ast.SelectorExpr); ok {
			return selector.X
		}
		return nil
	}
	if i < len(s.call.Args) {
		return s.call.Args[i]
	}
	return nil
}
