package deepnesting

import (
	"fmt"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/finding"
)

// plan is the way out of a tree in one document. Code has to write the nodes one
// by one, which no edit of types brings about.
func plan(f *docmodel.Field) *docmodel.Fix {
	return &docmodel.Fix{
		Title:  fmt.Sprintf("store each %s as a document with its parent's id and the path of its ancestors, and leave out %s", f.Struct.Obj().Name(), f.GoName()),
		Safety: finding.Plan,
	}
}
