package rulebook_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/rulebook"
)

// elsewhere are the files that name a rule although they are not in its
// folder, each with the reason.
var elsewhere = map[string]struct{ rule, reason string }{
	"internal/finding/filter.go":                 {"input-error", "it looks for nothing: it says what no rule could look at, and no filter leaves it out"},
	"jsonlint/schemas.go":                        {"schema-violation", "it looks for nothing: documents are validated as they are read"},
	"internal/lexicon/lists.go":                  {"numeric-identifier", "a list of words has the same name"},
	"analyzers/structdrift/structdrift.go":       {"mixed-types", "it says which mistake in documents its own one causes"},
	"jsonlint/rules/internal/copies/volatile.go": {"volatile-embed", "rules that would tell the same copy share the judgement of that rule, with its thresholds"},
}

// TestRulesAreNamedAtHome: what is to be known of a rule stands in its folders.
// Code elsewhere goes through the registries, so that nothing but the folders
// of a rule changes with it.
func TestRulesAreNamedAtHome(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	production(t, func(path string, fset *token.FileSet, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			name, err := strconv.Unquote(literal.Value)
			if err != nil || !slices.Contains(rulebook.Names(), name) || slices.Contains(strings.Split(path, "/"), strings.ReplaceAll(name, "-", "")) {
				return true
			}
			if elsewhere[path].rule == name {
				used[path] = true
				return true
			}
			assert.Fail(t, "a rule is named outside its folders", "%s: %s", fset.Position(literal.Pos()), name)
			return true
		})
	})
	for path, e := range elsewhere {
		assert.True(t, used[path], "%s does not name %s any more", path, e.rule)
		assert.NotEmpty(t, e.reason)
	}
}

// production visits the Go files of the module that are no tests; the paths
// have slashes.
func production(t *testing.T, visit func(path string, fset *token.FileSet, file *ast.File)) {
	t.Helper()
	root := ".."
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "node_modules" || strings.HasPrefix(entry.Name(), ".") && entry.Name() != "..") {
			return filepath.SkipDir
		}
		if entry.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(root, path)
		if err == nil {
			visit(filepath.ToSlash(inside), fset, file)
		}
		return err
	}))
}
