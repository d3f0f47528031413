package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
)

// tree writes files below a new directory.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o750))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return dir
}

// numbered repeats a document with %d replaced by 1, 2, 3 …
func numbered(n int, document string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(document, "%d", fmt.Sprint(i+1)) + "\n")
	}
	return b.String()
}

// checkChanged runs the real check and returns "rule collection" of each
// finding, the exit code and the complaints.
func checkChanged(t *testing.T, dir string, args ...string) (found []string, code int, complaints string) {
	t.Helper()
	for i, arg := range args {
		if !strings.HasPrefix(arg, "-") {
			args[i] = filepath.Join(dir, filepath.FromSlash(arg))
		}
	}
	var stdout, stderr bytes.Buffer
	args = append([]string{"check", "--changed", "--output", "json"}, args...)
	if _, err := os.Stat(filepath.Join(dir, "shapevet.yaml")); err == nil {
		args = append(args, "--config", filepath.Join(dir, "shapevet.yaml"))
	}
	code = run(args, strings.NewReader(""), &stdout, &stderr)
	var r struct {
		Findings []struct {
			Rule    string
			Subject finding.Subject
		}
	}
	require.NoError(t, json.Unmarshal(stdout.Bytes(), &r), stderr.String())
	for _, f := range r.Findings {
		found = append(found, strings.TrimSpace(f.Rule+" "+f.Subject.Collection+f.Subject.Symbol))
	}
	slices.Sort(found)
	return slices.Compact(found), code, stderr.String()
}

func shop() map[string]string {
	return map[string]string{
		"shop/authors.jsonl":      numbered(5, `{"id": "a%d", "name": "Author %d"}`),
		"shop/books.jsonl":        numbered(5, `{"id": "b%d", "title": "Book %d"}`),
		"shop/author-books.jsonl": numbered(5, `{"id": "x%d", "authorId": "a%d", "bookId": "b%d"}`),
		"shop/tags.jsonl":         `{"id": 1, "name": "x"}` + "\n" + `{"id": "2", "name": "y"}` + "\n",
		"posts/1.json":            `{"id": "p1", "title": "One"}`,
		"posts/2.json":            `{"id": "p2", "title": "Two"}`,
		"posts/3.json":            `{"id": 3, "title": "Three"}`,
		"posts/deeper/4.json":     `{"id": `,
		"package.json":            `{"name": "x", "version": "1.0.0"}`,
		"tsconfig.json":           `{"files": []}`,
		"one.json":                `{"id": "1", "size": 4}`,
	}
}

func TestChangedDocuments(t *testing.T) {
	t.Setenv(cacheVariable, t.TempDir())
	for _, test := range []struct {
		name  string
		args  []string
		files map[string]string
		want  []string
		code  int
		said  string
	}{
		{name: "the collection, with what it refers to", args: []string{"shop/author-books.jsonl"}, want: []string{"join-document author-books"}, code: 1},
		{name: "a finding that points into the file", args: []string{"shop/authors.jsonl"}, want: []string{"join-document author-books"}, code: 1},
		{name: "nothing about other collections", args: []string{"shop/tags.jsonl"}, want: []string{"mixed-id-type tags"}, code: 1},
		{name: "one document of a collection", args: []string{"posts/1.json"}, want: []string{"mixed-id-type posts"}, code: 1},
		{name: "a file beside those of the project is alone", args: []string{"one.json"}},
		{name: "several at once", args: []string{"posts/2.json", "shop/tags.jsonl"}, want: []string{"mixed-id-type posts", "mixed-id-type tags"}, code: 1},
		{name: "a damaged file", args: []string{"posts/deeper/4.json"}, code: 2, said: "the file is cut off"},
		{name: "a damaged file elsewhere", args: []string{"shop/books.jsonl"}, files: map[string]string{"shop/bad.jsonl": `{"id": `}, want: []string{"join-document author-books"}, code: 1},
		{name: "a file that is gone", args: []string{"shop/gone.jsonl"}, said: "no longer exists"},
		{name: "no files"},
		{
			name: "documents of the configuration", args: []string{"posts/1.json", "one.json"}, code: 0,
			files: map[string]string{"shapevet.yaml": "version: 1\ndocs: [shop]\n"},
		},
		{
			name: "a database over several directories", args: []string{"all/ab/1.json"}, want: []string{"join-document ab"}, code: 1,
			files: map[string]string{
				"shapevet.yaml": "version: 1\ndocs: [all]\n",
				"all/ab/1.json": `{"id": "x1", "aId": "a1", "bId": "b1"}`, "all/ab/2.json": `{"id": "x2", "aId": "a2", "bId": "b2"}`, "all/ab/3.json": `{"id": "x3", "aId": "a3", "bId": "b1"}`,
				"all/a/1.json": `{"id": "a1", "name": "A"}`, "all/a/2.json": `{"id": "a2", "name": "B"}`, "all/a/3.json": `{"id": "a3", "name": "C"}`,
				"all/b/1.json": `{"id": "b1", "title": "A"}`, "all/b/2.json": `{"id": "b2", "title": "B"}`,
			},
		},
		{
			name: "the files of a collection stand elsewhere", args: []string{"x/2024.jsonl"}, want: []string{"mixed-id-type log"}, code: 1,
			files: map[string]string{
				"shapevet.yaml": "version: 1\ncollections: {log: {files: ['x/**/*.jsonl', 'y/*.jsonl']}, none: {files: ['z/*.jsonl']}}\n",
				"x/2024.jsonl":  `{"id": "1", "n": 1}` + "\n" + `{"id": "2", "n": 1}`, "y/2025.jsonl": `{"id": 3, "n": 1}`,
			},
		},
		{
			name: "the configuration itself", args: []string{".shapevet.yaml"},
			files: map[string]string{".shapevet.yaml": "version: 1\n"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := shop()
			for name, text := range test.files {
				files[name] = text
			}
			found, code, said := checkChanged(t, tree(t, files), test.args...)
			assert.Equal(t, test.want, found)
			assert.Equal(t, test.code, code, said)
			assert.Contains(t, said, test.said)
		})
	}
}

const (
	storeGo = `package store

import "example.com/shop/orders"

//shapevet:document collection=carts
type Cart struct {
	ID    string
	Lines []orders.Line
	Events []orders.Event
}

func (c *Cart) Log(e orders.Event) { c.Events = append(c.Events, e) }
`
	ordersGo = `package orders

import "time"

//shapevet:document collection=orders
type Order struct {
	ID     string
	Events []Event
}

type Event struct {
	At   time.Time
	Text string
}

type Line struct{ Price int }

func (o *Order) Log(e Event) { o.Events = append(o.Events, e) }
`
)

func TestChangedGoFiles(t *testing.T) {
	t.Setenv(cacheVariable, t.TempDir())
	dir := tree(t, map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.24\n", "store/store.go": storeGo, "orders/orders.go": ordersGo, "calm/calm.go": "package calm\n",
	})
	for _, test := range []struct {
		changed string
		want    []string
	}{
		{"orders/orders.go", []string{"unbounded-array ordersexample.com/shop/orders.Order.Events"}},
		{"store/store.go", []string{"unbounded-array cartsexample.com/shop/store.Cart.Events"}},
		{"store/gone.go", []string{"unbounded-array cartsexample.com/shop/store.Cart.Events"}},
		{"calm/calm.go", nil},
		{"go.mod", []string{"unbounded-array cartsexample.com/shop/store.Cart.Events", "unbounded-array ordersexample.com/shop/orders.Order.Events"}},
	} {
		found, code, said := checkChanged(t, dir, test.changed)
		assert.Equal(t, test.want, found, test.changed)
		assert.Equal(t, test.want != nil, code == 1, "%s: %s", test.changed, said)
	}
}

// TestCleanIsRemembered checks that a clean outcome is cached, that it stays
// identical, and that a change to anything that determines it invalidates the
// cache.
func TestCleanIsRemembered(t *testing.T) {
	cache := t.TempDir()
	t.Setenv(cacheVariable, cache)
	dir := tree(t, map[string]string{
		"go.mod": "module example.com/shop\n\ngo 1.24\n", "calm/calm.go": "package calm\n", "other/other.go": "package other\n",
		"docs/a.jsonl": numbered(3, `{"id": "a%d", "name": "A %d"}`), "docs/b.jsonl": numbered(3, `{"id": "b%d", "name": "B %d"}`),
	})
	kept := func() int {
		entries, err := os.ReadDir(filepath.Join(cache, "clean"))
		if !os.IsNotExist(err) {
			require.NoError(t, err)
		}
		return len(entries)
	}
	check := func(args ...string) string {
		var stdout, stderr bytes.Buffer
		code := run(append([]string{"check", "--changed", filepath.Join(dir, "calm", "calm.go"), filepath.Join(dir, "docs", "a.jsonl")}, args...), nil, &stdout, &stderr)
		require.Equal(t, 0, code, stderr.String())
		return stdout.String()
	}
	change := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o600))
	}
	first := check()
	require.Equal(t, 1, kept())
	assert.Equal(t, first, check())
	assert.Equal(t, 1, kept(), "nothing new to remember")
	steps := []func(){
		func() { change("other/other.go", "package other\n\nvar X = 1\n"); check() },
		func() { change("docs/b.jsonl", numbered(4, `{"id": "b%d", "name": "B %d"}`)); check() },
		func() { change(".shapevet.yaml", "version: 1\n"); check() },
		func() { check("--db", "mongodb") },
		func() { check("--ignore", "missing-id") },
		func() { t.Setenv("GOFLAGS", "-buildvcs=false -tags=x"); check() },
	}
	for i, step := range steps {
		step()
		assert.Equal(t, i+2, kept(), "step %d makes it void", i+1)
	}
	before := kept()
	check("--fix")
	t.Setenv(cacheVariable, "off")
	check("--strict")
	assert.Equal(t, before, kept(), "neither is remembered")
	t.Setenv(cacheVariable, cache)

	change("docs/a.jsonl", `{"id": 1, "name": "x"}`+"\n"+`{"id": "2", "name": "y"}`+"\n")
	for range 2 {
		var stdout, stderr bytes.Buffer
		assert.Equal(t, 1, run([]string{"check", "--changed", filepath.Join(dir, "docs", "a.jsonl")}, nil, &stdout, &stderr))
		assert.Contains(t, stdout.String(), "mixed-id-type")
	}
	assert.Equal(t, before, kept(), "findings are not remembered")
}

func TestForget(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"old.json": "", "new.json": ""})
	long := time.Now().Add(-staleAfter - time.Hour)
	require.NoError(t, os.Chtimes(filepath.Join(dir, "old.json"), long, long))
	require.NoError(t, forget(dir))
	assert.NoFileExists(t, filepath.Join(dir, "old.json"))
	assert.FileExists(t, filepath.Join(dir, "new.json"))
}

func TestRecallOfNothing(t *testing.T) {
	t.Parallel()
	assert.Nil(t, recall(""))
	dir := tree(t, map[string]string{"cut.json": `{"Summary": {`})
	assert.Nil(t, recall(filepath.Join(dir, "cut.json")))
	assert.Nil(t, recall(filepath.Join(dir, "none.json")))
}
