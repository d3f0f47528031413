package profile

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/quantity"
)

// TestExactnessIsTold checks that the documentation says where counts become
// estimates.
func TestExactnessIsTold(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"../../docs/speed.md", "../../docs/guide.md"} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, n := range []int64{idCapacity, topCapacity, nestedCapacity} {
			assert.Contains(t, string(text), " "+quantity.Grouped(n)+" ", file)
		}
	}
}
