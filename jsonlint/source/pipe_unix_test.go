//go:build unix

package source

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPipe reads a named pipe, such as the shell's <(command), as often as a
// file.
func TestPipe(t *testing.T) {
	t.Parallel()
	docs := shop(2000)
	pipe := filepath.Join(t.TempDir(), "lamps.jsonl")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	written := make(chan error, 1)
	go func() { written <- os.WriteFile(pipe, []byte(lines(docs)), 0o600) }()
	s := open(t, Options{}, pipe)
	require.NoError(t, <-written)
	require.Len(t, s.Files, 1)
	assert.Equal(t, "lamps", s.Files[0].Collection)
	for range 2 {
		plain, _ := texts(read(t, s, 2)["lamps.jsonl"])
		assert.Equal(t, docs, plain)
	}
}

// TestCancelPipe uses a pipe that nobody writes to.
func TestCancelPipe(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "lamps.db")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := Open(ctx, []string{pipe}, Options{})
	require.ErrorIs(t, err, context.DeadlineExceeded)

	// Release the goroutine that still waits for the other side.
	writer, err := os.OpenFile(pipe, os.O_WRONLY, 0)
	require.NoError(t, err)
	require.NoError(t, writer.Close())
}
