package docmodel

import (
	"cmp"
	"go/types"
	"maps"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
)

// DocumentsOf returns the stored types whose findings belong to a package,
// sorted by position: those that it declares, and those that it stores from
// packages that were not read. It skips results of computed queries. Types in
// generated files belong to the package that stores them: how they are stored is
// up to the code that does it.
func (p *Program) DocumentsOf(pkg *Package) []*Document {
	var found []*Document
	for _, d := range p.documents {
		home := d.storedIn
		if d.Editable() {
			home = d.declared.Package
		}
		if !d.View && home == pkg {
			found = append(found, d)
		}
	}
	slices.SortStableFunc(found, func(a, b *Document) int { return cmp.Compare(a.Pos, b.Pos) })
	return found
}

// FieldsOf returns the stored fields whose findings belong to a package. Each
// struct field occurs once, in its most certain and shallowest document. A
// struct declared in this package may be part of other packages' documents. All
// callers share the slice.
func (p *Program) FieldsOf(pkg *Package) []*Field {
	type fieldsOf struct{ pkg *Package }
	return Remember(p, fieldsOf{pkg}, func() []*Field {
		return p.Owned(pkg, func(d *Document) (all []*Field) {
			All(d.Fields, func(f *Field) { all = append(all, f) })
			return all
		})
	})
}

// Owned returns those fields of documents whose findings belong to a package.
func (p *Program) Owned(pkg *Package, of func(d *Document) []*Field) []*Field {
	best := map[*types.Var]*Field{}
	for _, d := range p.documents {
		if d.View {
			continue
		}
		for _, f := range of(d) {
			if known := best[f.Var]; p.owns(pkg, f) && !f.View && (known == nil || better(f, known)) {
				best[f.Var] = f
			}
		}
	}
	return slices.SortedFunc(maps.Values(best), func(a, b *Field) int {
		return cmp.Or(cmp.Compare(a.Var.Pos(), b.Var.Pos()), cmp.Compare(a.Document.Key+a.Path, b.Document.Key+b.Path))
	})
}

func (p *Program) owns(pkg *Package, f *Field) bool {
	d := f.Document
	switch {
	case f.Syntax != nil:
		return f.Var.Pkg() == pkg.Types && !p.generated[p.File(f.Var.Pos())]
	case d.declared == nil:
		return d.storedIn == pkg
	}
	return d.declared.Package == pkg && !p.packages[pathOfVar(f.Var)]
}

func pathOfVar(v *types.Var) string {
	if v.Pkg() == nil {
		return ""
	}
	return v.Pkg().Path()
}

// better reports whether to report a field in the document of a rather than in
// that of b. Code changes a task where tasks are stored, not in the host that
// keeps a copy. Where code changes it in most places shows which of two documents it is.
func better(a, b *Field) bool {
	switch sure := a.Document.Confidence >= finding.Probable; {
	case sure != (b.Document.Confidence >= finding.Probable):
		return sure
	case a.Document.Written != b.Document.Written:
		return a.Document.Written
	case a.changes() != b.changes():
		return a.changes() > b.changes()
	}
	return cmp.Or(
		cmp.Compare(a.Depth, b.Depth), cmp.Compare(b.Document.Confidence, a.Document.Confidence), cmp.Compare(a.Document.Key+a.Path, b.Document.Key+b.Path),
	) < 0
}

// Changed reports whether an update changes the field in documents of this type.
func (f *Field) Changed() bool {
	return f.changes() > 0
}

// changes counts the updates that change the field in documents of this type.
func (f *Field) changes() (n int) {
	for _, u := range f.Updates {
		if !u.Ambiguous {
			n++
		}
	}
	return n
}
