package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/zeebo/xxh3"

	"github.com/shapevet/shapevet/internal/config"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
)

func TestWriteKeepsPermissionsAndLinks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, link := filepath.Join(dir, "a.json"), filepath.Join(dir, "link.json")
	require.NoError(t, os.WriteFile(file, []byte("old"), 0o600))
	require.NoError(t, os.Symlink("a.json", link))
	undo, err := write(map[string][]byte{link: []byte("new")}, map[string][]byte{link: []byte("old")})
	require.NoError(t, err)
	assert.Equal(t, map[string][]byte{link: []byte("old")}, undo)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, "new", string(text))
	info, err := os.Lstat(link)
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&os.ModeSymlink)
	info, err = os.Stat(file)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, entries, 2, "no temporary file is left")
}

func TestWriteIsAllOrNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, second := filepath.Join(dir, "1.json"), filepath.Join(dir, "2.json")
	require.NoError(t, os.WriteFile(first, []byte("one"), 0o600))
	require.NoError(t, os.WriteFile(second, []byte("two"), 0o400))
	_, err := write(map[string][]byte{first: []byte("1"), second: []byte("2")}, map[string][]byte{first: []byte("one"), second: []byte("two")})
	require.ErrorContains(t, err, "2.json is read-only")
	text, err := os.ReadFile(first)
	require.NoError(t, err)
	assert.Equal(t, "one", string(text))
}

func TestWriteLeavesEqualFilesAlone(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "a.json")
	require.NoError(t, os.WriteFile(file, []byte("same"), 0o400))
	undo, err := write(map[string][]byte{file: []byte("same")}, nil)
	require.NoError(t, err)
	assert.Empty(t, undo)
}

func TestNewlyBroken(t *testing.T) {
	t.Parallel()
	before, after := &collected{partial: []string{"a"}}, &collected{partial: []string{"a", "b"}}
	assert.Equal(t, []string{"b"}, newlyBroken(before, after))
	assert.Empty(t, newlyBroken(after, before))
}

// TestFixComparesWhatItEdits: a file that changed after the check, or while the
// edit was made, is not edited.
func TestFixComparesWhatItEdits(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "a.json")
	require.NoError(t, os.WriteFile(file, []byte("\ufeff{}"), 0o600))
	found := []finding.Finding{{Fixes: []finding.Fix{{Safety: finding.Safe, Edits: []finding.Edit{{File: file, Start: 0, End: 1}}}}}}
	c := &collected{report: &finding.Report{Hashes: map[string]uint64{file: xxh3.HashString("{}")}}}
	kept, refused := c.editable(found)
	assert.Empty(t, refused)
	assert.Len(t, kept[0].Fixes, 1)

	require.NoError(t, os.WriteFile(file, []byte("{ }"), 0o600))
	kept, refused = c.editable(found)
	assert.Equal(t, map[string]string{file: "it changed while it was being checked: run this again"}, refused)
	assert.Empty(t, kept[0].Fixes)
	assert.Len(t, found[0].Fixes, 1, "the finding is reported with its fix")

	_, err := write(map[string][]byte{file: []byte("new")}, map[string][]byte{file: []byte("{}")})
	require.ErrorContains(t, err, "was changed by somebody else just now")
}

// TestFilesAreHashedAsTheyAreChecked: documents and code.
func TestFilesAreHashedAsTheyAreChecked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := map[string]string{
		"go.mod": "module example.com/a\n\ngo 1.24\n", "a.go": "package a\n", "one.json": "\ufeff{\"id\": 1}\n",
		"lines.jsonl": strings.Repeat(`{"id": 1, "name": "some name"}`+"\n", 100_000), "text.md": "```json\n{\"id\": 2}\n```\n", "cut.json": `{"id": 1`,
	}
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	var stdout, stderr bytes.Buffer
	a := &app{stdout: &stdout, stderr: &stderr, check: jsonlint.Check}
	s := &settings{Config: config.Default()}
	s.Fix, s.Progress = true, false
	c, err := a.collect(t.Context(), s, given{docs: []string{dir, filepath.Join(dir, "text.md")}, code: []string{dir}})
	require.NoError(t, err)
	for name, text := range files {
		if name != "go.mod" {
			assert.Equal(t, xxh3.HashString(strings.TrimPrefix(text, "\ufeff")), c.report.Hashes[filepath.ToSlash(filepath.Join(dir, name))], name)
		}
	}
}
