package source

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/shapevet/shapevet/internal/globs"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFilesAreReadOnce: links, including hard links, do not duplicate a file,
// and directories that link to each other do not make an endless tree.
func TestFilesAreReadOnce(t *testing.T) {
	t.Parallel()
	const n = 7
	files := map[string]string{"data/posts.json": "{}", "data/tags.json": "{}", "z/own.json": "{}"}
	for i := range n {
		files[fmt.Sprintf("mesh/d%d/one.jsonl", i)] = fmt.Sprintf(`{"id":%d}`, i)
	}
	dir := write(t, files)
	for i := range n {
		for j := range n {
			require.NoError(t, os.Symlink(fmt.Sprintf("../d%d", j), filepath.Join(dir, "mesh", fmt.Sprintf("d%d", i), fmt.Sprintf("to%d", j))))
		}
	}
	require.NoError(t, os.Symlink("data", filepath.Join(dir, "current")))
	require.NoError(t, os.Symlink("posts.json", filepath.Join(dir, "data", "all.json")))
	require.NoError(t, os.Link(filepath.Join(dir, "data", "tags.json"), filepath.Join(dir, "data", "words.json")))
	s := open(t, Options{}, dir)
	var got []string
	for _, f := range s.Files {
		name, err := filepath.Rel(dir, f.open)
		require.NoError(t, err)
		got = append(got, filepath.ToSlash(name))
	}
	want := []string{"data/posts.json", "data/tags.json"}
	for i := range n {
		want = append(want, fmt.Sprintf("mesh/d%d/one.jsonl", i))
	}
	assert.Equal(t, append(want, "z/own.json"), got, "each by its own path and not by that of a link")
	assert.Empty(t, s.Problems())

	link := filepath.Join(dir, "current", "posts.json")
	s = open(t, Options{}, link, filepath.Join(dir, "data", "posts.json"), dir)
	assert.Equal(t, link, s.Files[0].open, "what is named outright keeps its name")
	assert.Len(t, s.Files, n+3)
}

// project is the content of a program's directory that also has documents.
var project = map[string]string{
	"package.json": "{}", "package-lock.json": "{}", "tsconfig.build.json": "{ // a comment\n}", "node_modules/a/data.json": "{}", "dist/out.json": "{}",
	"data/dist/posts.json": "{}", "data/vendor/vendors.json": "{}", "locales/en.json": "{}", "src/i18n/pt-BR/common.json": "{}", "data/locales/shops.json": "{}",
	"posts.schema.json": "{}", "shape.json": `{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"}`,
	"counter.json": "1000007\n", "version.json": `"1.2"`, "api.json": `{"openapi": "3.0.0", "paths": {}}`, "old-api.json": `{"swagger": "2.0"}`, "data/opened.json": `{"openapi": {"id": 1}}`,
	"mine.json": "{\n  // how many\n  \"jobs\": 2\n}", "yours.json": "// read by the editor\n{\"jobs\": 2}", "theirs.json": "{ /* x */ }",
	"data/numbered.json": "/* 1 */\n{\"id\": 1}\n\n/* 2 */\n{\"id\": 2}\n", "data/noted.json": "{\"id\": 1, // one\n\"a\": 2}",
	"data/priced.json": `{"id": 1, "$schema": "https://example.com"}`, "export/old.csv": "a,b", "export/more.parquet": "PAR1", "export/a.json": "{}",
	"src/main.ts": "let a", "default.shapevet.json": "{}", ".gitignore": "secret/\n", ".git/HEAD": "", "secret/s.json": "{}",
}

func TestWhatHoldsNoDocumentsIsLeftOut(t *testing.T) {
	t.Parallel()
	dir := write(t, project)
	paths := func(o Options) (got []string, left LeftOut) {
		s := open(t, o, dir)
		for _, f := range s.Files {
			name, err := filepath.Rel(dir, f.open)
			require.NoError(t, err)
			got = append(got, filepath.ToSlash(name))
		}
		return got, s.LeftOut()
	}
	documents := []string{"data/dist/posts.json", "data/locales/shops.json", "data/noted.json", "data/numbered.json", "data/opened.json", "data/priced.json", "data/vendor/vendors.json", "export/a.json"}
	got, left := paths(Options{Defaults: true})
	assert.Equal(t, documents, got)
	assert.Equal(t, []int{14, 2, 0}, []int{left.Files, left.Directories, left.Excluded})
	require.Len(t, left.Unread, 2)
	assert.Contains(t, left.Unread[0], "export/more.parquet")

	got, left = paths(Options{Defaults: true, Skip: []string{"**/data", "old.*"}, Include: []string{"**/node_modules/a/*.json", "**/tsconfig*", "**/secret/**"}})
	assert.Equal(t, []string{"export/a.json", "node_modules/a/data.json", "secret/s.json", "tsconfig.build.json"}, got)
	assert.Equal(t, 2, left.Excluded)

	got, left = paths(Options{})
	assert.Len(t, got, len(documents)+16)
	assert.Zero(t, left.Files+left.Directories)
}

func TestNoDocument(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"package.json": true, "a/TSConfig.json": true, "tsconfig.app.json": true, "posts.schema.json": true, ".eslintrc.json": true,
		"a/node_modules/b/c.json": true, ".vscode/settings.json": true, "locales/de.json": true, "messages/pt-BR.json": true, "logs/log-001.json": false, "my-db.json": false, "app-Data.json": false, "pairs/usd-eur.json": false, "codes/deu.json": false, "i18n/zh_Hans/x.json": true,
		"a/posts.translations.json": true, "translations.json": false, "posts.json": false, "settings.json": false, "../posts.json": false, "./data/en.json": false, "languages/languages.json": false, "build/posts.json": false,
	} {
		assert.Equal(t, want, NoDocument(name), name)
	}
}

func TestGlobsAreBounded(t *testing.T) {
	t.Parallel()
	require.NoError(t, globs.Check("data/{posts,tags,users}/**/*.{json,jsonl}"))
	require.ErrorContains(t, globs.Check(strings.Repeat("{a,b}", 22)), "too many alternatives")
	require.ErrorContains(t, globs.Check(strings.Repeat("**/a/", 20)), "too many **")
	require.Error(t, globs.Check("[a"))
	s := open(t, Options{}, strings.Repeat("{a,b}", 22)+"/*.json")
	require.Len(t, s.Problems(), 1)
	assert.Contains(t, s.Problems()[0].Message, "has too many alternatives in braces")
	_, err := Open(t.Context(), nil, Options{Collections: []CollectionRule{{Name: "a", Glob: strings.Repeat("{a,b}", 22)}}})
	require.ErrorContains(t, err, "has too many alternatives in braces")
}

// TestSmallFilesAreOpenedOnce: a file read to find out what it is need not be
// read again.
func TestSmallFilesAreOpenedOnce(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 50 {
		files[fmt.Sprintf("d/%d.json", i)] = fmt.Sprintf(`{"id":%d}`, i)
	}
	dir := write(t, files)
	s := open(t, Options{}, dir)
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "d")))
	assert.Len(t, read(t, s, 2), 50)
	assert.Empty(t, s.Problems())
	assert.Equal(t, "d", s.Files[0].Collection)
}
