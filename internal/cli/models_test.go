package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestModelsWithoutMistakesPass: a model that follows the advice passes.
func TestModelsWithoutMistakesPass(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir("../../testdata/models")
	require.NoError(t, err)
	cases := 0
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		cases++
		out, err := exec.Command("shapevet", "check", "--no-progress", filepath.Join("../../testdata/models", e.Name())).CombinedOutput()
		assert.NoError(t, err, "%s: %s", e.Name(), out)
	}
	assert.Equal(t, 12, cases)
}
