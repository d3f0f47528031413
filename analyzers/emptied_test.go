package analyzers

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/analyzers/unboundedarray"
)

// TestEmptied guesses that a list of references that code sets may grow, but not one that
// code only empties and keeps as it was.
func TestEmptied(t *testing.T) {
	t.Parallel()
	scene := testdataStage(t).load(t, "emptied")
	require.Empty(t, scene.errors["emptied"])
	found := scene.check(true, unboundedarray.Rule)
	require.Len(t, found, 1)
	require.Contains(t, found[0].Message, "songs")
}
