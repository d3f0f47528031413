package upward_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/upward"
)

func TestFind(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	below := filepath.Join(top, "a", "b")
	require.NoError(t, os.MkdirAll(filepath.Join(below, "rules.txt"), 0o700)) // a directory is no file
	require.NoError(t, os.WriteFile(filepath.Join(top, "rules.txt"), nil, 0o600))
	assert.Equal(t, top, upward.Find(below, "rules.txt"))
	assert.Equal(t, top, upward.Find(top, "rules.txt"))
	require.NoError(t, os.WriteFile(filepath.Join(top, "a", "rules.txt"), nil, 0o600))
	assert.Equal(t, filepath.Join(top, "a"), upward.Find(below, "rules.txt"), "the nearest")
	assert.Empty(t, upward.Find(below, "no-such-file-anywhere"))
}
