package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/rulebook"
)

func TestRegistriesAreUpToDate(t *testing.T) {
	t.Parallel()
	root, err := repository()
	require.NoError(t, err)
	for _, r := range registries {
		want, err := r.source(root)
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join(root, r.file()))
		require.NoError(t, err)
		assert.Equal(t, string(want), string(got), "run go generate ./%s", r.folder)
	}
}

// TestScaffold writes a rule into an empty repository: the files are Go, the
// page is one, and the registries have the rule.
func TestScaffold(t *testing.T) {
	t.Parallel()
	for side, files := range map[string]int{"go": 3, "documents": 3, "both": 5} {
		t.Run(side, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			for _, r := range registries {
				require.NoError(t, os.MkdirAll(filepath.Join(root, r.folder), 0o755))
			}
			written, err := scaffold(root, "empty-collection", side)
			require.NoError(t, err)
			require.Len(t, written, files)
			for _, file := range written {
				text, err := os.ReadFile(filepath.Join(root, file))
				require.NoError(t, err)
				if filepath.Ext(file) == ".go" {
					_, err := parser.ParseFile(token.NewFileSet(), file, text, parser.AllErrors)
					require.NoError(t, err)
					continue
				}
				page, err := rulebook.Parse(string(text))
				require.NoError(t, err)
				assert.Equal(t, "empty-collection", page.Name)
			}
			for _, r := range registries {
				text, err := r.source(root)
				require.NoError(t, err)
				if side == "both" {
					assert.Contains(t, string(text), "emptycollection.Rule,")
				}
			}
			_, err = scaffold(root, "empty-collection", side)
			assert.ErrorContains(t, err, "a name is used once")
		})
	}
}

func TestScaffoldRefuses(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "Empty", "empty", "empty_list", "../x-y", "x-"} {
		_, err := scaffold(t.TempDir(), name, "both")
		assert.ErrorContains(t, err, "is no name of a rule", name)
	}
	_, err := scaffold(t.TempDir(), "empty-list", "code")
	assert.ErrorContains(t, err, "say go, documents or both")
}
