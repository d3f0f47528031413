package docmodel

import (
	"go/types"
	"slices"
	"strings"
)

// InTransaction reports whether an update's function shows that it is in a
// transaction: the function receives a session or a transaction, or runs one.
func (p *Program) InTransaction(u *Update) bool {
	r := p.accumulates().routines[u.In]
	if r == nil {
		return false
	}
	for v := range r.params {
		if joins(shortType(v.Type().String())) {
			return true
		}
	}
	return slices.ContainsFunc(r.calls, func(s *site) bool {
		return joins(calledName(s.call)) || strings.HasPrefix(calledName(s.call), "BulkWrite")
	})
}

// CallsBoth returns the function that calls the functions of two updates
// outside a transaction, or nil.
func (p *Program) CallsBoth(u, other *Update) *types.Func {
	a := p.accumulates()
	for _, s := range a.callers[u.In] {
		if slices.ContainsFunc(s.in.calls, func(c *site) bool { return slices.Contains(a.targets(c), other.In) }) && !p.InTransaction(&Update{In: s.in.fn}) {
			return s.in.fn
		}
	}
	return nil
}

// joins reports whether a name mentions a transaction.
func joins(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "transaction") || strings.Contains(name, "sessioncontext") || strings.HasSuffix(name, "batch")
}

func shortType(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
