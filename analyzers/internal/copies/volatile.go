package copies

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/lazyregexp"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/rulebook"
)

// Weigh adds up the evidence that the copied data changes.
func (c *Copy) Weigh(p *docmodel.Pass) *docmodel.Score {
	s, words, f := &docmodel.Score{}, p.Words(), c.Field
	switch {
	case c.Source != nil:
		s.Add(3, "copy of", c.Source.Name)
		s.At(c.Source.Pos, "%s has documents of its own", c.Source.Name)
	case c.ID != nil:
		s.Add(1, "identity", c.ID.GoName())
	}
	if c.Whole && len(p.Program.Values(f)) > 0 && !p.Program.Copied(f) {
		s.Add(-5, "made for the document", f.GoName())
	}
	volatile, count := Volatile(words, f)
	clock := updated(f.Fields)
	if c.Source == nil && slices.ContainsFunc(volatile, c.original) {
		s.Add(-4, "changes without the original", f.GoName())
	}
	if count > 0 {
		names := make([]string, len(volatile))
		for i, v := range volatile {
			names[i] = v.Name
		}
		s.Add(min(2*float64(count), 4), "changes often", strings.Join(names, ", "))
	} else if i := slices.IndexFunc(f.Fields, func(inner *docmodel.Field) bool {
		return inner.Scalar() && inner != clock && inner.Has(words, lexicon.VolatileMedium)
	}); i >= 0 {
		s.Add(1, "changes occasionally", f.Fields[i].Name)
	}
	changes(s, volatile)
	if clock != nil && updated(f.Document.Fields) != nil {
		s.Add(1, "has its own time of change", clock.GoName())
	}
	if f.Struct != nil && !f.Struct.Obj().Exported() && c.Source == nil {
		s.Add(-2, "private part of its document", f.Struct.Obj().Name())
	}
	if c.AllSlow(words) {
		s.Add(-4, "hardly changes", true)
	}
	if c.Historical != "" {
		s.Add(-5, "a record of the past", c.Historical)
	}
	return s
}

var refreshes = lazyregexp.New(`^(?i)(update|refresh|sync|tick|on[A-Z]|poll|recalc)`)

// changes looks for code that changes a volatile value.
func changes(s *docmodel.Score, volatile []*docmodel.Field) {
	for _, v := range volatile {
		for _, w := range v.Writes {
			if w.Fresh || w.Kind == docmodel.Appends {
				continue
			}
			s.Add(2, "is changed", v.GoName()+" in "+w.Func)
			s.At(w.Pos, "here %s changes", v.GoName())
			if w.Loop || refreshes.MatchString(w.Func) {
				s.Add(1, "is changed repeatedly", w.Func)
			}
			return
		}
	}
}

// original reports whether a new value is computed from the document's own
// value. A copied value is computed from something else.
func (c *Copy) original(v *docmodel.Field) bool {
	return slices.ContainsFunc(v.Writes, func(w *docmodel.FieldWrite) bool {
		return c.names(v, w.Left, w.Pkg) && (w.Kind == docmodel.Adds || w.Value != nil && c.names(v, w.Value, w.Pkg))
	})
}

// names reports whether an expression refers to a field of the copy through the
// document: cart.Items[i].Price.
func (c *Copy) names(v *docmodel.Field, expr ast.Expr, pkg *docmodel.Package) bool {
	field, holder := false, false
	for n := range ast.Preorder(expr) {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			used := pkg.Info.ObjectOf(sel.Sel)
			field, holder = field || used == v.Var, holder || used == c.Field.Var
		}
	}
	return field && holder
}

// updated returns the time of change among fields, or nil.
func updated(fields []*docmodel.Field) *docmodel.Field {
	for _, f := range fields {
		if slices.Contains(copyTimesWords(), lexicon.Fold(f.GoName())) {
			return f
		}
	}
	return nil
}

var copyTimesWords = rulebook.Words("volatile-embed", "copy-times")
