//go:build unix

package config_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/config"
)

// TestDevicesAreNotRead: reading does not wait for endless input.
func TestDevicesAreNotRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), config.FileName)
	for _, text := range []string{"schemas: {a: /dev/zero}", "evidence: [/dev/zero]", "baseline: /dev/zero", "docs: [/dev/zero]"} {
		put(t, path, "version: 1\n"+text+"\n")
		_, err := config.Load(path)
		assert.ErrorContains(t, err, "cannot be read: it is a device and not a file: name a file")
	}
	_, err := config.Load("/dev/zero")
	assert.ErrorContains(t, err, "read the configuration /dev/zero: it is a device and not a file")
	fifo := filepath.Join(t.TempDir(), config.FileName)
	require.NoError(t, syscall.Mkfifo(fifo, 0o600))
	_, err = config.LoadFound(fifo)
	assert.ErrorContains(t, err, "it is a named pipe and not a file")
}
