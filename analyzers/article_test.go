package analyzers

import (
	"path"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// databases have their SDK's fixtures below testdata/src/article.
var databases = []string{"cosmosdb", "couchbase", "dynamodb", "firestore", "mongodb"}

// TestArticle checks the models of the article that the rules come from,
// written in Go for each database: the bad form is reported by the rule that
// it is the example of, the good form by none.
func TestArticle(t *testing.T) {
	t.Parallel()
	expected := map[string]string{
		"posts":      "unbounded-array",
		"portfolio":  "volatile-embed",
		"publisher":  "unbounded-array",
		"references": "reference-type-mismatch",
		"authors":    "join-document",
		"reviews":    "missing-discriminator",
		"counts":     "aggregate-drift",
	}
	s := testdataStage(t)
	type model struct {
		path  string
		rules []string
	}
	var all []model
	var paths []string
	for _, db := range databases {
		for name, rule := range expected {
			rules := []string{rule}
			switch {
			case db == "dynamodb" && rule == "join-document":
				rules = nil // an adjacency list is how DynamoDB stores many-to-many relations
			case db == "dynamodb" && name == "publisher":
				rules = append([]string{"duplicate-reference"}, rule) // list_append adds what is there already
			}
			for form, rules := range map[string][]string{"bad": rules, "good": nil} {
				m := model{path: path.Join("article", db, form, name), rules: rules}
				all, paths = append(all, m), append(paths, m.path)
			}
		}
	}
	scene := s.load(t, paths...)
	for _, m := range all {
		t.Run(m.path, func(t *testing.T) {
			require.Empty(t, scene.errors[m.path])
			var rules []string
			for _, f := range scene.only(func(path string) bool { return path == m.path }).check(false) {
				t.Logf("%s: %s", f.Rule, f.Message)
				rules = append(rules, f.Rule)
			}
			slices.Sort(rules)
			assert.Equal(t, m.rules, slices.Compact(rules))
		})
	}
}
