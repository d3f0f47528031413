package structure_test

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// spelled are lists of words in code that are no vocabulary of documents, by
// the file or folder they stand in, each with the reason.
var spelled = map[string]string{
	// The languages of others.
	"analyzers/docmodel/directive.go":    "the verbs of directives",
	"analyzers/docmodel/kind.go":         "names of our own kinds of type",
	"analyzers/docmodel/resolve.go":      "keys of struct tags, options of them, and names of packages",
	"analyzers/docmodel/gather_field.go": "beginnings of names of Go functions",
	"analyzers/internal/refs/refs.go":    "words that names of Go types add to that of a thing",
	"jsonlint/scan":                      "English around documents in a text",
	"jsonlint/source":                    "English around documents in a text, names of formats and folders",
	"jsonlint/schema":                    "keywords of JSON Schema",
	"jsonlint/schema/bson":               "types of BSON",
	"jsonlint/schema/infer":              "types of JSON Schema",
	"jsonlint/profile":                   "names of our own forms and classes, and how dates and nothing are written",
	"jsonlint/reserved.go":               "actions of a bulk format, before there are collections to set words for",
	"jsonlint/envelope.go":               "what interfaces put around a page of documents, before there are collections to set words for",
	// Our own flags, keys and evidence.
	"internal/cli":    "flags",
	"internal/config": "keys of the configuration file",
	"internal/report": "names of evidence",
	"plugin":          "keys of the settings",
	// Words of documents that code reads where it has no lexicon.
	"analyzers/internal/copies/copies.go":               "names of places in a type",
	"jsonlint/evidence/few.go":                          "it decides what a file without values may say, which no setting may loosen",
	"jsonlint/model":                                    "names of ids and of pointers, where the lexicon is not passed down",
	"jsonlint/rules/internal/identity/same_id_names.go": "it is asked from a probe, which has no lexicon",
	"jsonlint/rules/internal/times":                     "it is asked of nodes alone, without a lexicon",
}

// TestWordsAreData: the words by which names are understood stand on pages of
// rules and in package lexicon, where the lexicon setting reaches them.
func TestWordsAreData(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	production(t, func(file string, fset *token.FileSet, syntax *ast.File) {
		if at := path.Dir(file); at == "internal/lexicon" || strings.HasPrefix(at, "rulebook") {
			return
		}
		ast.Inspect(syntax, func(n ast.Node) bool {
			if words := wordList(n); len(words) >= 4 {
				used[file], used[path.Dir(file)] = true, true
				assert.True(t, spelled[file] != "" || spelled[path.Dir(file)] != "", "%s: a list of words in code: %s", fset.Position(n.Pos()), strings.Join(words, " "))
			}
			return true
		})
	})
	for place := range spelled {
		assert.True(t, used[place], "%s has no list of words any more", place)
	}
}

var plainWord = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

// wordList returns the words of a literal list, of a set, or of a case.
func wordList(n ast.Node) (words []string) {
	var elements []ast.Expr
	switch n := n.(type) {
	case *ast.CaseClause:
		elements = n.List
	case *ast.CompositeLit:
		for _, e := range n.Elts {
			if pair, ok := e.(*ast.KeyValueExpr); ok {
				if value, ok := pair.Value.(*ast.Ident); !ok || value.Name != "true" {
					continue // a mapping, no set
				}
				e = pair.Key
			}
			elements = append(elements, e)
		}
	case *ast.BasicLit: // words that are split as the program starts
		if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING && strings.HasPrefix(n.Value, "`") {
			for _, word := range strings.Fields(text) {
				if !plainWord.MatchString(word) {
					return nil
				}
				words = append(words, word)
			}
		}
		return words
	}
	for _, e := range elements {
		if literal, ok := e.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			if word, err := strconv.Unquote(literal.Value); err == nil && plainWord.MatchString(word) {
				words = append(words, word)
			}
		}
	}
	return words
}
