package docmodel

import (
	"go/ast"
	"go/types"
)

// A field can be in a stored type and hold nothing that is stored: a $lookup
// returns what it joined under its name, or code fills it from another query
// once the document was read.

// A filling is a value that code sets a field to.
type filling struct {
	by *types.Func // the function that returned it, nil if it comes from elsewhere
	in *types.Func
}

// fills notes what a field is set to.
func (g *gatherer) fills(left, right ast.Expr) {
	v := fieldVar(g.pkg.Info, left)
	if v == nil || structNamed(v.Type()) == nil || isNil(right) {
		return
	}
	if id, ok := ast.Unparen(right).(*ast.Ident); ok {
		if set := g.locals[g.pkg.Info.ObjectOf(id)]; set != nil {
			right = set
		}
	}
	f := filling{in: g.fn}
	if call, ok := ast.Unparen(right).(*ast.CallExpr); ok {
		f.by = g.callee(call)
	}
	g.filled[v] = append(g.filled[v], f)
}

func isNil(expr ast.Expr) bool {
	id, ok := ast.Unparen(expr).(*ast.Ident)
	return ok && id.Name == "nil"
}

// text notes what a variable that holds a text is set to.
func (g *gatherer) text(left, right ast.Expr) {
	id, ok := ast.Unparen(left).(*ast.Ident)
	if !ok {
		return
	}
	if v, ok := g.pkg.Info.ObjectOf(id).(*types.Var); ok {
		if value, ok := g.constantString(right); ok {
			g.texts[v] = append(g.texts[v], value)
		}
	}
}

// joins adds the paths of $lookup stages that variables hold.
func (e *evidence) joins() {
	for _, v := range e.joinedBy {
		for _, path := range e.texts[v] {
			e.joined[path] = true
		}
	}
}

// views marks the fields that hold nothing that is stored.
func (p *Program) views() {
	reading, storing := map[*types.Func]bool{}, map[*types.Func]map[string]bool{}
	for _, call := range p.calls {
		switch {
		case call.in == nil:
		case call.sink.kind == reads:
			reading[call.in] = true
		default:
			if storing[call.in] == nil {
				storing[call.in] = map[string]bool{}
			}
			for _, s := range p.flow.reach(call.documents) {
				if named := structNamed(s.typ); named != nil {
					storing[call.in][TypeKey(named)] = true
				}
			}
		}
	}
	for _, d := range p.documents {
		stores := func(fn *types.Func) bool { return storing[fn][d.Key] }
		All(d.Fields, func(f *Field) {
			f.View = f.Parent != nil && f.Parent.View || // what a join finds has views of its own in it
				len(f.Updates) == 0 && f.Struct != nil && (p.Joined(f.Dotted) && len(p.filled[f.Var]) == 0 || p.filledIn(f.Var, reading, stores))
		})
	}
}

// filledIn reports whether all that sets a field are functions that read, in
// functions that read, and none of them stores the document.
func (p *Program) filledIn(v *types.Var, reads map[*types.Func]bool, stores func(*types.Func) bool) bool {
	reader := func(fn *types.Func) bool {
		if fn == nil {
			return false
		}
		if !isInterfaceMethod(fn) {
			return reads[fn] && !stores(fn)
		}
		for _, concrete := range p.methods[fn.Name()] {
			iface, ok := fn.Signature().Recv().Type().Underlying().(*types.Interface)
			if ok && reads[concrete] && !stores(concrete) && implements(concrete, fn, iface) {
				return true
			}
		}
		return false
	}
	for _, f := range p.filled[v] {
		if !reader(f.by) || !reads[f.in] || stores(f.in) {
			return false
		}
	}
	return len(p.filled[v]) > 0
}
