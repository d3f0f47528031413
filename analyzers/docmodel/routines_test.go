package docmodel

import (
	"go/ast"
	"go/types"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestRoutinesFailWhereTheyAreAsked checks that a panic while functions are read in the
// background reaches whoever needs them, who may recover.
func TestRoutinesFailWhereTheyAreAsked(t *testing.T) {
	t.Parallel()
	read := readRoutines([]*Package{{Info: &types.Info{}, Files: []*ast.File{nil}}})
	assert.Panics(t, func() { read() })
}
