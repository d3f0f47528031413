package aggregatedrift

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
)

// increment adds $inc next to an operator that changes the list by one element.
// This changes the update, so the fix is unsafe: the count may be maintained
// elsewhere.
func increment(p *check.Pass, u *docmodel.Update, count *docmodel.Field) *check.Fix {
	by := step(u)
	fix := check.Plan("change %s in the same update", count.Path)
	outer, ok := u.Outer.(*ast.CompositeLit)
	if !ok || u.Pkg != p.Package || u.Each || u.Op != "$push" && !pullsOne(u) || len(outer.Elts) == 0 || other(u) {
		return fix
	}
	text := ""
	switch typ := spelled(outer, u); {
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

// spelled returns the file's spelling of a literal's type.
func spelled(outer *ast.CompositeLit, u *docmodel.Update) string {
	if inner, ok := u.Entries.(*ast.CompositeLit); ok && outer.Type == nil {
		outer = inner
	}
	if outer.Type == nil {
		return ""
	}
	return types.ExprString(outer.Type)
}

// pullsOne reports whether $pull removes one value rather than all that match a
// condition.
func pullsOne(u *docmodel.Update) bool {
	_, literal := u.Node.(*ast.CompositeLit)
	return u.Op == "$pull" && !literal
}

// other reports whether the update already has a $inc, or is assembled from
// several statements.
func other(u *docmodel.Update) bool {
	return slices.ContainsFunc(u.Siblings(), func(s *docmodel.Update) bool {
		return s.Op == "$inc" || s.Node.Pos() < u.Outer.Pos() || s.Node.End() > u.Outer.End()
	})
}

// path returns the path of the count in the update: next to the list, with the
// update's positions.
func path(u *docmodel.Update, count *docmodel.Field) string {
	if i := strings.LastIndexByte(u.Path, '.'); i >= 0 {
		return u.Path[:i+1] + count.Name
	}
	return count.Name
}
