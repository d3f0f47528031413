// Package structure_test keeps the code in order: where a rule may be named,
// which way imports run, and how long and how tangled a function may be.
package structure_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
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
	"analyzers/internal/refs/counts.go":          {"aggregate-drift", "a number that counts a list does so for every rule, by the words of that rule"},
	"analyzers/internal/copies/volatile.go":      {"volatile-embed", "rules that would tell the same copy share the judgement of that rule, with its words"},
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

// strata are the folders at the top from the ground up. A package imports from
// its own stratum and from those below.
var strata = []string{"rulebook", "internal", "jsonlint", "analyzers", "cmd", "live", "beam", "plugin", "benchmarks", "integration"}

// upward are packages that import from above all the same, each with what they
// import and the reason.
var upward = map[string]string{
	"internal/cli":     "the command line stands on top of all; its path keeps it from being an API",
	"internal/cli/lsp": "the same",
}

// TestImportsRunDown: data flows one way, so that whoever reads a package has
// to know only those below it.
func TestImportsRunDown(t *testing.T) {
	t.Parallel()
	const module = "github.com/shapevet/shapevet/"
	floor := func(path string) int {
		top, _, _ := strings.Cut(path, "/")
		at := slices.Index(strata, top)
		assert.GreaterOrEqual(t, at, 0, "%s: a folder at the top that has no stratum", path)
		return at
	}
	used := map[string]bool{}
	production(t, func(file string, _ *token.FileSet, syntax *ast.File) {
		from := path.Dir(file)
		for _, spec := range syntax.Imports {
			to, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			to, inside := strings.CutPrefix(to, module)
			if !inside {
				continue
			}
			if floor(to) > floor(from) {
				used[from] = true
				assert.NotEmpty(t, upward[from], "%s imports %s, which stands above it", file, to)
			}
			for _, side := range []string{"analyzers/", "jsonlint/rules/"} {
				a, b := ruleIn(from, side), ruleIn(to, side)
				assert.False(t, a != "" && b != "" && a != b, "%s: the rule imports the rule %s; what both need belongs into a package beside them", file, b)
			}
		}
	})
	for from := range upward {
		assert.True(t, used[from], "%s does not import from above any more", from)
	}
}

// ruleIn is the rule whose folder on a side a package is in.
func ruleIn(pkg, side string) string {
	inside, ok := strings.CutPrefix(pkg, side)
	folder, _, _ := strings.Cut(inside, "/")
	if ok && slices.ContainsFunc(rulebook.Names(), func(name string) bool { return strings.ReplaceAll(name, "-", "") == folder }) {
		return folder
	}
	return ""
}

// Functions longer or more tangled than this are split by what they mean.
const (
	mostLines = 80
	mostPaths = 25 // cyclomatic complexity
)

// larger are the functions beyond these bounds, each with the reason.
var larger = map[string]string{
	"jsonlint/scan/parser.go value":           "the loop that all bytes go through, without a call for each value",
	"jsonlint/scan/layout_match.go object":    "the same, for documents of a known layout",
	"jsonlint/scan/layout_match.go elements":  "the same",
	"jsonlint/scan/layout_learn.go object":    "it walks members as object of layout_match.go does, and is read beside it",
	"jsonlint/scan/extended.go wrapper":       "one case for each wrapper of Extended JSON",
	"jsonlint/scan/dialect.go firestoreValue": "one case for each type of Firestore",
	"internal/config/schema.go schema":        "no logic: the schema of the configuration file as a literal",
}

// TestFunctionsAreSmall: whoever reads a function has to hold it in mind.
func TestFunctionsAreSmall(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	production(t, func(path string, fset *token.FileSet, file *ast.File) {
		for _, declared := range file.Decls {
			f, ok := declared.(*ast.FuncDecl)
			if !ok {
				continue
			}
			lines, paths := fset.Position(f.End()).Line-fset.Position(f.Pos()).Line+1, complexity(f)
			if lines <= mostLines && paths <= mostPaths {
				continue
			}
			name := path + " " + f.Name.Name
			used[name] = true
			assert.NotEmpty(t, larger[name], "%s: %s has %d lines and a complexity of %d", fset.Position(f.Pos()), f.Name.Name, lines, paths)
		}
	})
	for name := range larger {
		assert.True(t, used[name], "%s is within the bounds", name)
	}
}

// complexity is the cyclomatic complexity of a function: the decisions in it,
// and one.
func complexity(f *ast.FuncDecl) int {
	n := 1
	ast.Inspect(f, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			if node.List != nil {
				n++
			}
		case *ast.CommClause:
			if node.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if node.Op == token.LAND || node.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

// production visits the Go files of the module that are no tests; the paths
// have slashes.
func production(t *testing.T, visit func(path string, fset *token.FileSet, file *ast.File)) {
	t.Helper()
	root := filepath.Join("..", "..")
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "node_modules" || strings.HasPrefix(entry.Name(), ".") && path != root) {
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
