package aggregatedrift

import (
	"fmt"
	"go/ast"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
)

// increment adds $inc beside an operator that changes the list by one element.
// What the update does changes, so it is not for everyone to apply unseen: the
// count may be kept elsewhere.
func increment(p *docmodel.Pass, u *docmodel.Update, count *docmodel.Field) *docmodel.Fix {
	by := step(u)
	fix := &docmodel.Fix{Title: fmt.Sprintf("change %s in the same update", count.Path), Safety: finding.Plan}
	outer, ok := u.Outer.(*ast.CompositeLit)
	if !ok || u.Pkg != p.Package || u.Each || u.Op != "$push" && !pullsOne(u) || len(outer.Elts) == 0 || other(u) {
		return fix
	}
	text := ""
	switch typ := spelled(p, outer, u); {
	case strings.HasSuffix(typ, ".M"):
		text = fmt.Sprintf(`, "$inc": %s{%q: %s}`, typ, path(u, count), by)
	case strings.HasSuffix(typ, ".D"):
		text = fmt.Sprintf(`, {Key: "$inc", Value: %s{{Key: %q, Value: %s}}}`, typ, path(u, count), by)
	default:
		return fix
	}
	at := outer.Elts[len(outer.Elts)-1].End()
	fix.Safety = finding.Unsafe
	fix.Edits = []analysis.TextEdit{{Pos: at, End: at, NewText: []byte(text)}}
	return fix
}

// spelled is how the file writes the type of a literal.
func spelled(p *docmodel.Pass, outer *ast.CompositeLit, u *docmodel.Update) string {
	if outer.Type != nil {
		return p.Source(outer.Type)
	}
	if inner, ok := u.Entries.(*ast.CompositeLit); ok && inner.Type != nil {
		return p.Source(inner.Type)
	}
	return ""
}

// pullsOne reports whether $pull names one value, not a condition.
func pullsOne(u *docmodel.Update) bool {
	if u.Op != "$pull" {
		return false
	}
	_, literal := u.Node.(*ast.CompositeLit)
	return !literal
}

// other reports whether the update has a $inc already, or is put together from
// several statements.
func other(u *docmodel.Update) bool {
	outer := u.Outer
	for _, s := range u.Siblings() {
		if s.Op == "$inc" || s.Node.Pos() < outer.Pos() || s.Node.End() > outer.End() {
			return true
		}
	}
	return false
}

// path is that of the count as the update has to write it: beside the list,
// with the positions that the update names.
func path(u *docmodel.Update, count *docmodel.Field) string {
	if i := strings.LastIndexByte(u.Path, '.'); i >= 0 {
		return u.Path[:i+1] + count.Name
	}
	return count.Name
}
