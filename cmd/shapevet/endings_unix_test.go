//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestEndingsLeaveNothing ends the program while it copies standard input.
func TestEndingsLeaveNothing(t *testing.T) {
	t.Parallel()
	for _, ending := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if signal.Ignored(ending) {
			continue // it is for the program too
		}
		t.Run(ending.String(), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			files := func() int {
				entries, err := os.ReadDir(dir)
				require.NoError(t, err)
				return len(entries)
			}
			cmd := exec.Command("shapevet", "check", "--no-progress", "-")
			cmd.Env = append(os.Environ(), "TMPDIR="+dir)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			stdin, err := cmd.StdinPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			// Standard input is read to the end, however long that takes.
			go func() {
				for _, err := stdin.Write([]byte("{\"id\":1}\n")); err == nil; _, err = stdin.Write([]byte("{\"id\":1}\n")) {
				}
			}()
			require.Eventually(t, func() bool { return files() > 0 }, 20*time.Second, time.Millisecond)
			require.NoError(t, cmd.Process.Signal(ending))
			require.Error(t, cmd.Wait())
			assert.Equal(t, exitInterrupted, cmd.ProcessState.ExitCode())
			assert.Equal(t, "shapevet: interrupted\n", stderr.String())
			assert.Zero(t, files())
		})
	}
}
