//go:build unix

package cli

import (
	"bytes"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestEndingsLeaveNothing ends the program while it copies standard input.
func TestEndingsLeaveNothing(t *testing.T) {
	t.Parallel()
	for _, ending := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGKILL} {
		if signal.Ignored(ending) {
			continue // it is for the program too
		}
		t.Run(ending.String(), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			cmd := exec.Command("shapevet", "check", "--no-progress", "-")
			cmd.Env = append(os.Environ(), "TMPDIR="+dir)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			stdin, err := cmd.StdinPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			// A pipe holds less than this: the program has begun to copy.
			_, err = stdin.Write(bytes.Repeat([]byte("{\"id\":1}\n"), 100_000))
			require.NoError(t, err)
			require.NoError(t, cmd.Process.Signal(ending))
			require.Error(t, cmd.Wait())
			if ending != syscall.SIGKILL {
				assert.Equal(t, exitInterrupted, cmd.ProcessState.ExitCode())
				assert.Equal(t, "shapevet: interrupted\n", stderr.String())
			}
			left, err := os.ReadDir(dir)
			require.NoError(t, err)
			assert.Empty(t, left)
		})
	}
}
