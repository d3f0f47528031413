//go:build unix

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A document with something to fix, and the fixed document.
const (
	unfixed = "{\"id\":\"b1\",\"pages\":120}\n{\"id\":\"b2\",\"pages\":90, \"title\":\"B\",\"pages\":91}\n{\"id\":\"b3\",\"pages\":7}\n"
	isFixed = "{\"id\":\"b1\",\"pages\":120}\n{\"id\":\"b2\",\"title\":\"B\",\"pages\":91}\n{\"id\":\"b3\",\"pages\":7}\n"
)

// fixable writes documents with something to fix.
func fixable(t *testing.T, dir, name string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(dir, 0o700))
	require.NoError(t, os.WriteFile(path, []byte(unfixed), 0o640)) //nolint:gosec // permissions are what is tested
	return path
}

func runFix(t *testing.T, dir string, arguments ...string) string {
	t.Helper()
	command := exec.Command("shapevet", append([]string{"check", "--select", "duplicate-key", "--exit-zero"}, arguments...)...)
	command.Dir = dir
	out, _ := command.CombinedOutput() // the exit code depends on what is refused
	return string(out)
}

// TestFixKeepsOwners needs root, as in containers, to give files away. Any
// other user keeps their own.
func TestFixKeepsOwners(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := fixable(t, dir, "books.jsonl")
	uid, gid := os.Getuid(), os.Getgid()
	if uid == 0 {
		uid, gid = 4711, 4712
		require.NoError(t, os.Chown(path, uid, gid))
	}
	assert.Contains(t, runFix(t, dir, "--fix", "--unsafe-fixes", "books.jsonl"), "fixed 1 finding in 1 file")
	info, err := os.Stat(path)
	require.NoError(t, err)
	stat, ok := info.Sys().(*syscall.Stat_t)
	require.True(t, ok)
	assert.Equal(t, []int{uid, gid}, []int{int(stat.Uid), int(stat.Gid)})
	assert.Equal(t, os.FileMode(0o640), info.Mode())
}

// TestFixRefusesHardLinks: a file with two names stays one file.
func TestFixRefusesHardLinks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := fixable(t, dir, "books.jsonl")
	alone := fixable(t, dir, "more.jsonl")
	require.NoError(t, os.Link(path, filepath.Join(dir, "kept.txt")))
	out := runFix(t, dir, "--fix", "--unsafe-fixes", "--collection", "a=books*", "--collection", "b=more*", ".")
	assert.Contains(t, out, "books.jsonl: not fixed: it has 2 names (hard links), and the others would keep the old text: make a copy of it first")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, unfixed, string(text))
	text, err = os.ReadFile(alone)
	require.NoError(t, err)
	assert.Equal(t, isFixed, string(text), "the others are fixed")
}

// TestFoundConfigurationEditsItsOwnFiles: a configuration beside somebody
// else's files must not cause edits of files elsewhere.
func TestFoundConfigurationEditsItsOwnFiles(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	project := filepath.Join(root, "project")
	inside, outside := fixable(t, project, "books.jsonl"), fixable(t, root, "mine.jsonl")
	require.NoError(t, os.WriteFile(filepath.Join(project, ".shapevet.yaml"), []byte("version: 1\nfix: true\nunsafeFixes: true\n"), 0o600))
	same := func(path, want string) {
		t.Helper()
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, want, string(text))
	}
	for _, arguments := range [][]string{{"../mine.jsonl"}, {outside}, {"--fix", "../mine.jsonl"}} {
		assert.Contains(t, runFix(t, project, arguments...), ".shapevet.yaml: ")
		same(outside, unfixed)
	}
	require.NoError(t, os.Symlink(outside, filepath.Join(project, "link.jsonl")))
	assert.Contains(t, runFix(t, project, "link.jsonl"), "edits link.jsonl, which is outside its directory: nothing was changed; use --fix or --unsafe-fixes if you want that")
	same(outside, unfixed)
	assert.Contains(t, runFix(t, project, "books.jsonl"), "fixed 1 finding in 1 file")
	same(inside, isFixed)
	runFix(t, project, "--fix", "--unsafe-fixes", "../mine.jsonl")
	same(outside, isFixed)
}
