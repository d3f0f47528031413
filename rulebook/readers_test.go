package rulebook_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/rulebook"
)

// sides are the folders in which the rules of a side have a folder each. What
// several rules share stands in folders that are called like no rule.
var sides = map[string]string{
	rulebook.ToDocuments: filepath.Join("..", "jsonlint", "rules"),
	rulebook.ToGo:        filepath.Join("..", "analyzers"),
}

// code is what the production code of a side says of the rules.
type code struct {
	rules      map[string]bool            // that have a folder
	thresholds map[string]map[string]bool // read, by rule; "" for what several rules share
	words      map[string]map[string]bool
	severities map[string]map[string]bool // of findings, lower case
}

// TestCodeReadsThePages checks that a rule's page and its code on both sides
// agree: what one declares the other reads, and neither has a number or a
// severity of its own. For lists of words see package structure.
func TestCodeReadsThePages(t *testing.T) {
	t.Parallel()
	read := map[string]code{}
	for side, dir := range sides {
		read[side] = codeIn(t, dir)
	}
	for _, page := range rulebook.All() {
		said := map[string]bool{}
		hasFolder := false
		for side, c := range read {
			if !c.rules[page.Name] {
				continue
			}
			hasFolder = true
			assert.Contains(t, page.Applies, side, "%s", page.Name)
			for name, threshold := range page.Thresholds {
				used := c.thresholds[page.Name][name] || c.thresholds[""][name]
				if slices.Contains(threshold.Readers, side) {
					assert.True(t, used, "%s: nothing on the side of %s reads the threshold %s", page.Name, side, name)
				} else {
					assert.False(t, c.thresholds[page.Name][name], "%s: the page does not say that %s read the threshold %s", page.Name, side, name)
				}
			}
			for name := range c.thresholds[page.Name] {
				assert.Contains(t, page.Thresholds, name, "%s: a threshold of the side of %s", page.Name, side)
			}
			for name := range c.words[page.Name] {
				assert.Contains(t, page.Words, name, "%s: a word list of the side of %s", page.Name, side)
			}
			maps.Copy(said, c.severities[page.Name])
		}
		for name := range page.Words {
			assert.True(t, read[rulebook.ToDocuments].words[page.Name][name] || read[rulebook.ToGo].words[page.Name][name], "%s: nothing reads the words %s", page.Name, name)
		}
		for name := range said {
			severity, err := rulebook.ParseSeverity(name)
			require.NoError(t, err)
			if severity != page.Severity {
				assert.Contains(t, page.Severities, severity, "%s: the page does not say when a finding is of severity %s", page.Name, name)
			}
		}
		for severity := range page.Severities {
			assert.NotEqual(t, page.Severity, severity, "%s", page.Name)
			assert.True(t, said[severity.String()] || !hasFolder, "%s: no finding has the severity %s", page.Name, severity)
		}
	}
}

// codeIn reads the production code below a folder.
func codeIn(t *testing.T, dir string) code {
	t.Helper()
	c := code{map[string]bool{}, map[string]map[string]bool{}, map[string]map[string]bool{}, map[string]map[string]bool{}}
	folders := map[string]string{}
	for _, name := range rulebook.Names() {
		folders[strings.ReplaceAll(name, "-", "")] = name
	}
	fset := token.NewFileSet()
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			if err == nil && entry.Name() == "testdata" {
				return filepath.SkipDir
			}
			return err
		}
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		rule := folders[strings.Split(filepath.ToSlash(inside), "/")[0]]
		if rule != "" {
			c.rules[rule] = true
		}
		ast.Inspect(file, func(n ast.Node) bool {
			c.see(rule, n)
			return true
		})
		return nil
	}))
	return c
}

func (c *code) see(rule string, n ast.Node) {
	switch n := n.(type) {
	case *ast.CallExpr:
		names := plainStrings(n.Args)
		if len(names) == 0 {
			return
		}
		of := rule
		if len(names) == 2 && len(n.Args) == 2 { // the rule is named as well
			of, names = names[0], names[1:]
		}
		switch called(n.Fun) {
		case "Threshold", "threshold":
			set(c.thresholds, of, names[0])
		case "Words", "WordSet":
			set(c.words, of, names[0])
		}
	case *ast.SelectorExpr:
		if x, ok := n.X.(*ast.Ident); ok && x.Name == "finding" {
			if _, err := rulebook.ParseSeverity(strings.ToLower(n.Sel.Name)); err == nil {
				set(c.severities, rule, strings.ToLower(n.Sel.Name))
			}
		}
	}
}

// plainStrings returns the string literals among expressions that may be names
// of settings: those that begin in lower case.
func plainStrings(expressions []ast.Expr) (words []string) {
	for _, e := range expressions {
		if literal, ok := e.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			if word, err := strconv.Unquote(literal.Value); err == nil && word != "" && unicode.IsLower(rune(word[0])) {
				words = append(words, word)
			}
		}
	}
	return words
}

func called(f ast.Expr) string {
	switch f := f.(type) {
	case *ast.SelectorExpr:
		return f.Sel.Name
	case *ast.Ident:
		return f.Name
	}
	return ""
}

func set(into map[string]map[string]bool, of, name string) {
	if into[of] == nil {
		into[of] = map[string]bool{}
	}
	into[of][name] = true
}
