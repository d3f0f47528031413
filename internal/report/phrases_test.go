package report

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
)

// A name alone says little beside its value: "groups: 1".
func TestEvidenceOfDocumentsHasPhrases(t *testing.T) {
	t.Parallel()
	names := 0
	err := filepath.WalkDir(filepath.Join("..", "..", "jsonlint", "rules"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			list, ok := n.(*ast.CompositeLit)
			if !ok || !evidenceList(list.Type) {
				return true
			}
			ast.Inspect(list, func(n ast.Node) bool {
				pair, ok := n.(*ast.KeyValueExpr)
				if !ok {
					return true
				}
				key, ok := pair.Key.(*ast.Ident)
				if name, literal := pair.Value.(*ast.BasicLit); ok && literal && key.Name == "Name" {
					text, err := strconv.Unquote(name.Value)
					require.NoError(t, err)
					names++
					assert.Empty(t, bare(text), path)
				}
				return true
			})
			return false
		})
		return nil
	})
	require.NoError(t, err)
	assert.Greater(t, names, 100)
}

func evidenceList(e ast.Expr) bool {
	array, ok := e.(*ast.ArrayType)
	if !ok {
		return false
	}
	of, ok := array.Elt.(*ast.SelectorExpr)
	return ok && of.Sel.Name == "Evidence"
}

// bare returns a name that is shown as it stands, before its value.
func bare(name string) string {
	if shown := inWords(finding.Evidence{Name: name, Value: 7}); shown == plainName(name)+": 7" {
		return shown
	}
	return ""
}
