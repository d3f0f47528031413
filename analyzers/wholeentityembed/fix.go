package wholeentityembed

import (
	"fmt"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/analyzers/internal/copies"
	"github.com/shapevet/shapevet/internal/finding"
)

// plan is the way out. The copy goes on to be stored until the field has another
// type, which changes what is stored and all code that fills it.
func plan(c copies.Copy) *docmodel.Fix {
	return &docmodel.Fix{
		Title: fmt.Sprintf("keep the id of the %s and the fields that are shown with the %s", c.Source.Name, c.Field.Document.Name), Safety: finding.Plan,
	}
}
