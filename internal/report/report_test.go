package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/report"
	"github.com/shapevet/shapevet/internal/term"
	"github.com/shapevet/shapevet/rulebook"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// fixture has one of everything that a report can hold.
func fixture() *finding.Report {
	r := &finding.Report{
		Summary: finding.Summary{
			Documents: 1240, Collections: 3, Bytes: 3110123,
			Error: 2, Warning: 2, Info: 1, Suppressed: 4, Truncated: 37,
		},
		Findings: []finding.Finding{
			{
				Rule: "input-error", Severity: finding.Error, Confidence: 0.95,
				Message: "a comma is missing between two members",
				Advice:  "Put a comma before \"comments\".",
				Subject: finding.Subject{Kind: finding.KindDocument, Collection: "posts"},
				Location: finding.Location{
					File: "data/posts.json", Line: 7, Column: 16, EndLine: 7, EndColumn: 17,
					Snippet: "\t\"postId\": \"1\"\r\n", SnippetColumn: 1,
				},
				Fixes:       []finding.Fix{{Title: "insert a comma", Safety: finding.Unsafe, Edits: []finding.Edit{{File: "data/posts.json", Start: 120, End: 120, NewText: ","}}}},
				Fingerprint: "input-error:data/posts.json:missing-comma:1",
			},
			{
				Rule: "unbounded-array", Severity: finding.Warning, Confidence: 0.92,
				Message: "comments grows without bound: up to 1,204 elements in one document (median 10)",
				Advice: "Keep the few most recent comments in the post and store each comment as its own document that carries postId, " +
					"so that a new comment does not rewrite the post.",
				Subject: finding.Subject{Kind: finding.KindDocument, Collection: "posts", Path: "comments"},
				Location: finding.Location{
					File: "data/posts.json", Line: 812, Column: 18, EndLine: 812, EndColumn: 28,
					Snippet: "\t\t\"née 日本\", \"comments\": [", SnippetColumn: 1,
				},
				Evidence: []finding.Evidence{
					{Name: "documents", Value: 40}, {Name: "length.p50", Value: 10}, {Name: "length.max", Value: int64(1204)},
					{Name: "byte share", Value: 0.8123}, {Name: "mean bytes", Value: 2310.4}, {Name: "growing", Value: true},
					{Name: "ratio", Value: math.Inf(1)}, {Name: "sample ids", Value: []string{"1", "2", "3", "4", "5", "6", "7"}},
				},
				Related: []finding.Related{
					{Message: "the longest: 1,204 elements", Location: finding.Location{File: "data/posts.json", Line: 1400, Column: 3, EndLine: 1500, EndColumn: 4}},
					{Message: "the same list as a document: 3 elements", Location: finding.Location{File: "data/my comments.json"}},
				},
				Fixes: []finding.Fix{{
					Title: "keep recentComments, move the rest to postComments", Safety: finding.Plan,
					Before: json.RawMessage(`{"id":"1","name":"<What's> new & next","summary":"A tour of this year's announcements","comments":[` +
						`{"id":1,"author":"anon","comment":"something useful"},{"id":2,"author":"bob","comment":"wisdom"},` +
						`{"id":3,"author":"jane","comment":"on"},{"id":4,"author":"angry","comment":"ever end?"},{"id":5,"author":"x","comment":"y"}]}`),
					After: []finding.DocumentInPlace{
						{Collection: "posts", Document: json.RawMessage(`{"id":"1","name":"<What's> new & next","summary":"A tour of this year's announcements","recentComments":[{"id":5,"author":"x","comment":"y"}]}`)},
						{Collection: "postComments", Document: json.RawMessage(`{"id":1,"postId":"1","author":"anon","comment":"something useful"}`)},
						{Collection: "postComments", Document: json.RawMessage(`{"id":2,"postId":"1","author":"bob","comment":"wisdom"}`)},
						{Collection: "postComments", Document: json.RawMessage(`{"id":3,"postId":"1","author":"jane","comment":"on"}`)},
						{Collection: "postComments", Document: json.RawMessage(`{"id":4,"postId":"1","author":"angry","comment":"ever end?"}`)},
						{Collection: "postComments", Document: json.RawMessage(`{"id":5,"postId":"1","author":"x","comment":"y"}`)},
					},
				}},
				Fingerprint: "unbounded-array:posts:comments",
			},
			{
				Rule: "unbounded-array", Severity: finding.Warning, Confidence: 0.7,
				Message: "evil \x1b[31mname\u202e grows\nwithout bound", Advice: "100% of 1:n, see: the page",
				Subject: finding.Subject{Kind: finding.KindDocument, Collection: "posts", Path: "tags"},
				Location: finding.Location{
					File: "data/posts.json", Line: 900, Column: 5040, EndLine: 900, EndColumn: 5046,
					Snippet: strings.Repeat("x", 40) + "日本語\"tags\": [" + strings.Repeat("\"y\", ", 60), SnippetColumn: 4991,
				},
				Fingerprint: "unbounded-array:posts:tags",
			},
			{
				Rule: "join-document", Severity: finding.Error, Confidence: 0.8,
				Message: "author-books only ties authors to books", Advice: "Keep the ids on both sides.",
				Subject: finding.Subject{Kind: finding.KindDocument, Collection: "author-books"}, Location: finding.Location{File: "rel/a:b%.json"},
				Fingerprint: "join-document:author-books:",
			},
			{
				Rule: "retired-rule", Severity: finding.Info, Confidence: 0.5, Message: "Post.Comments grows",
				Subject:  finding.Subject{Kind: finding.KindGo, Symbol: "example.com/app/model.Post.Comments"},
				Location: finding.Location{File: "model/post.go", Line: 12, Column: 2},
			},
		},
		Problems: []finding.Problem{{
			Message: "the file is cut off", Hint: "export it again", Location: finding.Location{File: "data/books.json.gz", Line: 17, Column: 1},
		}},
		Picture: picture(),
	}
	return r
}

func pages(t *testing.T) []rulebook.Page {
	t.Helper()
	page := func(name, text string) rulebook.Page {
		p, err := rulebook.Parse("---\nname: " + name + "\nseverity: warning\n---\n\n## What it reports\n\n" + text + "\n")
		require.NoError(t, err)
		return p
	}
	return []rulebook.Page{
		page("input-error", "Text that is **no** document. More."),
		page("unbounded-array", "A list that grows."),
	}
}

func write(t *testing.T, format string, r *finding.Report, o report.Options) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, report.Write(&b, format, r, o))
	return b.String()
}

// position stands in for a lookup in a file with lines of 20 bytes.
func position(_ string, offset int64) (line, column int, ok bool) {
	return int(offset/20) + 1, int(offset%20) + 1, true
}

func TestGolden(t *testing.T) {
	t.Parallel()
	base := report.Options{ToolVersion: "v0.1.0", Pages: func() []rulebook.Page { return pages(t) }, Statistics: true}
	with := func(change func(*report.Options)) report.Options {
		o := base
		change(&o)
		return o
	}
	for _, test := range []struct {
		file, format string
		options      report.Options
	}{
		{"text.golden", "text", base},
		{"text-wide.golden", "text", with(func(o *report.Options) { o.Width = 120; o.Statistics = false })},
		{"text-fixes.golden", "text", with(func(o *report.Options) { o.ShowFixes = true; o.Width = 120 })},
		{"text-narrow.golden", "text", with(func(o *report.Options) { o.Width = 10 })},
		{"text-color.golden", "text", with(func(o *report.Options) { o.Color = true; o.Width = 100 })},
		{"concise.golden", "concise", base},
		{"json.golden", "json", base},
		{"jsonl.golden", "jsonl", base},
		{"sarif.golden", "sarif", base},
		{"github.golden", "github", base},
		{"gitlab.golden", "gitlab", base},
		{"junit.golden", "junit", with(func(o *report.Options) { o.FailOn = finding.Warning })},
		{"checkstyle.golden", "checkstyle", base},
		{"rdjson.golden", "rdjson", with(func(o *report.Options) { o.Position = position })},
		{"markdown.golden", "markdown", base},
		{"html.golden", "html", with(func(o *report.Options) { o.Position = position })},
	} {
		t.Run(test.file, func(t *testing.T) {
			t.Parallel()
			got := write(t, test.format, fixture(), test.options)
			path := filepath.Join("testdata", test.file)
			if *update {
				require.NoError(t, os.MkdirAll("testdata", 0o755))
				require.NoError(t, os.WriteFile(path, []byte(got), 0o600))
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, string(want), got)
			assert.Equal(t, got, write(t, test.format, fixture(), test.options), "the same report gives the same bytes")
		})
	}
}

func TestEveryFormatHasAGoldenFile(t *testing.T) {
	t.Parallel()
	for _, format := range report.Formats() {
		assert.FileExists(t, filepath.Join("testdata", format+".golden"))
	}
}

func TestEmptyReport(t *testing.T) {
	t.Parallel()
	for _, format := range report.Formats() {
		got := write(t, format, &finding.Report{}, report.Options{})
		switch format {
		case "text":
			assert.Equal(t, "No findings in 0 documents of 0 collections (0 bytes)\n", got)
		case "concise", "github":
			assert.Empty(t, got)
		case "html":
			assert.Contains(t, got, "Nothing was found.")
		case "json":
			assert.NotContains(t, got, "null")
			assert.Contains(t, got, `"findings": []`)
			assert.Contains(t, got, `"errors": []`)
		default:
			assert.NotContains(t, got, "null", format)
		}
	}
}

func TestJSONListsAreNeverNull(t *testing.T) {
	t.Parallel()
	r := &finding.Report{Findings: []finding.Finding{{Rule: "r", Severity: finding.Info, Fixes: []finding.Fix{{Title: "t"}}}}}
	for _, format := range []string{"json", "jsonl", "sarif"} {
		assert.NotContains(t, write(t, format, r, report.Options{}), "null", format)
	}
	assert.Nil(t, r.Findings[0].Evidence, "the report is not changed")
	assert.Nil(t, r.Findings[0].Fixes[0].Edits, "the report is not changed")
}

// TestTextShowsSeveralDocumentsBefore checks that a fix whose "before" has the
// form of "after" is shown like it.
func TestTextShowsSeveralDocumentsBefore(t *testing.T) {
	t.Parallel()
	before := `[{"collection":"links","document":{"a":1}},{"collection":"links","document":{"a":2}},` +
		`{"collection":"links","document":{"a":3}},{"collection":"links","document":{"a":4}},{"collection":"links","document":{"a":5}}]`
	r := &finding.Report{Findings: []finding.Finding{{Rule: "r", Severity: finding.Info, Fixes: []finding.Fix{{Title: "t", Before: json.RawMessage(before)}}}}}
	assert.Contains(t, write(t, "text", r, report.Options{ShowFixes: true}),
		"    before  links\n    {\"a\": 1}\n    {\"a\": 2}\n    {\"a\": 3}\n    … 2 more documents\n")
	r.Findings[0].Fixes[0].Before = json.RawMessage(`[{"collection":"links","document":{},"more":1}]`)
	assert.Contains(t, write(t, "text", r, report.Options{ShowFixes: true}), "    before\n    [\n")
}

func TestTextFitsTheWidth(t *testing.T) {
	t.Parallel()
	for _, width := range []int{60, 80, 100, 120, 160} {
		for line := range strings.Lines(write(t, "text", fixture(), report.Options{Width: width})) {
			line = strings.TrimSuffix(line, "\n")
			if strings.Contains(line, "example.com/app") || strings.Contains(line, ".json") {
				continue // heads hold paths, which are not wrapped
			}
			assert.LessOrEqual(t, term.Width(line), width, line)
		}
	}
}

// TestReportsAreSafeForTerminals: printing a report of any format prints
// nothing that controls a terminal or reorders text.
func TestReportsAreSafeForTerminals(t *testing.T) {
	t.Parallel()
	const evil = "e\x1b[31m\a\u009b2J\u202ev\u2066il\x7f\u061c"
	r := fixture()
	f := &r.Findings[0]
	f.Message, f.Advice, f.Location.File, f.Subject.Collection, f.Subject.Path = evil, evil, evil+".json", evil, evil
	f.Location.Snippet, f.Fingerprint = `{"`+evil+`": 1}`, evil
	f.Evidence = append(f.Evidence, finding.Evidence{Name: evil, Value: evil})
	f.Related = append(f.Related, finding.Related{Message: evil, Location: finding.Location{File: evil, Line: 1, Column: 1}})
	document, err := json.Marshal(map[string]string{evil: evil})
	require.NoError(t, err)
	f.Fixes = append(f.Fixes, finding.Fix{Title: evil, Safety: finding.Safe, Before: document, Edits: []finding.Edit{{File: evil, NewText: evil}}})
	r.Problems = append(r.Problems, finding.Problem{Message: evil, Hint: evil, Location: finding.Location{File: evil}})
	r.Collections = append(r.Collections, evil)
	for _, format := range report.Formats() {
		got := write(t, format, r, report.Options{})
		assert.NotRegexp(t, "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u0080-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]", got, format)
	}
}

func TestUnknownFormat(t *testing.T) {
	t.Parallel()
	err := report.Write(&bytes.Buffer{}, "jsn", &finding.Report{}, report.Options{})
	require.ErrorIs(t, err, report.ErrFormat)
	assert.EqualError(t, err, `unknown output format "jsn": did you mean "json"?`)
	assert.EqualError(t, report.Known("xml-with-everything"), `unknown output format "xml-with-everything": use one of `+strings.Join(report.Formats(), ", "))
}

type brokenWriter struct{}

var errBroken = errors.New("broken pipe")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestWriteErrors(t *testing.T) {
	t.Parallel()
	for _, format := range report.Formats() {
		assert.ErrorIs(t, report.Write(brokenWriter{}, format, fixture(), report.Options{}), errBroken, format)
	}
}
