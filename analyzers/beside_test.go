package analyzers

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/analyzers/unboundedarray"
)

// A program may have a package for each collection.
func TestReferenceBackFromANeighbouringPackage(t *testing.T) {
	t.Parallel()
	found := testdataStage(t).load(t, "beside/fleets", "beside/machines").check(false, unboundedarray.Rule)
	require.Len(t, found, 1)
	assert.Equal(t, "machine_ids", found[0].Subject.Path)
	assert.Equal(t, "EdgeMachine.FleetID says so already: remove machine_ids from Fleet, and query by that.", found[0].Advice)
}
