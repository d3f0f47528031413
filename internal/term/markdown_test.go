package term_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/shapevet/shapevet/internal/term"
)

const page = "## What it reports\n\nA **bold** claim about\n`code`, see [the page](https://example.com).\n\n" +
	"- first item that is\n  long enough to wrap\n- second\n\n1. one\n\n```json collection=a\n{\"a\": \"a very long line that stays whole\"}\n\n## no heading\n```\n## Why\n\nEnd."

func TestMarkdown(t *testing.T) {
	t.Parallel()
	assert.Equal(t, []string{
		"What it reports",
		"",
		"  A bold claim about `code`,",
		"  see the page",
		"  (https://example.com).",
		"",
		"  - first item that is long",
		"    enough to wrap",
		"  - second",
		"",
		"  1. one",
		"",
		"    collection a",
		`    {"a": "a very long line that stays whole"}`,
		"",
		"    ## no heading",
		"Why",
		"",
		"  End.",
	}, term.Markdown(page, 30, term.Style{}))
}

func TestMarkdownColor(t *testing.T) {
	t.Parallel()
	text := strings.Join(term.Markdown(page, 80, term.Style{Color: true}), "\n")
	assert.Contains(t, text, "\x1b[1mbold\x1b[0m")
	assert.Contains(t, text, "\x1b[36mcode\x1b[0m")
	assert.NotContains(t, text, "`")
}

func TestMarkdownTable(t *testing.T) {
	t.Parallel()
	const text = "Before:\n| database | what `it` refuses |\n| --- | :-: |\n| 日本 | a \\| b |\n| Firestore | more than 1,500 bytes of a name | | |\n\nAfter."
	assert.Equal(t, []string{
		"  Before:",
		"  database   what `it` refuses",
		"  日本       a | b",
		"  Firestore  more than 1,500 bytes of a name",
		"",
		"  After.",
	}, term.Markdown(text, 60, term.Style{}))
	assert.Equal(t, []string{
		"  Before:",
		"  database   what `it`",
		"             refuses",
		"  日本       a | b",
		"  Firestore  more than",
		"             1,500 bytes",
		"             of a name",
		"",
		"  After.",
	}, term.Markdown(text, 29, term.Style{}))
	colored := strings.Join(term.Markdown(text, 29, term.Style{Color: true}), "\n")
	assert.Contains(t, colored, "\x1b[1mdatabase\x1b[0m")
	for line := range strings.SplitSeq(colored, "\n") {
		assert.LessOrEqual(t, term.Width(line), 29, line)
	}
}

func TestIndent(t *testing.T) {
	t.Parallel()
	assert.Equal(t, []string{"  a", "", "  b"}, term.Indent([]string{"a", "", "b"}, "  "))
}
