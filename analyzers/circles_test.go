package analyzers

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCircles reads code in which types, values and calls lead back to
// themselves: nothing is followed for ever.
func TestCircles(t *testing.T) {
	t.Parallel()
	scene := testdataStage(t).load(t, "circles")
	require.Empty(t, scene.errors["circles"])
	require.NotEmpty(t, scene.check(true))
}
