package report

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/term"
)

// position returns file:line:column, which terminals and editors turn into a
// link, as far as the location has these.
func position(l finding.Location) string {
	text := term.Clean(l.File)
	if l.Line <= 0 {
		return text
	}
	text += ":" + strconv.Itoa(l.Line)
	if l.Column <= 0 {
		return text
	}
	return text + ":" + strconv.Itoa(l.Column)
}

// document names the document that a location is in, where its line does not.
func document(l finding.Location) string {
	if l.Document == "" {
		return ""
	}
	return " (_id " + term.Clean(l.Document) + ")"
}

// utf16Column converts a 1-based byte column on the line of the location into
// one that counts UTF-16 code units. What lies before the snippet is not known
// and counted as ASCII.
func utf16Column(l finding.Location, column int) int {
	start := max(1, l.SnippetColumn)
	if column <= start || l.Snippet == "" {
		return column
	}
	inside := min(column-start, len(l.Snippet))
	units := start + column - start - inside
	for rest := l.Snippet[:inside]; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		units += max(1, utf16.RuneLen(r))
		rest = rest[size:]
	}
	return units
}
