package report_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/report"
)

// picture is the picture of [fixture]'s database.
func picture() finding.Picture {
	lengths := func(p50, most int64, bins ...finding.Bin) *finding.Lengths {
		return &finding.Lengths{P50: p50, P95: most, P99: most, Max: most, Bins: bins}
	}
	return finding.Picture{
		Collections: []finding.PictureCollection{
			{Name: "author-books", Documents: 1000, Bytes: 40_000, Fields: []finding.PictureField{
				{Path: "authorId", Name: "authorId", Types: []string{"string"}, Presence: 1},
				{Path: "bookId", Name: "bookId", Types: []string{"string"}, Presence: 1},
			}},
			{Name: "authors", Documents: 200, Bytes: 70_113, Discriminator: "type", Kinds: []finding.PictureKind{{Name: `type "person"`, Documents: 150}, {Documents: 50}},
				Fields: []finding.PictureField{{Path: "id", Name: "id", Types: []string{"string"}, Presence: 1, ID: true}}},
			{Name: "posts", Documents: 40, Bytes: 3_000_000, Fields: []finding.PictureField{
				{Path: "id", Name: "id", Types: []string{"string"}, Presence: 1, ID: true},
				{Path: "name", Name: "<b>name\u202e</b>", Types: []string{"string", "number"}, Presence: 0.4},
				{Path: "comments", Name: "comments", Types: []string{"array"}, Presence: 1, Lengths: lengths(10, 1204, finding.Bin{From: 8, To: 15, Count: 39}, finding.Bin{From: 16, To: 2047, Count: 1})},
				{Path: "comments[].author", Name: "author", Depth: 1, Types: []string{"string"}, Presence: 1},
			}},
		},
		References: []finding.PictureReference{
			{From: "author-books", Path: "authorId", To: "authors", Key: "id", PerTarget: lengths(5, 9), Resolved: 1},
			{From: "posts", Path: "comments[].author", To: "authors", Key: "id", PerDocument: lengths(10, 1204), PerTarget: lengths(1, 3), Resolved: 0.5},
			{From: "posts", Path: "gone", To: "nowhere", Key: "id"},
		},
	}
}

func page(t *testing.T, r *finding.Report) string {
	t.Helper()
	return write(t, "html", r, report.Options{})
}

func TestHTMLHoldsEveryFinding(t *testing.T) {
	t.Parallel()
	r := fixture()
	got := page(t, r)
	assert.Equal(t, len(r.Findings), strings.Count(got, "<article"))
	for _, link := range regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(got, -1) {
		assert.Contains(t, got, `id="`+link[1]+`"`, "a link leads to something")
	}
	ids := map[string]bool{}
	for _, id := range regexp.MustCompile(` id="([^"]+)"`).FindAllStringSubmatch(got, -1) {
		assert.False(t, ids[id[1]], "id %s is given twice", id[1])
		ids[id[1]] = true
	}
}

func TestHTMLShowsNoControlCharacters(t *testing.T) {
	t.Parallel()
	assert.NotRegexp(t, "[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", page(t, fixture()))
}

func TestHTMLDiagram(t *testing.T) {
	t.Parallel()
	got := page(t, fixture())
	assert.Regexp(t, `class="box error join"`, got, "join documents are crossed out")
	assert.Equal(t, 2, strings.Count(got, `class="arrow`), "a reference to what was not read has no arrow")
	assert.Contains(t, got, "posts.comments[].author → authors.id: 10…1,204 in one document, 1…3 with one key; 50% of the keys lead to a document")
	assert.Contains(t, got, "<li>type &#34;person&#34; · 150</li>")
	assert.Regexp(t, `(?s)>comments<.{1,200}10…1,204`, got)
	assert.Regexp(t, `class="mark warning" href="#f3"`, got)
	assert.NotContains(t, page(t, &finding.Report{}), `id="drawing"`)
}

// TestHTMLDiagramChoosesFields draws a collection with more fields than there
// is room for.
func TestHTMLDiagramChoosesFields(t *testing.T) {
	t.Parallel()
	c := finding.PictureCollection{Name: "wide", Documents: 1}
	for _, letter := range "abcdefghijklmnopqrstuvwxyz" {
		c.Fields = append(c.Fields, finding.PictureField{Path: string(letter), Name: string(letter), Types: []string{"object"}, Presence: 1},
			finding.PictureField{Path: string(letter) + ".inner", Name: "inner", Depth: 1, Types: []string{"string"}, Presence: 1})
	}
	r := &finding.Report{
		Picture: finding.Picture{Collections: []finding.PictureCollection{c}},
		Findings: []finding.Finding{
			{Rule: "r", Severity: finding.Warning, Message: "seen", Subject: finding.Subject{Kind: finding.KindDocument, Collection: "wide", Path: "z.inner"}},
			{Rule: "r", Severity: finding.Info, Message: "deeper", Subject: finding.Subject{Kind: finding.KindDocument, Collection: "wide", Path: "a.inner.more[]"}},
			{Rule: "r", Severity: finding.Info, Message: "elsewhere", Subject: finding.Subject{Kind: finding.KindDocument, Collection: "wide", Path: "unknown[].x"}},
		},
	}
	got := page(t, r)
	assert.Contains(t, got, `title="z.inner"`, "what a finding is about is shown")
	assert.Contains(t, got, `title="z"`, "in what holds it")
	assert.Contains(t, got, "+ 36 more")
	for _, id := range []string{"f1", "f2", "f3"} {
		assert.Regexp(t, `class="mark [a-z]+" href="#`+id+`"`, got, "every finding has a mark")
	}
}

func TestHTMLEvidence(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		evidence []finding.Evidence
		want     []string
	}{
		{"distribution", []finding.Evidence{{Name: "length.p50", Value: 3}, {Name: "length.max", Value: int64(90)}, {Name: "length.atLimit.mongodb", Value: 5000}}, []string{"Elements in one array", "longest <b>90</b>", "mongodb <b>5,000</b>"}},
		{"growth", []finding.Evidence{{Name: "length.max", Value: 100}, {Name: "growth.perDay", Value: 2.5}, {Name: "length.atLimit.mongodb", Value: 600}}, []string{"at 2.5 a day", "200 days"}},
		{"kinds", []finding.Evidence{{Name: "kinds.count", Value: []int64{30, 10}}, {Name: "kinds.fields", Value: []string{"isbn", "stars"}}}, []string{"isbn", "width:33.3%", "<b>10</b>"}},
		{"types", []finding.Evidence{{Name: "types.string", Value: 9}, {Name: "types.number", Value: 1}}, []string{"Values by type", `class="warning" style="width:11.1%"`}},
		{"parts", []finding.Evidence{{Name: "copies", Value: 200}, {Name: "stale", Value: 50}}, []string{"Of the copies", "differ from the original", "width:25%"}},
		{"shares", []finding.Evidence{{Name: "bookId.resolved", Value: 0.985}}, []string{"bookId, lead to a document", "98.5%"}},
		{"points", []finding.Evidence{{Name: "points", Value: []string{"+3 one stock in many", "-1 small"}}}, []string{"in points", "one stock in many", `class="good" style="width:33.3%"`}},
		{"facts", []finding.Evidence{{Name: "rewrite.bytes", Value: 25_717}, {Name: "field", Value: "open"}}, []string{"<li>one change rewrites 25.1 KB</li>", "<li>field: open</li>"}},
		{"odd", []finding.Evidence{{Name: "length.p50", Value: "?"}, {Name: "kinds.count", Value: []string{"x"}}, {Name: "points", Value: []string{"none"}}}, []string{"<li>kinds of x documents</li>"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := page(t, &finding.Report{Findings: []finding.Finding{{Rule: "r", Severity: finding.Info, Evidence: test.evidence}}})
			for _, want := range test.want {
				assert.Contains(t, strings.ReplaceAll(got, "&#43;", "+"), want)
			}
		})
	}
}

// TestHTMLValuesSideBySide compares the values at the places of a finding.
func TestHTMLValuesSideBySide(t *testing.T) {
	t.Parallel()
	at := func(snippet, marked string) finding.Location {
		column := strings.Index(snippet, marked) + 1
		return finding.Location{File: "a.json", Line: 3, Column: column, EndLine: 3, EndColumn: column + len(marked), Snippet: snippet, SnippetColumn: 1}
	}
	values := func(first, second finding.Location) int {
		got := page(t, &finding.Report{Findings: []finding.Finding{{
			Rule: "stale-copy", Severity: finding.Warning, Subject: finding.Subject{Kind: finding.KindDocument}, Location: first,
			Related: []finding.Related{{Message: "the original", Location: second}},
		}}})
		list := regexp.MustCompile(`(?s)<ul class="values".*?</ul>`).FindString(got)
		return strings.Count(list, "<li>")
	}
	assert.Equal(t, 2, values(at(`{"name": "Ida Jr."}`, `"Ida Jr."`), at(`{"name": "Ida"}`, `"Ida"`)))
	assert.Zero(t, values(at(`{"name": "Ida"}`, `"Ida"`), at(`{"name": "Ida"}`, `"Ida"`)), "they agree")
	assert.Zero(t, values(at(`{"name": "Ida"}`, `"name"`), at(`{"title": "Ida"}`, `"title"`)), "names are no values")
	assert.Zero(t, values(at(`{"list": [1]}`, `[1]`), at(`{"list": {}}`, `{}`)), "containers are not compared")
}

func TestHTMLMarksWhatAFixChanges(t *testing.T) {
	t.Parallel()
	got := page(t, &finding.Report{Findings: []finding.Finding{{Rule: "r", Severity: finding.Info, Fixes: []finding.Fix{{
		Title: "t", Safety: finding.Unsafe, Before: json.RawMessage(`{"id":1,"count":8,"list":[[1],[2]]}`),
		After: []finding.DocumentInPlace{{Collection: "c", Document: json.RawMessage(`{"id":1,"count":7,"list":[[1],[2]]}`)}},
		Edits: []finding.Edit{{File: "a.json", Start: 5, End: 6, NewText: "7"}, {File: "a.json", Start: 9, End: 12}, {File: "a.go", NewText: "\n\ttwo\nlines\n"}},
	}}}}})
	changed := regexp.MustCompile(`<span class="changed">(.*)`).FindAllStringSubmatch(got, -1)
	require.Len(t, changed, 2)
	assert.Equal(t, `  &#34;count&#34;: 8,`, changed[0][1])
	assert.Equal(t, `  &#34;count&#34;: 7,`, changed[1][1])
	assert.Contains(t, got, "(removes 3 bytes)")
	assert.Contains(t, got, "<code>  two\nlines\n</code>")
	assert.Contains(t, got, "unsafe: --unsafe-fixes applies it")
}
