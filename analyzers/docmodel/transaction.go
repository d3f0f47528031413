package docmodel

import (
	"go/types"
	"slices"
	"strings"
)

// InTransaction reports whether an update is part of a transaction, as far as
// its function shows: it is given a session or a transaction, or it runs one.
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

// CallsBoth is the function that calls those of two updates, and is in no
// transaction itself; nil if there is none.
func (p *Program) CallsBoth(u, other *Update) *types.Func {
	a := p.accumulates()
	for _, s := range a.callers[u.In] {
		if slices.ContainsFunc(s.in.calls, func(c *site) bool { return slices.Contains(a.targets(c), other.In) }) && !p.InTransaction(&Update{In: s.in.fn}) {
			return s.in.fn
		}
	}
	return nil
}

// joins reports whether a name speaks of a transaction.
func joins(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "transaction") || strings.Contains(name, "sessioncontext") || strings.HasSuffix(name, "batch")
}

func shortType(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
