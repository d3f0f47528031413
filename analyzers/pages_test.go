package analyzers

import (
	"fmt"
	"go/format"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/rulebook"
)

// An example is a Go block of a rule's page: one package.
type example struct {
	page rulebook.Page
	bad  bool
	path string // of the import
	file string
	text string
}

func (e example) String() string { return strings.TrimPrefix(e.path, "rulebook/") }

// examples puts the Go blocks of all pages on the stage.
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
			blocks = slices.DeleteFunc(blocks, func(b rulebook.Block) bool { return b.Language != "go" })
			assert.NotEmpty(t, blocks, "%s: a %s example in Go", page.Name, name)
			for i, b := range blocks {
				path := fmt.Sprintf("rulebook/%s/%s%d/store", page.Name, name, i+1)
				e := example{page: page, bad: bad, path: path, file: filepath.Join(s.dir, "src", filepath.FromSlash(path), "store.go"), text: b.Text}
				s.overlay[e.file] = []byte(b.Text)
				all = append(all, e)
			}
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

		found := scene.only(func(path string) bool { return path == e.path }).check(false)
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
		found := scene.only(func(path string) bool { return path == e.path }).check(false)
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
