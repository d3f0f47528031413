package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/report"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/rulebook"
)

// TestEveryFindingHasAPlace checks documents, unchanged and damaged. In every
// format, each finding must name a file, a line and a column, and have a
// severity from its rule's page.
func TestEveryFindingHasAPlace(t *testing.T) {
	t.Parallel()
	pages := map[string]rulebook.Page{}
	for _, p := range rulebook.All() {
		pages[p.Name] = p
	}
	const seed = 16 // change it to search further
	for name, files := range documents(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(len(name)), seed))
			for round := range 5 {
				dir := t.TempDir()
				for _, file := range slices.Sorted(maps.Keys(files)) {
					text := files[file]
					if round > 0 {
						text = damaged(r, text)
					}
					require.NoError(t, os.WriteFile(filepath.Join(dir, file), text, 0o600))
				}
				found, err := jsonlint.Check(t.Context(), []string{dir}, jsonlint.Options{Jobs: 2, Strict: round%2 == 1})
				require.NoError(t, err)
				for _, p := range found.Problems {
					assert.NotEmpty(t, p.Location.File, p.Message)
					assert.NotContains(t, p.Message, "internal error")
				}
				for _, f := range found.Findings {
					placed(t, dir, f.Location, f.Message)
					for _, related := range f.Related {
						placed(t, dir, related.Location, related.Message)
					}
					page, ok := pages[f.Rule]
					require.True(t, ok, f.Rule)
					if f.Severity != page.Severity {
						assert.Contains(t, page.Severities, f.Severity, "%s: %s", f.Rule, f.Message)
					}
				}
				for _, format := range report.Formats() {
					var out bytes.Buffer
					require.NoError(t, report.Write(&out, format, found, report.Options{}), format)
					inFormat(t, format, out.Bytes(), found)
				}
			}
		})
	}
}

// documents returns the files of each data set, up to a size.
func documents(t *testing.T) map[string]map[string][]byte {
	t.Helper()
	const most = 24 << 10
	out := map[string]map[string][]byte{}
	for _, root := range []string{"../../testdata/accuracy", "../../testdata/article", "../../testdata/models", "../../testdata/jsontestsuite"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if ext := filepath.Ext(path); err != nil || d.IsDir() || ext != ".json" && ext != ".jsonl" {
				return err
			}
			text, err := os.ReadFile(path)
			if len(text) > most {
				text = text[:bytes.LastIndexByte(text[:most], '\n')+1]
			}
			if out[filepath.Dir(path)] == nil {
				out[filepath.Dir(path)] = map[string][]byte{}
			}
			out[filepath.Dir(path)][filepath.Base(path)] = text
			return err
		})
		require.NoError(t, err)
	}
	require.Greater(t, len(out), 20)
	return out
}

var member = regexp.MustCompile(`"[^"\\]*":("[^"\\]*"|[0-9]+),`)

// damaged cuts the text, repeats a member, or changes single bytes.
func damaged(r *rand.Rand, text []byte) []byte {
	out := bytes.Clone(text)
	if len(out) == 0 {
		return out
	}
	switch r.IntN(4) {
	case 0:
		return out[:r.IntN(len(out))]
	case 1:
		return member.ReplaceAllFunc(out, func(m []byte) []byte {
			if r.IntN(4) > 0 {
				return m
			}
			return bytes.Repeat(m, 2)
		})
	case 2:
		from := r.IntN(len(out))
		return append(out[:from], out[min(len(out), from+r.IntN(40)):]...)
	}
	for range 1 + r.IntN(6) {
		out[r.IntN(len(out))] = "{}[]\",:\x00\xff\\ \n1x"[r.IntN(14)]
	}
	return out
}

func placed(t *testing.T, dir string, l finding.Location, message string) {
	t.Helper()
	text, err := os.ReadFile(l.File)
	if assert.NoError(t, err, message) {
		assert.True(t, strings.HasPrefix(l.File, filepath.ToSlash(dir)), message)
		assert.True(t, l.Line >= 1 && l.Line <= bytes.Count(text, []byte("\n"))+1, "%s: line %d", message, l.Line)
		assert.GreaterOrEqual(t, l.Column, 1, message)
		assert.True(t, l.EndLine > l.Line || l.EndLine == l.Line && l.EndColumn >= l.Column, message)
	}
}

// inFormat looks for the places in a format's output.
func inFormat(t *testing.T, format string, out []byte, found *finding.Report) {
	t.Helper()
	want, got := map[string]int{}, map[string]int{}
	for _, f := range found.Findings {
		want[fmt.Sprintf("%s:%d:%d", f.Location.File, f.Location.Line, f.Location.Column)]++
	}
	add := func(file any, line, column any) { got[fmt.Sprintf("%v:%v:%v", file, line, column)]++ }
	decode := func(text []byte, into any) { require.NoError(t, json.Unmarshal(text, into), format) }
	type point struct{ Line, Column int }
	switch format {
	case "json":
		var all struct{ Findings []finding.Finding }
		decode(out, &all)
		for _, f := range all.Findings {
			add(f.Location.File, f.Location.Line, f.Location.Column)
		}
	case "jsonl":
		for line := range bytes.Lines(out) {
			var f finding.Finding
			if decode(line, &f); f.Rule != "" {
				add(f.Location.File, f.Location.Line, f.Location.Column)
			}
		}
	case "gitlab":
		var all []struct {
			Location struct {
				Path      string
				Positions struct{ Begin point }
				Lines     struct{ Begin int }
			}
		}
		decode(out, &all)
		lines := map[string]int{}
		for _, f := range all {
			assert.NotEmpty(t, f.Location.Path)
			lines[fmt.Sprintf("%s:%d", f.Location.Path, f.Location.Lines.Begin+f.Location.Positions.Begin.Line)]++
		}
		for _, f := range found.Findings {
			assert.Positive(t, lines[fmt.Sprintf("%s:%d", f.Location.File, f.Location.Line)], f.Message)
		}
		return
	case "rdjson":
		var all struct {
			Diagnostics []struct {
				Location struct {
					Path  string
					Range struct{ Start point }
				}
			}
		}
		decode(out, &all)
		for _, d := range all.Diagnostics {
			assert.NotEmpty(t, d.Location.Path)
			add(d.Location.Path, d.Location.Range.Start.Line, d.Location.Range.Start.Column)
		}
	case "checkstyle":
		var all struct {
			File []struct {
				Name  string `xml:"name,attr"`
				Error []struct {
					Line   int `xml:"line,attr"`
					Column int `xml:"column,attr"`
				} `xml:"error"`
			} `xml:"file"`
		}
		require.NoError(t, xml.Unmarshal(out, &all))
		for _, file := range all.File {
			assert.NotEmpty(t, file.Name)
			for _, e := range file.Error {
				add(file.Name, e.Line, e.Column)
			}
		}
	case "sarif":
		var all struct {
			Runs []struct {
				Results []struct {
					Locations []struct {
						PhysicalLocation struct {
							ArtifactLocation struct{ URI string }
							Region           struct{ StartLine, StartColumn int }
						}
					}
				}
			}
		}
		decode(out, &all)
		for _, result := range all.Runs[0].Results {
			require.NotEmpty(t, result.Locations)
			at := result.Locations[0].PhysicalLocation
			assert.NotEmpty(t, at.ArtifactLocation.URI)
			assert.Positive(t, at.Region.StartLine)
			assert.Positive(t, at.Region.StartColumn)
		}
		assert.Len(t, all.Runs[0].Results, len(found.Findings))
		return
	case "text", "markdown", "html": // one place stands for all findings of a cause
		assert.NotContains(t, string(out), ":0:0", format)
		return
	default: // lines of their own
		text := string(out)
		for _, f := range found.Findings {
			assert.Contains(t, text, filepath.Base(f.Location.File), "%s: %s", format, f.Message)
			assert.Contains(t, text, strconv.Itoa(f.Location.Line), "%s: %s", format, f.Message)
		}
		assert.NotRegexp(t, `(?m)^-: |file=,|line=0|:0:0`, text, format)
		return
	}
	for place, n := range want {
		assert.GreaterOrEqual(t, got[place], n, "%s: %s", format, place)
	}
}
