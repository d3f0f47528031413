package report

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/term"
)

func TestFrame(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		location finding.Location
		want     []string
	}{
		{
			"plain", finding.Location{Line: 3, Column: 4, EndLine: 3, EndColumn: 7, Snippet: "{  abc: 1}", SnippetColumn: 1},
			[]string{"  3 │ {  abc: 1}", "    │    ^^^"},
		},
		{
			"tabs", finding.Location{Line: 12, Column: 3, EndLine: 12, EndColumn: 4, Snippet: "\t\tx\ty", SnippetColumn: 1},
			[]string{"  12 │         x   y", "     │         ^"},
		},
		{
			"wide characters", finding.Location{Line: 1, Column: 7, EndLine: 1, EndColumn: 13, Snippet: "日本語語x", SnippetColumn: 1},
			[]string{"  1 │ 日本語語x", "    │     ^^^^"},
		},
		{
			"inside a character", finding.Location{Line: 1, Column: 2, EndLine: 1, EndColumn: 3, Snippet: "日x", SnippetColumn: 1},
			[]string{"  1 │ 日x", "    │ ^^"},
		},
		{
			"behind the line", finding.Location{Line: 1, Column: 4, EndLine: 1, EndColumn: 5, Snippet: "abc\r\n", SnippetColumn: 1},
			[]string{"  1 │ abc", "    │    ^"},
		},
		{
			"over several lines", finding.Location{Line: 1, Column: 3, EndLine: 9, EndColumn: 2, Snippet: "a {b:", SnippetColumn: 1},
			[]string{"  1 │ a {b:", "    │   ^^^"},
		},
		{
			"no end", finding.Location{Line: 1, Column: 2, Snippet: "abc", SnippetColumn: 1},
			[]string{"  1 │ abc", "    │  ^"},
		},
		{
			"control characters", finding.Location{Line: 1, Column: 3, EndLine: 1, EndColumn: 4, Snippet: "\x1b\x00x", SnippetColumn: 1},
			[]string{"  1 │ ␛␀x", "    │   ^"},
		},
		{
			"end of a long line", finding.Location{
				Line: 1, Column: 200, EndLine: 1, EndColumn: 203, Snippet: strings.Repeat("a", 199) + "bcd", SnippetColumn: 1,
			},
			[]string{"  1 │ …" + strings.Repeat("a", 29) + "bcd", "    │  " + strings.Repeat(" ", 29) + "^^^"},
		},
		{
			"middle of a long line", finding.Location{
				Line: 1, Column: 5100, EndLine: 1, EndColumn: 5102, Snippet: strings.Repeat("a", 99) + "bc" + strings.Repeat("d", 99), SnippetColumn: 5001,
			},
			[]string{"  1 │ …" + strings.Repeat("a", 10) + "bc" + strings.Repeat("d", 20) + "…", "    │  " + strings.Repeat(" ", 10) + "^^"},
		},
		{"no text", finding.Location{Line: 1, Column: 1}, nil},
		{"no line", finding.Location{Snippet: "abc"}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, test.want, frame(test.location, 40, term.Style{}))
		})
	}
}

// TestFrameHoldsAnyLocation feeds ranges that do not match the text.
func TestFrameHoldsAnyLocation(t *testing.T) {
	t.Parallel()
	for column := -3; column < 12; column++ {
		for end := -3; end < 12; end++ {
			lines := frame(finding.Location{Line: 1, Column: column, EndLine: 1, EndColumn: end, Snippet: "日\tab\xff", SnippetColumn: 2}, 20, term.Style{})
			assert.Len(t, lines, 2)
			assert.Contains(t, lines[1], "^")
		}
	}
}

func TestDocumentLines(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, document string
		width          int
		want           []string
	}{
		{"short", `{"a":1.50,"b":[1,2],"c":{}}`, 40, []string{`{"a": 1.50, "b": [1, 2], "c": {}}`}},
		{"too wide", `{"a":1.50,"b":[1,2]}`, 12, []string{"{", `  "a": 1.50,`, `  "b": [`, "    1,", "    2", "  ]", "}"}},
		{"nested", `{"a":{"b":1}}`, 40, []string{"{", `  "a": {"b": 1}`, "}"}},
		{"long array", `[1,2,3,4,5,6]`, 40, []string{"[", "  1,", "  2,", "  3,", "  … 3 more", "]"}},
		{"one too many is shown", `[1,2,3,4]`, 40, []string{"[1, 2, 3, 4]"}},
		{"big numbers and repeated keys", `{"n":9007199254740993,"n":1}`, 40, []string{`{"n": 9007199254740993, "n": 1}`}},
		{"characters", `{"s":"<&> \u001b é"}`, 40, []string{`{"s": "<&> \u001b é"}`}},
		{"cut", `{"s":"` + strings.Repeat("x", 50) + `"}`, 20, []string{"{", `  "s": "xxxxxxxxxxx…`, "}"}},
		{"not JSON", `{"s":`, 40, []string{`{"s":`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, test.want, documentLines(json.RawMessage(test.document), test.width))
		})
	}
}

func TestDocumentLinesSayHowManyAreLeftOut(t *testing.T) {
	t.Parallel()
	var members []string
	for i := range 100 {
		members = append(members, fmt.Sprintf(`"field%d": %d`, i, i))
	}
	lines := documentLines(json.RawMessage("{"+strings.Join(members, ",")+"}"), 60)
	assert.Len(t, lines, maxLines)
	assert.Contains(t, lines, "… 79 lines left out")
	assert.Equal(t, "}", lines[len(lines)-1])
}

func TestValues(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		value any
		want  string
	}{
		{1204, "1,204"}, {uint8(7), "7"}, {0.8123, "0.812"}, {12.5, "12.5"}, {1234.5, "1,235"}, {1e300, "1e+300"}, {4.0, "4"},
		{true, "true"}, {nil, "<nil>"}, {"a\nb", "a␊b"}, {[]any{1, "x"}, "1, x"}, {[]int{1, 2, 3, 4, 5, 6, 7}, "1, 2, 3, 4, 5 and 2 more"},
	} {
		assert.Equal(t, test.want, valueText(test.value, false), "%v", test.value)
	}
}
