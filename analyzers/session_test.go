package analyzers_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/analyzers"
	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/internal/finding"
)

// A type of one package that another one stores.
const (
	sessionModel = `package model

//shapevet:document collection=posts
type Post struct {
	ID       string    ` + "`json:\"id\"`" + `
	Title    string    ` + "`json:\"title\"`" + `
	Comments []Comment ` + "`json:\"comments\"`" + `
}

type Comment struct {
	ID   string ` + "`json:\"id\"`" + `
	Text string ` + "`json:\"text\"`" + `
}
`
	sessionStore = `package store

import "example.com/app/model"

func Add(p *model.Post, c model.Comment) { p.Comments = append(p.Comments, c) }
`
)

// places are the rules and lines of findings.
func places(findings []finding.Finding) []string {
	out := []string{}
	for _, f := range findings {
		place := f.Rule + " " + filepath.Base(f.Location.File) + ":" + strings.TrimSpace(f.Location.Snippet)
		for _, fix := range f.Fixes {
			place += " " + fix.Title
			for _, edit := range fix.Edits {
				place += " " + edit.NewText
			}
		}
		out = append(out, place)
	}
	return out
}

func TestSessionSeesWhatAFreshCheckSees(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	model, store := filepath.Join(dir, "model", "model.go"), filepath.Join(dir, "store", "store.go")
	write := func(path, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	write(filepath.Join(dir, "go.mod"), "module example.com/app\n\ngo 1.21\n")
	write(model, sessionModel)
	write(store, sessionStore)

	session := analyzers.NewSession(dir + "/...")
	inspect := func(unsaved map[string][]byte, reload bool) []string {
		t.Helper()
		r, err := session.Check(t.Context(), unsaved, reload, check.Options{})
		require.NoError(t, err)
		require.Empty(t, r.Report.Problems)
		assert.Equal(t, 2, r.Report.Summary.Packages)
		return places(r.Report.Findings)
	}
	saved := inspect(nil, false)
	require.NotEmpty(t, saved)
	assert.Contains(t, saved[0], "unbounded-array model.go:Comments")

	for _, test := range []struct {
		what, path, text string
	}{
		{"a line above", model, "// Package model is new.\n" + sessionModel},
		{"a document no more", model, strings.Replace(sessionModel, "//shapevet:document collection=posts\n", "", 1)},
		{"a field of another name, which the importer does not know", model, strings.Replace(sessionModel, "Comments []", "Remarks []", 1)},
		{"nothing is appended", store, strings.Replace(sessionStore, "append(p.Comments, c)", "nil", 1)},
		{"an ignored finding", model, strings.Replace(sessionModel, "\tComments", "\t//shapevet:ignore unbounded-array short\n\tComments", 1)},
		{"a syntax error", store, sessionStore + "\nfunc ("},
		{"an import that was not loaded", store, strings.Replace(sessionStore, "import ", "import \"net/mail\"\nimport ", 1) + "\nvar _ mail.Address\n"},
		{"nothing at all", store, ""},
		{"what is saved", store, sessionStore},
	} {
		unsaved := map[string][]byte{test.path: []byte(test.text)}
		edited := inspect(unsaved, false)
		fresh, err := analyzers.NewSession(dir+"/...").Check(t.Context(), unsaved, true, check.Options{})
		require.NoError(t, err)
		assert.Equal(t, places(fresh.Report.Findings), edited, test.what)
	}
	assert.Equal(t, saved, inspect(nil, false), "everything was undone")

	write(model, strings.Replace(sessionModel, "//shapevet:document collection=posts\n", "", 1))
	assert.Len(t, inspect(nil, false), len(saved), "a change on disk needs a reload")
	assert.Empty(t, inspect(nil, true))
}
