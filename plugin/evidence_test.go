package plugin_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/golangci/plugin-module-register/register"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/evidence"
	"github.com/shapevet/shapevet/plugin"
)

// evidenceOf writes the evidence of a collection with lists of a length.
func evidenceOf(t *testing.T, path, collection, list string, length int) {
	t.Helper()
	var lines []string
	for i := range 1200 {
		line, err := json.Marshal(map[string]any{"_id": i, "title": fmt.Sprint("T", i), list: make([]map[string]int, length)})
		require.NoError(t, err)
		lines = append(lines, string(line))
	}
	documents := filepath.Join(t.TempDir(), collection+".jsonl")
	require.NoError(t, os.WriteFile(documents, []byte(strings.Join(lines, "\n")), 0o600))
	db, _, err := jsonlint.Profile(context.Background(), []string{documents}, jsonlint.Options{})
	require.NoError(t, err)
	text, err := evidence.New(db, evidence.Options{Tool: "v1", Date: time.Now()}).Marshal()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, text, 0o600))
}

const posts = `package posts

//shapevet:document collection=posts
type Post struct {
	ID       int       ` + "`bson:\"_id\"`" + `
	Title    string    ` + "`bson:\"title\"`" + `
	Comments []Comment ` + "`bson:\"comments\"`" + `
}

type Comment struct {
	ID   int    ` + "`bson:\"_id\"`" + `
	Text string ` + "`bson:\"text\"`" + `
}
`

func TestEvidence(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "shapes.json")
	settings := map[string]any{
		"evidence": []any{path}, "evidencedocuments": 50, "evidencemaxage": 0, "select": []any{"unbounded-array"},
	}
	code, clean, err := analysistest.WriteFiles(map[string]string{"posts/posts.go": posts})
	require.NoError(t, err)
	t.Cleanup(clean)
	messages := func() (all []string) {
		for _, result := range analysistest.Run(quiet{}, code, linter(t, settings)[0], "posts") {
			require.NoError(t, result.Err)
			for _, d := range result.Diagnostics {
				all = append(all, d.Message)
			}
		}
		return all
	}
	state := func() string { return linter(t, settings)[1].Name }

	evidenceOf(t, path, "posts", "comments", 300)
	before := state()
	found := messages()
	require.Len(t, found, 1)
	assert.Contains(t, found[0], "observed up to 300 elements, p95 300")

	evidenceOf(t, path, "posts", "comments", 3)
	assert.Empty(t, messages(), "withdrawn")
	assert.NotEqual(t, before, state(), "results of other evidence are not used again")

	require.NoError(t, os.WriteFile(path, []byte("{}"), 0o600))
	construct, err := register.GetPlugin(plugin.Name)
	require.NoError(t, err)
	_, err = construct(settings)
	require.ErrorContains(t, err, "this is not an evidence file")
}
