package analyzers

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/analyzers/referencetypemismatch"
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

// TestUnset says nothing of a reference that code leaves out of the documents it makes and
// sets nowhere else.
func TestUnset(t *testing.T) {
	t.Parallel()
	scene := testdataStage(t).load(t, "unset")
	require.Empty(t, scene.errors["unset"])
	found := scene.check(true, referencetypemismatch.Rule)
	require.Len(t, found, 1)
	require.Contains(t, found[0].Subject.Symbol, "Delivery.HookID")
}
