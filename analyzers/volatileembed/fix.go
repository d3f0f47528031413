package volatileembed

import (
	"fmt"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/analyzers/internal/copies"
	"github.com/shapevet/shapevet/internal/finding"
)

// plan is the way out. The copy goes stale until code stops to store it, which
// no edit of the type brings about.
func plan(c copies.Copy) *docmodel.Fix {
	return &docmodel.Fix{Title: fmt.Sprintf("replace %s by a reference in the type of %s", c.Field.Path, c.ID.GoName()), Safety: finding.Plan}
}
