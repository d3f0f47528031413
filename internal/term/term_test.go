package term_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/shapevet/shapevet/internal/term"
)

func TestStyle(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "\x1b[1;31mno\x1b[0m", term.Style{Color: true}.Red("no"))
	assert.Equal(t, "no", term.Style{}.Red("no"))
	assert.Empty(t, term.Style{Color: true}.Bold(""))
}

func TestWidth(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"": 0, "abc": 3, "日本": 4, "é": 1, "e\u0301": 1, "👩‍👩‍👧": 2,
		term.Style{Color: true}.Red("ab") + "c": 3,
	} {
		assert.Equal(t, want, term.Width(text), "%q", text)
	}
}

func TestPadAndTruncate(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "日  ", term.Pad("日", 4))
	assert.Equal(t, "abcdef", term.Pad("abcdef", 4))
	assert.Equal(t, "abc", term.Truncate("abc", 3))
	assert.Equal(t, "ab…", term.Truncate("abcd", 3))
	assert.Equal(t, "日…", term.Truncate("日本語", 4))
}

func TestWrap(t *testing.T) {
	t.Parallel()
	assert.Equal(t, []string{"the quick", "brown fox"}, term.Wrap("the  quick brown fox", 10))
	assert.Equal(t, []string{"a", "unbreakable", "b"}, term.Wrap("a unbreakable b", 5))
	assert.Equal(t, []string{"one", "", "two"}, term.Wrap("one\n\ntwo", 20))
	assert.Equal(t, []string{"日本", "日本"}, term.Wrap("日本 日本", 6))
	assert.Equal(t, []string{""}, term.Wrap("", 10))
}

func TestClean(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain\tänd 日本":  "plain\tänd 日本",
		"\x1b[31mred":    "␛[31mred",
		"a\r\nb\x00\x7f": "a␍␊b␀␡",
		"\u009b2J":       `\u009b2J`,
		"a\u202eb":       `a\u202eb`,
		"bad \xff byte":  "bad \ufffd byte",
	} {
		assert.Equal(t, want, term.Clean(text), "%q", text)
	}
}
