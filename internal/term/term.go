// Package term prepares text for a terminal: colour, width in cells, wrapping,
// and removal of anything that would control the terminal.
package term

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// A Style paints text, or leaves it alone when colour is off.
type Style struct{ Color bool }

// SGR parameters, ECMA-48 section 8.3.117.
const (
	bold   = "1"
	dim    = "2"
	under  = "4"
	red    = "1;31"
	green  = "32"
	yellow = "1;33"
	blue   = "1;34"
	cyan   = "36"
)

func (s Style) paint(code, text string) string {
	if !s.Color || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s Style) Bold(text string) string      { return s.paint(bold, text) }
func (s Style) Dim(text string) string       { return s.paint(dim, text) }
func (s Style) Underline(text string) string { return s.paint(under, text) }
func (s Style) Red(text string) string       { return s.paint(red, text) }
func (s Style) Green(text string) string     { return s.paint(green, text) }
func (s Style) Yellow(text string) string    { return s.paint(yellow, text) }
func (s Style) Blue(text string) string      { return s.paint(blue, text) }
func (s Style) Cyan(text string) string      { return s.paint(cyan, text) }

// Width returns the number of cells of text. Escape sequences of [Style] take
// none.
func Width(text string) int {
	return uniseg.StringWidth(strip(text))
}

func strip(text string) string {
	if !strings.Contains(text, "\x1b[") {
		return text
	}
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(text, "\x1b[")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		_, text, _ = strings.Cut(after, "m")
	}
}

// Pad adds spaces on the right up to a width in cells.
func Pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-Width(text)))
}

// Truncate shortens text to a width in cells, ending in "…" where it cuts.
// The text must not hold escape sequences.
func Truncate(text string, width int) string {
	if Width(text) <= width {
		return text
	}
	var b strings.Builder
	used := 0
	for clusters := uniseg.NewGraphemes(text); clusters.Next(); {
		if used += clusters.Width(); used > width-1 {
			break
		}
		b.WriteString(clusters.Str())
	}
	return b.String() + "…"
}

// Wrap breaks text into lines of at most width cells, at spaces if possible. A
// longer word gets its own line and is not broken, because it may be an address
// or a path to copy.
func Wrap(text string, width int) []string {
	var lines []string
	for paragraph := range strings.SplitSeq(text, "\n") {
		line, used := "", 0
		for _, word := range strings.Fields(paragraph) {
			w := Width(word)
			if line != "" && used+1+w > width {
				lines = append(lines, line)
				line, used = "", 0
			}
			if line != "" {
				line, used = line+" ", used+1
			}
			line, used = line+word, used+w
		}
		lines = append(lines, line)
	}
	return lines
}

// Steers reports whether a character can control a terminal, or reorder the
// text around it.
func Steers(r rune) bool { return r < ' ' || r == 0x7f || steers(r) }

// Clean makes text from documents safe to print on one line. Control
// characters, which can move the cursor or recolour the screen, become their
// pictures (U+2400 onward), characters that reorder text become escapes, and
// bytes that are not UTF-8 become U+FFFD. Tabs stay.
func Clean(text string) string {
	if !needsCleaning(text) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\t':
			b.WriteRune(r)
		case r < ' ':
			b.WriteRune('\u2400' + r)
		case r == 0x7f:
			b.WriteRune('\u2421')
		case steers(r):
			const hex = "0123456789abcdef"
			b.WriteString(`\u`)
			for shift := 12; shift >= 0; shift -= 4 {
				b.WriteByte(hex[r>>shift&0xf])
			}
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func needsCleaning(text string) bool {
	if !utf8.ValidString(text) {
		return true
	}
	return strings.ContainsFunc(text, func(r rune) bool { return r != '\t' && (r < ' ' || steers(r)) })
}

// steers reports whether a terminal acts on the character instead of showing
// it: DEL and C1 controls, the byte order mark, and marks that change the
// direction of text.
func steers(r rune) bool {
	return r >= 0x7f && r <= 0x9f || r == '\ufeff' ||
		unicode.Is(unicode.Bidi_Control, r) ||
		r == '\u2028' || r == '\u2029'
}
