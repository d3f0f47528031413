package guided_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/analyzers"
	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/analyzers/guided"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/evidence"
)

type document = map[string]any

// observe profiles documents, n of each collection.
func observe(t *testing.T, n int, collections map[string]func(i int) document) *evidence.File {
	t.Helper()
	dir := t.TempDir()
	for name, make := range collections {
		var lines []string
		for i := range n {
			line, err := json.Marshal(make(i))
			require.NoError(t, err)
			lines = append(lines, string(line))
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".jsonl"), []byte(strings.Join(lines, "\n")), 0o600))
	}
	db, _, err := jsonlint.Profile(context.Background(), []string{dir}, jsonlint.Options{})
	require.NoError(t, err)
	return evidence.New(db, evidence.Options{Tool: "v1", Date: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)})
}

// program reads Go code that needs no imports.
func program(t *testing.T, code string) *docmodel.Program {
	return programWith(t, code, docmodel.Options{})
}

func programWith(t *testing.T, code string, o docmodel.Options) *docmodel.Program {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/m\n\ngo 1.26\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "m.go"), []byte("package m\n\n"+code), 0o600))
	p, warnings, err := analyzers.Program(context.Background(), []string{dir}, o)
	require.NoError(t, err)
	require.Empty(t, warnings)
	return p
}

func named(t *testing.T, p *docmodel.Program, name string) *docmodel.Document {
	t.Helper()
	for _, d := range p.Documents() {
		if d.Name == name {
			return d
		}
	}
	require.Fail(t, "no document "+name)
	return nil
}

// rule returns a rule by its name.
func rule(name string) check.Rule {
	for _, r := range analyzers.Rules() {
		if r.Name == name {
			return r
		}
	}
	return check.Rule{Name: name}
}

func judge(t *testing.T, seen *evidence.File) *guided.Evidence {
	t.Helper()
	e, err := guided.New(guided.Options{Seen: seen, Documents: 100})
	require.NoError(t, err)
	return e
}

const models = `
//shapevet:document collection=posts
type Post struct {
	ID       string ` + "`json:\"id\"`" + `
	Title    string ` + "`json:\"title\"`" + `
	Body     string ` + "`json:\"body\"`" + `
	Author   Author ` + "`json:\"author\"`" + `
	Comments []Comment ` + "`json:\"comments\"`" + `
}

type Author struct {
	ID     string ` + "`json:\"id\"`" + `
	Rating int ` + "`json:\"rating\"`" + `
}

type Comment struct {
	Text string ` + "`json:\"text\"`" + `
	Replies []Comment ` + "`json:\"replies\"`" + `
}

//shapevet:document
type User struct {
	ID    string ` + "`json:\"id\"`" + `
	Name  string ` + "`json:\"name\"`" + `
	Email string ` + "`json:\"email\"`" + `
	Age   int ` + "`json:\"age\"`" + `
}

//shapevet:document collection=gone
type Gone struct {
	ID string ` + "`json:\"id\"`" + `
}
`

func user(i int) document {
	return document{"id": fmt.Sprint("u", i), "name": fmt.Sprint("Name ", i), "email": fmt.Sprintf("u%d@example.com", i), "age": i % 70}
}

func post(i int) document {
	return document{
		"id": fmt.Sprint("p", i), "title": "T", "body": "B", "author": document{"id": fmt.Sprint("a", i%20), "rating": i},
		"comments": []any{document{"text": "x", "replies": []any{}}},
	}
}

func TestBind(t *testing.T) {
	t.Parallel()
	p := program(t, models)
	e := judge(t, observe(t, 60, map[string]func(int) document{"posts": post, "people": user}))

	b := e.Bind(p, named(t, p, "Post"))
	assert.Equal(t, "posts", b.Collection)
	assert.InDelta(t, 1, b.Confidence, 0, "a directive")
	b = e.Bind(p, named(t, p, "User"))
	assert.Equal(t, "people", b.Collection, "by its fields")
	assert.InDelta(t, 0.9, b.Confidence, 0)
	assert.Equal(t, "100% of the fields in common", b.Reason)
	b = e.Bind(p, named(t, p, "Gone"))
	assert.Empty(t, b.Collection)
	assert.Equal(t, "there are no documents of gone", b.Reason)

	e = judge(t, observe(t, 60, map[string]func(int) document{"posts": user, "people": user, "members": user}))
	b = e.Bind(p, named(t, p, "User"))
	assert.Empty(t, b.Collection, "two collections have such documents")
	assert.Equal(t, "fields in common with several: members, people", b.Reason)
	b = e.Bind(p, named(t, p, "Post"))
	assert.Empty(t, b.Collection, "the name is not enough")
	assert.Equal(t, "documents of posts have other fields", b.Reason)

	e = judge(t, &evidence.File{})
	assert.Equal(t, "there is no evidence", e.Bind(p, named(t, p, "User")).Reason)
}

func field(t *testing.T, d *docmodel.Document, path string) *docmodel.Field {
	t.Helper()
	var found *docmodel.Field
	docmodel.All(d.Fields, func(f *docmodel.Field) {
		if f.Path == path && found == nil {
			found = f
		}
	})
	require.NotNil(t, found, path)
	return found
}

func TestWeigh(t *testing.T) {
	t.Parallel()
	p := program(t, models)
	d := named(t, p, "Post")
	with := func(change func(i int, post document)) func(int) document {
		return func(i int) document {
			made := post(i)
			change(i, made)
			return made
		}
	}
	plain := with(func(int, document) {})
	nested := func(levels int) []any {
		list := []any{}
		for range levels {
			list = []any{document{"text": "x", "replies": list}}
		}
		return list
	}
	tests := []struct {
		name, rule, path string
		documents        func(int) document
		n                int
		message          string // added to it
		confidence       float64
		severity         finding.Severity
	}{
		{"copies of few", "volatile-embed", "author", plain, 200, "; observed 200 copies of 20 different id", 0.9, finding.Warning},
		{"copies of each its own", "volatile-embed", "author", with(func(i int, d document) { d["author"] = document{"id": fmt.Sprint("a", i), "rating": 1} }), 200,
			"; withdrawn: 200 values of author.id in documents of posts are all different", 0.2, finding.Info},
		{"shallow", "deep-nesting", "comments[].replies", plain, 200, "; withdrawn: 200 documents of posts have at most 4 levels", 0.2, finding.Info},
		{"deep", "deep-nesting", "comments[].replies", with(func(i int, d document) { d["comments"] = nested(6) }), 200,
			"; observed up to 14 levels, p95 14", 0.9, finding.Warning},
		{"one kind", "missing-discriminator", "", plain, 200, "; withdrawn: 200 documents of posts are of one kind", 0.2, finding.Info},
		{"too few documents", "missing-discriminator", "", plain, 99, "", 0.7, finding.Warning},
		{"a path that no document has", "inline-blob", "title", with(func(i int, d document) { delete(d, "title") }), 200, "", 0.7, finding.Warning},
		{"another rule", "missing-id", "title", plain, 200, "", 0.7, finding.Warning},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			e := judge(t, observe(t, test.n, map[string]func(int) document{"posts": test.documents}))
			f := &check.Finding{Rule: test.rule, Document: d, Confidence: 0.7, Severity: finding.Warning, Message: "m"}
			if test.path != "" {
				f.Field = field(t, d, test.path)
			}
			e.Weigh(p, rule(f.Rule), f)
			assert.Equal(t, "m"+test.message, f.Message)
			assert.InDelta(t, test.confidence, f.Confidence, 0)
			assert.Equal(t, test.severity, f.Severity)
		})
	}
}

// TestWeighByConfiguredThresholds judges by what the user says is too much.
func TestWeighByConfiguredThresholds(t *testing.T) {
	t.Parallel()
	p := programWith(t, models, docmodel.Options{Threshold: func(rule, name string) (float64, bool) {
		return 30, rule == "volatile-embed" && name == "mean-fan-out"
	}})
	e := judge(t, observe(t, 200, map[string]func(int) document{"posts": post}))
	d := named(t, p, "Post")
	f := &check.Finding{Rule: "volatile-embed", Document: d, Field: field(t, d, "author"), Confidence: 0.7, Severity: finding.Warning, Message: "m"}
	e.Weigh(p, rule(f.Rule), f)
	assert.Equal(t, "m", f.Message, "10 copies of each are fewer than 30")
}

// TestWeighProofs keeps what is certain: an error is not withdrawn because it
// has not happened yet, and code that is sure takes more documents.
func TestWeighProofs(t *testing.T) {
	t.Parallel()
	p := program(t, models)
	d := named(t, p, "Post")
	e := judge(t, observe(t, 200, map[string]func(int) document{"posts": post}))
	f := &check.Finding{Rule: "deep-nesting", Document: d, Confidence: 0.7, Severity: finding.Error}
	e.Weigh(p, rule(f.Rule), f)
	assert.Equal(t, finding.Error, f.Severity)
	f = &check.Finding{Rule: "deep-nesting", Document: d, Confidence: 0.9, Severity: finding.Warning}
	e.Weigh(p, rule(f.Rule), f)
	assert.InDelta(t, 0.9, f.Confidence, 0)
}

func TestFiles(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	inner := filepath.Join(root, "mod", "pkg", "inner")
	require.NoError(t, os.MkdirAll(inner, 0o700))
	seen := observe(t, 30, map[string]func(int) document{"people": user})
	text, err := seen.Marshal()
	require.NoError(t, err)
	put := func(path string, text []byte) {
		require.NoError(t, os.WriteFile(filepath.Join(root, path), text, 0o600))
	}
	put("default.json", []byte("{}"))
	loads := func(dir string) error {
		e, err := guided.New(guided.Options{Name: "default.json"})
		require.NoError(t, err)
		return e.Load(dir)
	}
	require.NoError(t, loads(inner), "outside of a module only the directory itself counts")
	put("mod/go.mod", []byte("module m\n"))
	require.NoError(t, loads(inner), "what lies above the module does not count")
	put("mod/default.json", []byte("{}"))
	require.ErrorContains(t, loads(inner), "this is not an evidence file")
	put("mod/pkg/default.json", text)
	require.NoError(t, loads(inner), "the nearest counts")

	_, err = guided.New(guided.Options{Files: []string{filepath.Join(root, "mod", "default.json"), filepath.Join(root, "gone")}})
	require.ErrorContains(t, err, "this is not an evidence file")
	require.ErrorContains(t, err, "gone")

	e, err := guided.New(guided.Options{Files: []string{filepath.Join(root, "mod", "pkg", "default.json")}, MaxAge: 10, Now: time.Date(2026, 2, 15, 0, 0, 0, 0, time.UTC)})
	require.NoError(t, err)
	require.Len(t, e.Warnings(), 1)
	assert.Contains(t, e.Warnings()[0], "2026-01-31, 15 days ago")
	assert.Empty(t, e.Problems())
}
