package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/report"
)

// TestGitLabFingerprintsAreUnique: GitLab shows only one of several issues with
// the same fingerprint.
func TestGitLabFingerprintsAreUnique(t *testing.T) {
	t.Parallel()
	r := fixture()
	r.Findings = append(r.Findings, r.Findings...)
	var issues []struct{ Fingerprint, Severity string }
	require.NoError(t, json.Unmarshal([]byte(write(t, "gitlab", r, report.Options{})), &issues))
	require.Len(t, issues, len(r.Findings)+len(r.Problems))
	seen := map[string]bool{}
	for _, issue := range issues {
		assert.False(t, seen[issue.Fingerprint], "twice: %s", issue.Fingerprint)
		seen[issue.Fingerprint] = true
		assert.Contains(t, []string{"info", "minor", "major", "critical", "blocker"}, issue.Severity)
	}
	moved := fixture()
	for i := range moved.Findings {
		moved.Findings[i].Location.Line += 7
	}
	var later []struct{ Fingerprint string }
	require.NoError(t, json.Unmarshal([]byte(write(t, "gitlab", moved, report.Options{})), &later))
	for i := range moved.Findings {
		assert.Equal(t, issues[i].Fingerprint, later[i].Fingerprint, "an issue that moved is the same issue")
	}
}

func TestXMLIsWellFormed(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"junit", "checkstyle"} {
		for _, r := range []*finding.Report{fixture(), {}} {
			text := write(t, format, r, report.Options{FailOn: finding.Warning})
			decoder := xml.NewDecoder(strings.NewReader(text))
			for {
				_, err := decoder.Token()
				if errors.Is(err, io.EOF) {
					break
				}
				require.NoError(t, err, format)
			}
		}
	}
}

// TestJUnitCountsAgree reads the counts back as a server does.
func TestJUnitCountsAgree(t *testing.T) {
	t.Parallel()
	var got struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Suites   []struct {
			Tests int `xml:"tests,attr"`
			Cases []struct {
				Failure *struct{} `xml:"failure"`
				Error   *struct{} `xml:"error"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	for _, test := range []struct {
		failOn   finding.Severity
		failures int
	}{{finding.Info, 5}, {finding.Warning, 4}, {finding.Error, 2}, {0, 0}} {
		require.NoError(t, xml.Unmarshal([]byte(write(t, "junit", fixture(), report.Options{FailOn: test.failOn})), &got))
		assert.Equal(t, 6, got.Tests)
		assert.Equal(t, test.failures, got.Failures)
		assert.Equal(t, 1, got.Errors)
		failures := 0
		for _, suite := range got.Suites {
			assert.Len(t, suite.Cases, suite.Tests)
			for _, c := range suite.Cases {
				if c.Failure != nil {
					failures++
				}
			}
		}
		assert.Equal(t, test.failures, failures)
		got.Suites = nil
	}
	require.NoError(t, xml.Unmarshal([]byte(write(t, "junit", &finding.Report{}, report.Options{})), &got))
	assert.Equal(t, 1, got.Tests, "a run without findings is a test that passes")
}

// TestMarkdownFitsAComment: GitHub refuses comments of more than 65,536
// characters.
func TestMarkdownFitsAComment(t *testing.T) {
	t.Parallel()
	r := fixture()
	for range 300 {
		r.Findings = append(r.Findings, fixture().Findings[1])
	}
	text := write(t, "markdown", r, report.Options{})
	assert.Less(t, len(text), 65_000)
	assert.True(t, strings.Contains(text, "findings more do not fit into this comment"), "what is left out is counted")
	assert.Equal(t, strings.Count(text, "<details>"), strings.Count(text, "</details>"))
}

// TestMarkdownIsInert: text from documents must not become markup, a mention or
// another table cell.
func TestMarkdownIsInert(t *testing.T) {
	t.Parallel()
	r := &finding.Report{Findings: []finding.Finding{{
		Rule: "stale-copy", Severity: finding.Warning,
		Message: "name is <img src=x> | *bold* @team [a](b) `code` #1", Location: finding.Location{File: "a|b`c.json", Line: 1, Column: 1},
	}}}
	text := write(t, "markdown", r, report.Options{})
	var row string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "| ⚠️") {
			row = line
		}
	}
	require.NotEmpty(t, row)
	assert.Equal(t, 5, strings.Count(strings.ReplaceAll(row, `\|`, ""), "|"))
	for _, live := range []string{"<img", " *bold", "@team", "[a](", " `code"} {
		assert.NotContains(t, text, live)
	}
}

// TestRDJSONSuggestsOnlyWhatOneEditDoes: reviewers accept suggestions one by
// one.
func TestRDJSONSuggestsOnlyWhatOneEditDoes(t *testing.T) {
	t.Parallel()
	edit := finding.Edit{File: "a.go", Start: 25, End: 27, NewText: "x"}
	other := edit
	other.File = "b.go"
	for _, test := range []struct {
		edits []finding.Edit
		want  int
	}{{[]finding.Edit{edit}, 1}, {[]finding.Edit{edit, edit}, 0}, {[]finding.Edit{other}, 0}, {nil, 0}} {
		r := &finding.Report{Findings: []finding.Finding{{
			Rule: "id-tag", Severity: finding.Warning, Location: finding.Location{File: "a.go", Line: 2, Column: 6},
			Fixes: []finding.Fix{{Title: "t", Safety: finding.Safe, Edits: test.edits}},
		}}}
		var result struct {
			Diagnostics []struct {
				Suggestions []struct {
					Text  string
					Range struct{ Start, End struct{ Line, Column int } }
				}
			}
		}
		var b bytes.Buffer
		require.NoError(t, report.Write(&b, "rdjson", r, report.Options{Position: position}))
		require.NoError(t, json.Unmarshal(b.Bytes(), &result))
		require.Len(t, result.Diagnostics, 1)
		require.Len(t, result.Diagnostics[0].Suggestions, test.want)
		if test.want == 1 {
			got := result.Diagnostics[0].Suggestions[0]
			assert.Equal(t, "x", got.Text)
			assert.Equal(t, [4]int{2, 6, 2, 8}, [4]int{got.Range.Start.Line, got.Range.Start.Column, got.Range.End.Line, got.Range.End.Column})
		}
	}
}
