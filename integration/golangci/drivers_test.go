package golangci

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/format"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/shapevet/shapevet/analyzers"
	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/guided"
)

// lines are the findings of a driver, one a line: file, line, column, message
// with the rule, and the edits of the fix.
type lines []string

func line(c corpus, file string, line, column int, message string, edits []string) string {
	if filepath.IsAbs(file) {
		file, _ = filepath.Rel(c.dir, file)
	}
	return strings.TrimRight(fmt.Sprintf("%s:%d:%d: %s %s", filepath.ToSlash(file), line, column, message, strings.Join(edits, " ")), " ")
}

func edit(start, end int, text string) string { return fmt.Sprintf("[%d-%d %q]", start, end, text) }

func sorted(l lines) lines {
	slices.Sort(l)
	return slices.Compact(l)
}

// underAnalysistest runs the suite the way the tests of the rules do.
func underAnalysistest(t *testing.T, c corpus) lines {
	t.Helper()
	// Unmet expectations are reported by the tests of the rules, not here.
	seen, err := guided.New(guided.Options{Name: "default.shapevet.json", MaxAge: 90, Now: time.Now()})
	require.NoError(t, err)
	all := check.One("shapevet", "run all rules", check.Options{Evidence: seen}, analyzers.Rules()...)
	var found lines
	for _, result := range analysistest.Run(quiet{}, c.dir, all, c.packages...) {
		require.NoError(t, result.Err)
		fset := result.Pass.Fset
		for _, d := range result.Diagnostics {
			at := fset.Position(d.Pos)
			var edits []string
			for _, fix := range d.SuggestedFixes {
				for _, e := range fix.TextEdits {
					edits = append(edits, edit(fset.Position(e.Pos).Offset, fset.Position(ending(e)).Offset, string(e.NewText)))
				}
			}
			found = append(found, line(c, at.Filename, at.Line, at.Column, d.Message, edits))
		}
	}
	return sorted(found)
}

type quiet struct{}

func (quiet) Errorf(string, ...any) {}

// ending is the end of an edit, which an insertion may leave out.
func ending(e analysis.TextEdit) token.Pos {
	if e.End.IsValid() {
		return e.End
	}
	return e.Pos
}

// underVet runs go vet -vettool -json.
func underVet(t *testing.T, c corpus, with tools) lines {
	t.Helper()
	stdout := run(t, c.dir, "go", append([]string{"vet", "-vettool=" + with.shapevet, "-json"}, c.packages...)...)
	var found lines
	for decoder := json.NewDecoder(strings.NewReader(stdout)); ; {
		var packages map[string]map[string][]struct {
			Posn    string
			Message string
			Fixes   []struct {
				Edits []struct {
					Start, End int
					New        string
				}
			} `json:"suggested_fixes"`
		}
		err := decoder.Decode(&packages)
		if errors.Is(err, io.EOF) {
			return sorted(found)
		}
		require.NoError(t, err, stdout)
		for _, rules := range packages {
			for _, diagnostics := range rules {
				for _, d := range diagnostics {
					var edits []string
					for _, fix := range d.Fixes {
						for _, e := range fix.Edits {
							edits = append(edits, edit(e.Start, e.End, e.New))
						}
					}
					file, row, column := position(t, d.Posn)
					found = append(found, line(c, file, row, column, d.Message, edits))
				}
			}
		}
	}
}

// warning is what shapevet check says about directives.
var warning = regexp.MustCompile(`(?m)^shapevet: warning: (\S+:\d+:\d+): (.*)$`)

// underCheck runs shapevet check on each package, or on all as one program.
// It shows plans, and fixes that are not safe, which other drivers do not.
func underCheck(t *testing.T, c corpus, with tools, patterns ...string) lines {
	t.Helper()
	stdout, stderr, err := try(c.dir, with.shapevet, append([]string{"check", "--output", "json", "--exit-zero", "--max-findings", "0", "--no-progress"}, patterns...)...)
	require.NoError(t, err, stderr)
	var report struct {
		Findings []struct {
			Rule, Message string
			Location      struct {
				File         string
				Line, Column int
			}
			Fixes []struct {
				Safety string
				Edits  []struct {
					Start, End int
					NewText    string
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &report), stdout)
	var found lines
	for _, f := range report.Findings {
		var edits []string
		for _, fix := range f.Fixes {
			for _, e := range fix.Edits {
				if fix.Safety == "safe" {
					edits = append(edits, edit(e.Start, e.End, e.NewText))
				}
			}
		}
		found = append(found, line(c, f.Location.File, f.Location.Line, f.Location.Column, fmt.Sprintf("%s (%s)", f.Message, f.Rule), edits))
	}
	for _, match := range warning.FindAllStringSubmatch(stderr, -1) {
		file, row, column := position(t, match[1])
		found = append(found, line(c, file, row, column, match[2], nil))
	}
	return sorted(found)
}

// folded is what the plugin adds to a message for golangci-lint.
var folded = regexp.MustCompile(`(; [^;]* at [^;/ ]+\.go:\d+|; fix: [^;]*)+( \([a-z-]+\))$`)

// An issue is what golangci-lint prints as JSON.
type issue struct {
	FromLinter, Text string
	Pos              struct {
		Filename     string
		Line, Column int
	}
	SuggestedFixes []struct {
		Message   string
		TextEdits []struct {
			Pos, End int
			NewText  []byte
		}
	}
}

func issues(t *testing.T, c corpus, with tools, patterns ...string) []issue {
	t.Helper()
	file := filepath.Join(t.TempDir(), "issues.json")
	_, stderr, err := try(c.dir, with.golangci, append([]string{"run", "--issues-exit-code=0", "--output.json.path=" + file}, patterns...)...)
	require.NoError(t, err, stderr)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var report struct{ Issues []issue }
	require.NoError(t, json.Unmarshal(text, &report), string(text))
	return report.Issues
}

// underGolangci runs golangci-lint. The positions in its fixes count from the
// first byte of all files it has read, so edits are compared by length.
func underGolangci(t *testing.T, c corpus, with tools) lines {
	t.Helper()
	patterns := make([]string, len(c.packages))
	for i, p := range c.packages {
		patterns[i] = "./" + strings.TrimPrefix(p, "example.com/shop/")
	}
	var found lines
	for _, i := range issues(t, c, with, patterns...) {
		assert.Equal(t, "shapevet", i.FromLinter, i.Text)
		var edits []string
		for _, fix := range i.SuggestedFixes {
			for _, e := range fix.TextEdits {
				edits = append(edits, edit(0, max(e.End-e.Pos, 0), string(e.NewText)))
			}
		}
		found = append(found, line(c, i.Pos.Filename, i.Pos.Line, i.Pos.Column, folded.ReplaceAllString(i.Text, "$2"), edits))
	}
	return sorted(found)
}

// byteRange matches that of an edit.
var byteRange = regexp.MustCompile(`\[(\d+)-(\d+) "`)

// lengths turns the ranges of edits into their lengths.
func lengths(of lines) lines {
	out := make(lines, len(of))
	for i, l := range of {
		out[i] = byteRange.ReplaceAllStringFunc(l, func(match string) string {
			var start, end int
			fmt.Sscanf(match, `[%d-%d "`, &start, &end)
			return fmt.Sprintf(`[0-%d "`, end-start)
		})
	}
	return sorted(out)
}

func position(t *testing.T, text string) (file string, line, column int) {
	t.Helper()
	parts := strings.Split(text, ":")
	require.GreaterOrEqual(t, len(parts), 3, text)
	_, err := fmt.Sscanf(strings.Join(parts[len(parts)-2:], " "), "%d %d", &line, &column)
	require.NoError(t, err, text)
	return strings.Join(parts[:len(parts)-2], ":"), line, column
}

// TestDrivers compares four drivers line by line.
func TestDrivers(t *testing.T) {
	with := build(t)
	t.Run("fixtures", func(t *testing.T) {
		c := fixtures(t)
		want := underAnalysistest(t, c)
		require.NotEmpty(t, want)
		t.Logf("%d findings in %d packages", len(want), len(c.packages))
		assert.Equal(t, want, underVet(t, c, with), "go vet")
		var checked lines
		for _, p := range c.packages {
			checked = append(checked, underCheck(t, c, with, "./"+p)...)
		}
		assert.Equal(t, want, sorted(checked), "shapevet check, package by package")
		assert.Equal(t, lengths(want), underGolangci(t, c, with), "golangci-lint")
	})
	t.Run("elsewhere", func(t *testing.T) {
		c := elsewhere(t)
		perPackage := underVet(t, c, with)
		assert.Equal(t, lengths(perPackage), underGolangci(t, c, with))
		assert.Equal(t, []string{"posts/posts.go:14:2 (unbounded-array)", "store/store.go:14:51 (unbounded-array)"}, short(perPackage))
		assert.Equal(t, []string{"orders/orders.go:7:2 (unbounded-array)", "posts/posts.go:14:2 (unbounded-array)"}, short(underCheck(t, c, with, "./...")))
	})
	t.Run("golangci", func(t *testing.T) { golangci(t, elsewhere(t), with) })
	t.Run("evidence", func(t *testing.T) { evidence(t, elsewhere(t), with) })
	t.Run("walkthrough", func(t *testing.T) { walkthrough(t, with) })
}

// place matches what short keeps.
var place = regexp.MustCompile(`^(\S+:\d+:\d+): .*? (\([a-z-]+\))( \[.*)?$`)

func short(of lines) []string {
	out := make([]string, len(of))
	for i, l := range of {
		out[i] = place.ReplaceAllString(l, "$1 $2")
	}
	return out
}

// golangci checks how golangci-lint handles findings and settings.
func golangci(t *testing.T, c corpus, with tools) {
	found := issues(t, c, with, "./posts")
	require.Len(t, found, 1)
	assert.Regexp(t, `^comments grows without bound.*; \$push adds to it: each call of Comments at posts.go:28.* \(unbounded-array\)$`, found[0].Text)
	assert.Empty(t, found[0].SuggestedFixes, "as long as code adds to the list, no edit is safe")

	file := filepath.Join(t.TempDir(), "issues.sarif")
	run(t, c.dir, with.golangci, "run", "--issues-exit-code=0", "--output.sarif.path="+file, "./posts")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, want := range []string{`(unbounded-array)`, `"startLine":14`, `"startColumn":2`, `posts/posts.go`} {
		assert.Contains(t, string(text), want)
	}

	// Its cached results depend on the configuration of shapevet.
	settings := filepath.Join(c.dir, ".shapevet.yaml")
	require.NoError(t, os.WriteFile(settings, []byte("version: 1\nrules:\n  unbounded-array: off\n"), 0o600))
	for _, i := range issues(t, c, with, "./posts") {
		assert.NotContains(t, i.Text, "unbounded-array")
	}
	require.NoError(t, os.Remove(settings))
	assert.Equal(t, found, issues(t, c, with, "./posts"))

	// Settings that do not exist stop it.
	config := filepath.Join(c.dir, ".golangci.yml")
	before, err := os.ReadFile(config)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(config, []byte(strings.Replace(string(before), "type: module", "type: module\n        settings:\n          rulez: 1", 1)), 0o600))
	_, stderr, err := try(c.dir, with.golangci, "run", "./posts")
	exit := (*exec.ExitError)(nil)
	require.ErrorAs(t, err, &exit)
	assert.Contains(t, stderr, `unknown key "rulez": did you mean "rules"?`)
	require.NoError(t, os.WriteFile(config, before, 0o600))

	// Its --fix changes the file in the same way as go vet -fix.
	source := filepath.Join(c.dir, "posts", "posts.go")
	original, err := os.ReadFile(source)
	require.NoError(t, err)
	original = bytes.Replace(original, []byte("`bson:\"title\"`"), []byte("`bson:\"title,string\"`"), 1)
	require.NoError(t, os.WriteFile(source, original, 0o600))
	run(t, c.dir, with.golangci, "run", "--fix", "--issues-exit-code=0", "./posts")
	byGolangci, err := os.ReadFile(source)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(source, original, 0o600))
	run(t, c.dir, "go", "vet", "-vettool="+with.shapevet, "-fix", "./posts")
	byVet, err := os.ReadFile(source)
	require.NoError(t, err)
	assert.Contains(t, string(byVet), "`bson:\"title\"`")
	formatted, err := format.Source(byGolangci)
	require.NoError(t, err)
	assert.Equal(t, string(byVet), string(formatted))
}
