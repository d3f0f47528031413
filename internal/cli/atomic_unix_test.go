//go:build unix

package cli

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func hello(w io.Writer) error {
	_, err := io.WriteString(w, "hello")
	return err
}

// TestWriteFileKeepsPipesAndDevices: as root, renaming a report over /dev/null
// would take the device from the whole machine.
func TestWriteFileKeepsPipesAndDevices(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	read := make(chan []byte)
	go func() {
		text, err := os.ReadFile(pipe)
		assert.NoError(t, err)
		read <- text
	}()
	require.NoError(t, writeFile(pipe, hello))
	assert.Equal(t, "hello", string(<-read))
	info, err := os.Stat(pipe)
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&os.ModeNamedPipe, "it is still a pipe")
}

func TestWriteFileFollowsLinks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	require.NoError(t, os.WriteFile(target, []byte("old"), 0o600))
	require.NoError(t, os.Symlink("target", link))
	require.NoError(t, writeFile(link, hello))
	text, err := os.ReadFile(target)
	require.NoError(t, err)
	assert.Equal(t, "hello", string(text))
	info, err := os.Lstat(link)
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&os.ModeSymlink, "it is still a link")
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 2, "nothing is left behind")
}
