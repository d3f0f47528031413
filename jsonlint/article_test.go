package jsonlint_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
)

// The article breaks its own rules, as hand-written examples do. Each block
// must be reported for its mistake, and for nothing else that resembles one.
var article = []struct {
	file string
	must []string // rule, or rule:path
	not  []string
}{
	{"01-person.json",
		[]string{"numeric-identifier:addresses[].zip", "input-error"},
		[]string{"unbounded-array", "missing-discriminator"}},
	{"02-post.json",
		[]string{"unbounded-array:comments", "input-error"},
		[]string{"volatile-embed", "mixed-types"}},
	{"03-recent-comments.json",
		[]string{"missing-id", "stale-subset:recentComments", "input-error"},
		[]string{"unbounded-array"}},
	{"04-holdings.json",
		[]string{"volatile-embed:holdings[].stock"},
		[]string{"unbounded-array"}},
	{"05-stock-ids.json",
		[]string{"reference-type-mismatch:holdings[].stockId", "awkward-field-name:mkt-cap"},
		[]string{"dangling-reference", "volatile-embed"}},
	{"06-publisher-books.json",
		[]string{"unbounded-array:books", "reference-type-mismatch:books[]"},
		nil},
	{"07-book-publisher.json",
		[]string{"missing-reference:pub-id", "awkward-field-name:pub-id"},
		[]string{"join-document"}},
	{"08-joining.json",
		[]string{"join-document:"},
		[]string{"missing-discriminator", "missing-id"}},
	{"09-many-to-many.json",
		[]string{"input-error"},
		[]string{"inconsistent-many-to-many", "unbounded-array"}},
	{"10-hybrid.json",
		[]string{"keyed-object-array:images", "input-error", "dangling-reference:books[]"},
		[]string{"aggregate-drift", "stale-copy", "volatile-embed"}},
	{"11-book-reviews.json",
		nil,
		[]string{"missing-discriminator", "dangling-reference", "join-document", "unbounded-array", "volatile-embed"}},
}

func TestArticle(t *testing.T) {
	t.Parallel()
	for _, block := range article {
		t.Run(block.file, func(t *testing.T) {
			t.Parallel()
			findings := checkFiles(t, jsonlint.Options{}, filepath.Join("..", "testdata", "article", block.file))
			assertRules(t, findings, block.must, block.not)
		})
	}
}

// TestArticleMutations breaks each good example of the article in one place.
func TestArticleMutations(t *testing.T) {
	t.Parallel()
	for _, m := range []struct {
		name, file, old, new string
		must                 string
	}{
		{"no type field", "11-book-reviews.json", "", "", "missing-discriminator"},
		{"one collection of three kinds", "08-joining.json", "", "", "missing-discriminator"},
		{"wrong count", "10-hybrid.json", `"countOfBooks": 3`, `"countOfBooks": 4`, "aggregate-drift:countOfBooks"},
		{"deleted book", "09-many-to-many.json", `    {"id": "b4", "name": "Deep Dive in to Azure Cosmos DB", "authors": ["a2"]}`, "", "dangling-reference:books[]"},
		{"half an edge", "09-many-to-many.json", `"authors": ["a1", "a2"]`, `"authors": ["a1"]`, "inconsistent-many-to-many"},
		{"renamed copy", "10-hybrid.json", `{"id": "a2", "name": "William Wakefield"`, `{"id": "a2", "name": "Bill Wakefield"`, "stale-copy:authors[].name"},
	} {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(filepath.Join("..", "testdata", "article", m.file))
			require.NoError(t, err)
			mutated := strings.Replace(string(text), m.old, m.new, 1)
			if m.old == "" { // read as one container: without captions, without types
				var kept []string
				for line := range strings.Lines(string(text)) {
					if strings.Contains(line, "documents:") || strings.Contains(line, `"type"`) {
						continue
					}
					kept = append(kept, strings.Replace(strings.Replace(line, `"bookId": "b1",`, `"bookId": "b1"`, 1), "},", "}", 1))
				}
				mutated = strings.Join(kept, "")
			}
			require.NotEqual(t, string(text), mutated)
			file := filepath.Join(t.TempDir(), m.file)
			require.NoError(t, os.WriteFile(file, []byte(mutated), 0o600))
			assertRules(t, checkFiles(t, jsonlint.Options{}, file), []string{m.must}, nil)
		})
	}
}

func checkFiles(t *testing.T, o jsonlint.Options, files ...string) []finding.Finding {
	t.Helper()
	report, err := jsonlint.Check(context.Background(), files, o)
	require.NoError(t, err)
	require.Empty(t, report.Problems)
	return slices.DeleteFunc(report.Findings, func(f finding.Finding) bool { return f.Confidence < 0.5 })
}

func assertRules(t *testing.T, findings []finding.Finding, must, not []string) {
	t.Helper()
	var seen []string
	for _, f := range findings {
		seen = append(seen, f.Rule+":"+f.Subject.Path+" "+f.Message)
	}
	has := func(want string) bool {
		rule, path, exact := strings.Cut(want, ":")
		return slices.ContainsFunc(findings, func(f finding.Finding) bool {
			return f.Rule == rule && (!exact || strings.TrimSuffix(f.Subject.Path, "[]") == strings.TrimSuffix(path, "[]"))
		})
	}
	for _, want := range must {
		assert.True(t, has(want), "%s is missing; found:\n%s", want, strings.Join(seen, "\n"))
	}
	for _, unwanted := range not {
		assert.False(t, has(unwanted), "%s is reported; found:\n%s", unwanted, strings.Join(seen, "\n"))
	}
}
