package lsp

import (
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/source"
)

func TestPositions(t *testing.T) {
	t.Parallel()
	// Units before each: é 1, € 1, 😀 2 (a surrogate pair).
	content := "aé€😀b\r\nc\rd\n\né"
	x := newText([]byte(content))
	for _, test := range []struct {
		before string // the text up to the position
		at     position
	}{
		{"", position{0, 0}}, {"a", position{0, 1}}, {"aé", position{0, 2}}, {"aé€", position{0, 3}}, {"aé€😀", position{0, 5}}, {"aé€😀b", position{0, 6}},
		{"aé€😀b\r\n", position{1, 0}}, {"aé€😀b\r\nc", position{1, 1}}, {"aé€😀b\r\nc\r", position{2, 0}}, {"aé€😀b\r\nc\rd", position{2, 1}},
		{"aé€😀b\r\nc\rd\n", position{3, 0}}, {"aé€😀b\r\nc\rd\n\n", position{4, 0}}, {content, position{4, 1}},
	} {
		assert.Equal(t, test.at, x.position(len(test.before)), "%q", test.before)
		assert.Equal(t, len(test.before), x.offset(test.at), "%q", test.before)
	}
	assert.Equal(t, len("aé€"), x.offset(position{0, 4}), "within a surrogate pair")
	assert.Equal(t, len("aé€😀b"), x.offset(position{0, 99}), "beyond the line")
	assert.Equal(t, len(content), x.offset(position{99, 0}), "beyond the text")
	assert.Equal(t, 0, x.offset(position{-1, -1}))
	assert.Equal(t, position{0, 6}, x.position(len("aé€😀b\r")), "within a line end")
	assert.Equal(t, position{0, 1}, x.position(len("aé")-1), "within a character")
}

func TestPositionOfLocation(t *testing.T) {
	t.Parallel()
	// A location counts lines by \n and columns by bytes; \r alone ends no line.
	x := newText([]byte("\ufeffab\rcd\néf\n"))
	for _, test := range []struct {
		line, column int
		at           position
	}{
		{1, 1, position{0, 1}}, {1, 3, position{0, 3}}, {1, 4, position{1, 0}}, {2, 1, position{2, 0}}, {2, 3, position{2, 1}}, {2, 99, position{2, 2}},
		{3, 1, position{3, 0}}, {9, 1, position{3, 0}}, {0, 0, position{0, 0}},
	} {
		assert.Equal(t, test.at, x.position(x.at(test.line, test.column)), "%d:%d", test.line, test.column)
	}
	start, end := x.span(finding.Location{Line: 2, Column: 1, EndLine: 2, EndColumn: 3})
	assert.Equal(t, textRange{position{2, 0}, position{2, 1}}, x.rangeOf(start, end))
	start, end = x.span(finding.Location{Line: 2, Column: 3})
	assert.Equal(t, start, end)
}

// aText draws texts of characters and line ends that are treated differently.
var aText = rapid.Custom(func(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "é", "€", "😀", "\n", "\r\n", "\r", "\t"}), 0, 30).Draw(t, "parts"), "")
})

// units is a text as the client has it.
func units(text string) []uint16 { return utf16.Encode([]rune(text)) }

// unitOffset is the offset of a position as a client counts it.
func unitOffset(text []uint16, p position) int {
	at := 0
	for line := 0; line < p.Line; at++ {
		if text[at] == '\n' || text[at] == '\r' && (at+1 == len(text) || text[at+1] != '\n') {
			line++
		}
	}
	return at + p.Character
}

func TestChangesAgreeWithTheClient(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		before := aText.Draw(t, "before")
		x := newText([]byte(before))
		runes := []rune(before)
		cut := func(name string, from int) (int, position) {
			at := rapid.IntRange(from, len(runes)).Draw(t, name)
			if at > 0 && at < len(runes) && runes[at] == '\n' && runes[at-1] == '\r' {
				at++ // a client has no position within a line end
			}
			return at, x.position(len(string(runes[:at])))
		}
		i, start := cut("start", 0)
		_, end := cut("end", i)
		inserted := aText.Draw(t, "inserted")
		client := units(before)
		want := string(utf16.Decode(client[:unitOffset(client, start)])) + inserted + string(utf16.Decode(client[unitOffset(client, end):]))
		after := x.changed([]contentEvent{{Range: &textRange{start, end}, Text: inserted}})
		if string(after.content) != want {
			t.Fatalf("%q with %v to %v replaced by %q: %q, want %q", before, start, end, inserted, after.content, want)
		}
		if whole := newText([]byte(want)); len(whole.lines) != len(after.lines) {
			t.Fatalf("%d lines, want %d", len(after.lines), len(whole.lines))
		}
	})
}

func TestRangesMoveWithTheText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		head, body, tail := aText.Draw(t, "head"), aText.Draw(t, "body"), aText.Draw(t, "tail")
		newHead, newTail := head, tail
		if rapid.Bool().Draw(t, "above") {
			newHead = aText.Draw(t, "new head")
		} else {
			newTail = aText.Draw(t, "new tail")
		}
		after := newHead + body + newTail
		start, end, ok := moveOf(newText([]byte(head+body+tail)), newText([]byte(after))).span(len(head), len(head)+len(body))
		if !ok {
			t.Fatalf("%q was not touched", body)
		}
		if after[start:end] != body {
			t.Fatalf("%q became %q", body, after[start:end])
		}
	})
	_, _, ok := moveOf(newText([]byte("one two three")), newText([]byte("one 2 three"))).span(4, 7)
	assert.False(t, ok, "what was changed is not there any more")
}

func TestWholeCharacters(t *testing.T) {
	t.Parallel()
	x := newText([]byte("é\r\nb"))
	start, end := x.wholeCharacters(1, 3)
	assert.Equal(t, "é\r\n", string(x.content[start:end]))
}

func TestURIs(t *testing.T) {
	t.Parallel()
	for uri, want := range map[string]string{
		"file:///tmp/a%20b/%C3%A9%23.json": "/tmp/a b/é#.json",
		"file://localhost/tmp/x.go":        "/tmp/x.go",
		"file:///tmp/a/../b.go":            "/tmp/b.go",
	} {
		path, ok := pathOf(uri)
		assert.True(t, ok, uri)
		assert.Equal(t, want, path)
		again, ok := pathOf(uriOf(path))
		assert.True(t, ok)
		assert.Equal(t, want, again)
	}
	for _, uri := range []string{"untitled:Untitled-1", "https://example.com/a.json", "file://", ":", ""} {
		_, ok := pathOf(uri)
		assert.False(t, ok, uri)
	}
	assert.Equal(t, "file:///c:/data/a.json", uriOf("c:/data/a.json"))
}

func TestWhatIsCheckedTogether(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"package.json", "tsconfig.build.json", "posts.schema.json", ".eslintrc.json", "node_modules/x/data.json", ".vscode/settings.json"} {
		assert.True(t, source.NoDocument("/data/"+name), name)
	}
	assert.False(t, source.NoDocument("/data/posts.json"))
	assert.True(t, named([]string{"/data/export"}, "/data/export/a/b.json"))
	assert.True(t, named([]string{"/data/**/*.jsonl"}, "/data/a/b.jsonl"))
	assert.True(t, named([]string{"/data/a.json"}, "/data/a.json"))
	assert.False(t, named([]string{"/data/export", "/data/*.jsonl"}, "/data/other/b.jsonl"))
}
