package joindocument

import (
	"fmt"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/analyzers/internal/refs"
	"github.com/shapevet/shapevet/internal/finding"
)

// plan is the way out. Arrays that nothing fills would replace nothing, so it
// edits nothing.
func plan(d *docmodel.Document, targets []*docmodel.Document) *docmodel.Fix {
	where := "on the side that stays small"
	if len(targets) == 2 && targets[0] != targets[1] {
		where = fmt.Sprintf("%s.%sIDs or %s.%sIDs", targets[0].Name, refs.Noun(targets[1].Name), targets[1].Name, refs.Noun(targets[0].Name))
		return &docmodel.Fix{Title: fmt.Sprintf("keep the ids in %s, whichever stays short, in place of %s", where, d.Name), Safety: finding.Plan}
	}
	return &docmodel.Fix{Title: fmt.Sprintf("keep the ids in an array %s, in place of %s", where, d.Name), Safety: finding.Plan}
}
