package volatileembed

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/analyzers/internal/copies"
	"github.com/shapevet/shapevet/analyzers/internal/refs"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
)

// fix adds the reference beside the copy and marks the copy. Nothing that is
// stored changes until code sets the reference.
func fix(p *docmodel.Pass, c copies.Copy) *docmodel.Fix {
	f := c.Field
	plan := &docmodel.Fix{Title: fmt.Sprintf("replace %s by a reference in the type of %s", f.Path, c.ID.GoName()), Safety: finding.Plan}
	if f.Map() || f.Lists > 1 || f.Owner == nil || refs.Stem(c.ID) != "" {
		return plan // what is copied carries the reference already
	}
	id := refs.IDType(c.ID)
	source := p.TypeSource(id, f.Var.Pos())
	if source == "" {
		return plan
	}
	field := docmodel.NewField{Type: source, Of: id}
	words, suffix := noun(f), c.ID.GoName()
	switch lexicon.Fold(suffix) {
	case "id", "uuid", "guid", "uid", "oid", "objectid":
		suffix = "ID"
	}
	stored := append(words, lexicon.Tokens(suffix)...)
	if f.Lists > 0 {
		field.Type, field.Of = "[]"+source, types.NewSlice(id)
		stored[len(stored)-1] = lexicon.Plural(stored[len(stored)-1])
		suffix = strings.TrimSuffix(lexicon.Plural(suffix), "S")
		if !strings.HasSuffix(suffix, "s") {
			suffix += "s"
		}
	}
	for _, word := range words {
		field.Name += strings.ToUpper(word[:1]) + word[1:]
	}
	field.Name += strings.ToUpper(suffix[:1]) + suffix[1:]
	field.Stored = p.NameLike(f, stored...)
	added, ok := p.AddFields(f, field)
	if !ok {
		return plan
	}
	mark, ok := p.Deprecate(f, fmt.Sprintf("copies values that change, use %s.", field.Name))
	if !ok {
		return plan
	}
	title := fmt.Sprintf("add %s.%s, in the type of the id, and mark %s", f.OwnerName(), field.Name, f.GoName())
	if found := p.Edit(title, finding.Safe, mark, added); found != nil {
		return found
	}
	return plan
}

// noun is what one copy is called, in words.
func noun(f *docmodel.Field) []string {
	tokens := lexicon.Tokens(f.GoName())
	if f.Lists > 0 && len(tokens) > 0 {
		tokens[len(tokens)-1] = lexicon.Singular(tokens[len(tokens)-1])
	}
	return tokens
}
