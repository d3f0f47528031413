package cli

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// How many files are fixed at once, and how often that is interrupted.
const (
	killedFiles  = 80
	killedRounds = 6

	kept = ".shapevet-1a.tmp" // not the name of a temporary file
)

// odd is a document in a format that nobody uses, with a duplicate reference,
// and the same without the duplicate.
func odd(file int) (before, after string) {
	const text = "\ufeff{ \"id\":\"b%[1]d\",\t\"authors\" : [ \"a1\",\"a2\"%[2]s] ,\r\n  \"name\" :\"\\u0041 \u00e9\", \"size\": 1.50e3 }\n\n" +
		"{\"id\":\"c%[1]d\",\"authors\":[\"a1\"], \"name\":\"y\",  \"size\":10}\n{\"id\":\"d%[1]d\",\"authors\":[\"a2\",\"a1\"],\"name\":\"z\",\"size\":1}"
	return fmt.Sprintf(text, file, `,  "a1"`), fmt.Sprintf(text, file, "")
}

// TestFixSurvivesBeingKilled kills the program while it writes, at a different
// point each time. Every file must have its old or its new content, and at most
// one temporary file may be left, which the next run removes.
func TestFixSurvivesBeingKilled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "authors.jsonl"), []byte(`{"id":"a1","name":"A"}`+"\n"+`{"id":"a2","name":"B"}`+"\n"), 0o600))
	name := func(file int) string { return filepath.Join(dir, fmt.Sprintf("books%03d.jsonl", file)) }
	fix := func() *exec.Cmd {
		return exec.Command("shapevet", "check", "--fix", "--unsafe-fixes", "--select", "duplicate-reference", "--no-progress", "--max-findings", "0", dir)
	}
	reset := func() {
		for file := range killedFiles {
			before, _ := odd(file)
			require.NoError(t, os.WriteFile(name(file), []byte(before), 0o600))
		}
	}
	// state counts the files with the new content. The others must have the old
	// one.
	state := func() (fixed, left int) {
		for file := range killedFiles {
			before, after := odd(file)
			text, err := os.ReadFile(name(file))
			require.NoError(t, err)
			if string(text) == after {
				fixed++
				continue
			}
			require.Equal(t, before, string(text), "%s is neither old nor new", name(file))
		}
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		for _, entry := range entries {
			switch {
			case isTemporary.MatchString(entry.Name()):
				left++
			case entry.Name() == kept:
			default:
				require.Regexp(t, `^(authors|books\d{3})\.jsonl$`, entry.Name())
			}
		}
		return fixed, left
	}
	// A file that only looks like a temporary file belongs to somebody.
	require.NoError(t, os.WriteFile(filepath.Join(dir, kept), []byte("mine"), 0o600))
	halfway, most := 0, 0
	for range killedRounds {
		reset()
		last := rand.IntN(killedFiles - 1) //nolint:gosec // any point will do
		_, after := odd(last)
		command := fix()
		require.NoError(t, command.Start())
		for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
			if text, err := os.ReadFile(name(last)); err == nil && string(text) == after {
				break
			}
		}
		time.Sleep(time.Duration(rand.IntN(3000)) * time.Microsecond) //nolint:gosec // any point will do
		require.NoError(t, command.Process.Kill())
		_ = command.Wait() // it was killed
		fixed, left := state()
		assert.Greater(t, fixed, last, "files are written in their order")
		most = max(most, left)
		assert.LessOrEqual(t, left, 1, "what the run before has left is gone")
		if fixed < killedFiles {
			halfway++
		}
	}
	assert.NotZero(t, halfway, "it was never killed half-way, so nothing was tried")

	// Another run finishes what was interrupted, and a further one has nothing to
	// do. Leftover temporary files are not documents.
	out, err := fix().CombinedOutput()
	require.NoError(t, err, "%s", out)
	fixed, left := state()
	assert.Equal(t, killedFiles, fixed)
	assert.Zero(t, left, "of %d, as far as that is known", most)
	text, err := os.ReadFile(filepath.Join(dir, kept))
	require.NoError(t, err)
	assert.Equal(t, "mine", string(text))
	info, err := os.Stat(name(0))
	require.NoError(t, err)
	out, err = fix().CombinedOutput()
	require.NoError(t, err, "%s", out)
	again, err := os.Stat(name(0))
	require.NoError(t, err)
	assert.True(t, os.SameFile(info, again), "a file without anything to fix is not written")
}
