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

// walkthrough checks what drivers of Go code find in the service of
// docs/walkthrough.md with the evidence file of its documents.
func walkthrough(t *testing.T, with tools) {
	c := corpus{dir: t.TempDir(), packages: []string{"example.com/kiln/courses", "example.com/kiln/makesamples", "example.com/kiln/shop"}}
	require.NoError(t, os.CopyFS(c.dir, os.DirFS(filepath.Join(repository(t), "testdata", "walkthrough"))))
	c.configure(t)
	alone := issues(t, c, with, "./...")
	assert.Len(t, alone, 5, "code alone suspects five things")

	run(t, c.dir, with.shapevet, "profile", "--no-progress", "samples", "-o", "default.shapevet.json")
	found := issues(t, c, with, "./...")
	var places []string
	story, err := os.ReadFile(filepath.Join(repository(t), "docs", "walkthrough.md"))
	require.NoError(t, err)
	for _, i := range found {
		text := fmt.Sprintf("%s:%d:%d: %s", filepath.ToSlash(i.Pos.Filename), i.Pos.Line, i.Pos.Column, i.Text)
		places = append(places, place.ReplaceAllString(text, "$1 $2"))
		assert.True(t, strings.Contains(string(story), text+" (shapevet)\n"), "the story lacks: %s (shapevet)", text)
	}
	assert.ElementsMatch(t, []string{
		"courses/courses.go:12:6 (struct-drift)", "courses/courses.go:27:2 (unbounded-array)",
		"courses/courses.go:71:2 (ttl-type)", "shop/shop.go:32:6 (join-document)",
	}, places)
	vetted := underVet(t, c, with)
	assert.ElementsMatch(t, places, short(vetted), "go vet")
	assert.ElementsMatch(t, places, short(underCheck(t, c, with, "./...")), "shapevet check")
}
