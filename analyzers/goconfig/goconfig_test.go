package goconfig_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/analyzers/goconfig"
	"github.com/shapevet/shapevet/internal/config"
)

func parse(t *testing.T, text string) *config.Config {
	t.Helper()
	c, err := config.Parse("test.yaml", []byte(text))
	require.NoError(t, err)
	return c
}

func TestOptions(t *testing.T) {
	t.Parallel()
	options, err := goconfig.Options(parse(t, `version: 1
db: mongodb
minConfidence: 0.7
rules:
  join-document: off
documents:
  - {type: example.com/app.Post, collection: posts, partitionKey: /id}
  - example.com/app.Comment
sinks:
  - {function: example.com/app.Store.Put, argument: 2}
ignore:
  - {rule: unbounded-array, collection: posts, path: comments, reason: trimmed at night}
  - {rule: volatile-embed, reason: frozen}
`), "missing-id")
	require.NoError(t, err)
	assert.Equal(t, "mongodb", options.DB)
	assert.InDelta(t, 0.7, options.MinConfidence, 0)
	assert.Equal(t, []docmodel.DeclaredDocument{
		{Type: "example.com/app.Post", Collection: "posts", PartitionKey: "/id"}, {Type: "example.com/app.Comment"},
	}, options.Documents)
	assert.Equal(t, []docmodel.DeclaredSink{{Function: "example.com/app.Store.Put", Argument: 2}}, options.Sinks)
	assert.True(t, options.Enabled("unbounded-array"))
	assert.False(t, options.Enabled("join-document"), "switched off")
	assert.False(t, options.Enabled("missing-id"), "left out by the caller")
	assert.True(t, options.Accepts("unbounded-array", "posts", "comments"))
	assert.False(t, options.Accepts("unbounded-array", "posts", "tags"))
	assert.False(t, options.Accepts("unbounded-array", "drafts", "comments"))
	assert.True(t, options.Accepts("volatile-embed", "posts", "author"), "anywhere")
}

func TestOptionsOfStrictRuns(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"version: 1\nstrict: true\n", "version: 1\nminConfidence: 0\n"} {
		options, err := goconfig.Options(parse(t, text))
		require.NoError(t, err)
		assert.InDelta(t, check.AnyConfidence, options.MinConfidence, 0, text)
	}
}

func TestSelected(t *testing.T) {
	t.Parallel()
	c := parse(t, "version: 1\nselect: [join-document]\n")
	assert.True(t, goconfig.Enabled(c, "join-document"))
	assert.True(t, goconfig.Enabled(c, "input-error"), "whatever is selected, what cannot be read is not checked")
	assert.False(t, goconfig.Enabled(c, "unbounded-array"))
	assert.Contains(t, goconfig.Disabled(c), "unbounded-array")
	assert.NotContains(t, goconfig.Disabled(c), "join-document")
}

// tree writes files and returns their directory.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return dir
}

func inReach(t *testing.T, root, dir string) []string {
	t.Helper()
	found, err := goconfig.InReach(filepath.Join(root, dir))
	require.NoError(t, err)
	names := []string{}
	for _, path := range found {
		name, err := filepath.Rel(root, path)
		require.NoError(t, err)
		names = append(names, filepath.ToSlash(name))
	}
	return names
}

func TestInReach(t *testing.T) {
	root := tree(t, map[string]string{
		".shapevet.yaml": "", "mod/go.mod": "module m\n", "mod/.shapevet.yaml": "", "mod/a/b/.shapevet.yaml": "", "mod/c/default.shapevet.json": "",
		"mod/vendor/x/.shapevet.yaml": "", "mod/a/testdata/.shapevet.yaml": "", "mod/.git/.shapevet.yaml": "", "mod/_old/.shapevet.yaml": "",
		"other/go.mod": "module o\n", "other/.shapevet.yaml": "", "loose/.shapevet.yaml": "", "loose/below/.shapevet.yaml": "",
	})
	t.Setenv("GOWORK", "")
	module := []string{".shapevet.yaml", "mod/.shapevet.yaml", "mod/a/b/.shapevet.yaml", "mod/c/default.shapevet.json"}
	assert.Equal(t, module, inReach(t, root, "mod"))
	assert.Equal(t, module, inReach(t, root, "mod/a"), "packages of the module can be named from anywhere in it")
	assert.Equal(t, []string{".shapevet.yaml", "loose/.shapevet.yaml"}, inReach(t, root, "loose"), "outside of a module nothing is below")

	require.NoError(t, os.WriteFile(filepath.Join(root, "go.work"), []byte("go 1.26\nuse (\n\t./mod\n\t./other\n\t./gone\n)\n"), 0o600))
	assert.Contains(t, inReach(t, root, "mod"), "other/.shapevet.yaml", "a work space spans modules")
	t.Setenv("GOWORK", "off")
	assert.Equal(t, module, inReach(t, root, "mod"))
}

func TestFingerprint(t *testing.T) {
	t.Setenv("GOWORK", "off")
	root := tree(t, map[string]string{"go.mod": "module m\n", "a/a.go": "package a\n"})
	extra := filepath.Join(root, "extra")
	require.NoError(t, os.WriteFile(extra, []byte("1"), 0o600))
	seen := map[string]string{}
	check := func(change string) {
		t.Helper()
		var text bytes.Buffer
		require.NoError(t, goconfig.Fingerprint(&text, root, extra))
		assert.NotContains(t, seen, text.String(), "%s makes no difference to what was after %q", change, seen[text.String()])
		seen[text.String()] = change
	}
	check("nothing")
	for _, write := range [][2]string{
		{".shapevet.yaml", "version: 1\n"}, {".shapevet.yaml", "version: 2\n"}, {"a/.shapevet.yaml", "version: 1\n"},
		{"default.shapevet.json", "{}"}, {"default.shapevet.json", "{} "}, {"extra", "2"},
	} {
		require.NoError(t, os.WriteFile(filepath.Join(root, write[0]), []byte(write[1]), 0o600))
		check(write[0])
	}
	require.NoError(t, os.Remove(filepath.Join(root, "a", ".shapevet.yaml")))
	check("removing a/.shapevet.yaml")
	require.Error(t, goconfig.Fingerprint(&bytes.Buffer{}, root, filepath.Join(root, "gone")))
}
