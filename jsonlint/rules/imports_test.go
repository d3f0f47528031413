package rules_test

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRulesDoNotImportEachOther: what two rules need stands in check or below
// internal.
func TestRulesDoNotImportEachOther(t *testing.T) {
	t.Parallel()
	const below = "github.com/shapevet/shapevet/jsonlint/rules/"
	files, err := filepath.Glob("*/*.go")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	more, err := filepath.Glob("internal/*/*.go")
	require.NoError(t, err)
	for _, file := range append(files, more...) {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		require.NoError(t, err)
		for _, imported := range parsed.Imports {
			rule, ok := strings.CutPrefix(strings.Trim(imported.Path.Value, `"`), below)
			if !ok || rule == "check" || strings.HasPrefix(rule, "internal/") {
				continue
			}
			folder := filepath.ToSlash(filepath.Dir(file))
			assert.True(t, rule == folder && strings.HasSuffix(file, "_test.go"), "%s imports the rule %s", file, rule)
		}
	}
}
