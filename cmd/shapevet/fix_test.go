package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWriteKeepsPermissionsAndLinks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, link := filepath.Join(dir, "a.json"), filepath.Join(dir, "link.json")
	require.NoError(t, os.WriteFile(file, []byte("old"), 0o600))
	require.NoError(t, os.Symlink("a.json", link))
	undo, err := write(map[string][]byte{link: []byte("new")})
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
	_, err := write(map[string][]byte{first: []byte("1"), second: []byte("2")})
	require.ErrorContains(t, err, "2.json is read-only")
	text, err := os.ReadFile(first)
	require.NoError(t, err)
	assert.Equal(t, "one", string(text))
}

func TestWriteLeavesEqualFilesAlone(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "a.json")
	require.NoError(t, os.WriteFile(file, []byte("same"), 0o400))
	undo, err := write(map[string][]byte{file: []byte("same")})
	require.NoError(t, err)
	assert.Empty(t, undo)
}

func TestNewlyBroken(t *testing.T) {
	t.Parallel()
	before, after := &collected{partial: []string{"a"}}, &collected{partial: []string{"a", "b"}}
	assert.Equal(t, []string{"b"}, newlyBroken(before, after))
	assert.Empty(t, newlyBroken(after, before))
}
