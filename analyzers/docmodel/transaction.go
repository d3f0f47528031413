package docmodel

import (
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

// joins reports whether a name speaks of a transaction.
func joins(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "transaction") || strings.Contains(name, "sessioncontext") || strings.HasSuffix(name, "batch")
}

func shortType(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
