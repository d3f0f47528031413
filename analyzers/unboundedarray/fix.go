package unboundedarray

import (
	"fmt"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/analyzers/internal/refs"
	"github.com/shapevet/shapevet/internal/finding"
)

// fix bounds the $push where possible. Everything else is a plan: while code
// adds to the list, a new type next to it does not help.
func fix(p *check.Pass, f *docmodel.Field, s *score) *check.Fix {
	if found := slicePush(p, f); found != nil {
		return found
	}
	reference := refs.Noun(f.Document.Name) + "ID"
	title := fmt.Sprintf("store the elements of %s as documents that carry the id of their %s in %s", f.Path, f.Document.Name, reference)
	switch {
	case s.back != nil:
		title = fmt.Sprintf("remove %s, and query %s by %s", f.Path, s.back.Document.Name, s.back.GoName())
	case s.references:
		title = fmt.Sprintf("let the documents that %s refers to carry the id of their %s in %s", f.Path, f.Document.Name, reference)
	}
	return &check.Fix{Title: title, Safety: finding.Plan}
}
