package golangci

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// evidence checks that all drivers use evidence in the same way, and that none
// repeats a cached result once the file has changed.
func evidence(t *testing.T, c corpus, with tools) {
	alone := issues(t, c, with, "./posts")
	require.Len(t, alone, 1)

	observe := func(length int) {
		var documents strings.Builder
		for i := range 1200 {
			comments := strings.Repeat(`{"_id":"c","text":"t"},`, length)
			fmt.Fprintf(&documents, `{"_id":"p%d","title":"T","comments":[%s]}`+"\n", i, strings.TrimSuffix(comments, ","))
		}
		file := filepath.Join(t.TempDir(), "posts.jsonl")
		require.NoError(t, os.WriteFile(file, []byte(documents.String()), 0o600))
		run(t, c.dir, with.shapevet, "profile", "--no-progress", file, "-o", "default.shapevet.json")
	}
	observe(300)
	const observed = "observed up to 300 elements, p95 300"
	found := issues(t, c, with, "./posts")
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Text, observed)
	assert.Contains(t, strings.Join(underVet(t, c, with), "\n"), observed)
	assert.Contains(t, strings.Join(underCheck(t, c, with, "./posts"), "\n"), observed)

	observe(2)
	assert.Empty(t, issues(t, c, with, "./posts"), "withdrawn")
	assert.NotContains(t, strings.Join(underVet(t, c, with), "\n"), "posts/posts.go")
	assert.Empty(t, underCheck(t, c, with, "./posts"))

	require.NoError(t, os.Remove(filepath.Join(c.dir, "default.shapevet.json")))
	assert.Equal(t, alone, issues(t, c, with, "./posts"))
}
