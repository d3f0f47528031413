package analyzers

import (
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/analyzers/guided"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/evidence"
	"github.com/shapevet/shapevet/rulebook"
)

// An example is a Go block of a rule's page: one package.
type example struct {
	page rulebook.Page
	bad  bool
	path string // of the import
	file string
	text string

	documents []rulebook.Block // what its collections hold
}

func (e example) String() string { return strings.TrimPrefix(e.path, "rulebook/") }

// check runs all rules on an example, with what documents before it on its
// page show.
func (e example) check(t *testing.T, c *scene) []finding.Finding {
	t.Helper()
	c = c.only(func(path string) bool { return path == e.path })
	if len(e.documents) > 0 {
		dir := t.TempDir()
		for _, b := range e.documents {
			require.NoError(t, os.WriteFile(filepath.Join(dir, b.Collection+".json"), []byte(b.Text), 0o600))
		}
		db, _, err := jsonlint.Profile(t.Context(), []string{dir}, jsonlint.Options{})
		require.NoError(t, err)
		c.evidence = observed(t, guided.Options{Seen: evidence.New(db, evidence.Options{Tool: "test", Date: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)})})
	}
	return c.check(false)
}

// examples puts the Go blocks of all pages on the stage. A JSON block before
// one, on a page about code alone, holds documents of a collection.
func examples(t *testing.T, s *stage) []example {
	t.Helper()
	var all []example
	for _, page := range rulebook.All() {
		if !slices.Contains(page.Applies, rulebook.ToGo) {
			continue
		}
		for _, bad := range []bool{true, false} {
			name, blocks := "good", page.Good()
			if bad {
				name, blocks = "bad", page.Bad()
			}
			n := 0
			var documents []rulebook.Block
			for _, b := range blocks {
				switch {
				case b.Language == "json" && !slices.Contains(page.Applies, rulebook.ToDocuments):
					documents = append(documents, b)
				case b.Language == "go":
					n++
					path := fmt.Sprintf("rulebook/%s/%s%d/store", page.Name, name, n)
					e := example{page: page, bad: bad, path: path, file: filepath.Join(s.dir, "src", filepath.FromSlash(path), "store.go"), text: b.Text, documents: documents}
					s.overlay[e.file] = []byte(b.Text)
					all, documents = append(all, e), nil
				}
			}
			assert.NotZero(t, n, "%s: a %s example in Go", page.Name, name)
		}
	}
	return all
}

// TestPages executes the Go examples of every rule's page: the bad code is
// reported by exactly this rule, the good code by none, and fixing the bad
// code leaves code that compiles, is formatted, and has nothing left to fix.
func TestPages(t *testing.T) {
	t.Parallel()
	s := testdataStage(t)
	all := examples(t, s)
	patterns := make([]string, len(all))
	for i, e := range all {
		patterns[i] = e.path
	}

	scene := s.load(t, patterns...)
	var repairs []finding.Finding
	for _, e := range all {
		require.Empty(t, scene.errors[e.path], "%s does not compile:\n%s", e, numbered(e.text))
		formatted, err := format.Source([]byte(e.text))
		require.NoError(t, err)
		assert.Equal(t, string(formatted), e.text, "%s is not formatted", e)

		found := e.check(t, scene)
		if !e.bad {
			for _, f := range found {
				assert.Fail(t, "the good example is reported", "%s:%d: %s: %s", e, f.Location.Line, f.Rule, f.Message)
			}
			continue
		}
		assert.NotEmpty(t, found, "%s: the bad example is not reported:\n%s", e, numbered(e.text))
		for _, f := range found {
			assert.Equal(t, e.page.Name, f.Rule, "%s:%d: the bad example is reported by another rule: %s", e, f.Location.Line, f.Message)
		}
		repairs = append(repairs, found...)
	}

	for _, safeties := range [][]finding.Safety{{finding.Safe}, {finding.Safe, finding.Unsafe}} {
		repairs = repair(t, s, all, patterns, repairs, safeties)
	}
}

// repair applies fixes and returns the findings that are left. A second
// application must change nothing.
func repair(t *testing.T, s *stage, all []example, patterns []string, findings []finding.Finding, safeties []finding.Safety) []finding.Finding {
	t.Helper()
	edited := s.fix(t, findings, safeties...)
	assert.Zero(t, edited.Conflicts, "fixes of one example overlap")
	scene := s.load(t, patterns...)
	var left []finding.Finding
	for _, e := range all {
		text, ok := edited.Files[e.file]
		if ok {
			assert.Empty(t, scene.errors[e.path], "%s does not compile after %v fixes:\n%s", e, safeties, numbered(string(text)))
		}
		found := e.check(t, scene)
		for _, f := range found {
			assert.Equal(t, e.page.Name, f.Rule, "%s: a fix leads to a finding of another rule: %s\n%s", e, f.Message, numbered(string(s.overlay[e.file])))
		}
		left = append(left, found...)
	}
	again := s.fixed(t, left, safeties...)
	for file, text := range again.Files {
		assert.Fail(t, "a second application changes more", "%s:\n%s", file, numbered(string(text)))
	}
	return left
}
