package joindocument

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/analyzers/internal/refs"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/lexicon"
)

// fix adds an array of ids to the types on both sides and marks the one that
// joins them. Nothing that is stored changes until code sets the arrays.
func fix(p *docmodel.Pass, d *docmodel.Document, targets []*docmodel.Document) *docmodel.Fix {
	plan := &docmodel.Fix{Title: fmt.Sprintf("keep the ids in an array on the side that stays small, in place of %s", d.Name), Safety: finding.Plan}
	if len(targets) != 2 || targets[0] == targets[1] {
		return plan
	}
	var edits []analysis.TextEdit
	var names []string
	for i, target := range targets {
		other := targets[1-i]
		own, id := refs.Own(target), docmodel.ID(other.Fields, other.Name)
		if own == nil || id == nil {
			return plan
		}
		of := refs.IDType(id)
		source := p.TypeSource(of, own.Var.Pos())
		if source == "" {
			return plan
		}
		noun := refs.Noun(other.Name)
		field := docmodel.NewField{
			Name: noun + "IDs", Type: "[]" + source, Stored: p.NameLike(own, append(lexicon.Tokens(noun), "ids")...), Of: types.NewSlice(of),
		}
		added, ok := p.AddFields(own, field)
		if !ok {
			return plan
		}
		edits, names = append(edits, added), append(names, target.Name+"."+field.Name)
	}
	mark, ok := p.DeprecateType(d, fmt.Sprintf("use %s and %s.", names[0], names[1]))
	if !ok {
		return plan
	}
	title := fmt.Sprintf("add %s and %s, and mark %s", names[0], names[1], d.Name)
	if found := p.Edit(title, finding.Safe, append(edits, mark)...); found != nil {
		return found
	}
	return plan
}
