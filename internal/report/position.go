package report

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/term"
)

// position returns file:line:column, as far as the location has them. Terminals
// and editors turn this into a link.
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

// document identifies the document of a location whose line does not.
func document(l finding.Location) string {
	if l.Document == "" {
		return ""
	}
	return " (_id " + term.Clean(l.Document) + ")"
}

// utf16Column converts a 1-based byte column of a location to one in UTF-16
// code units. It counts the unknown text before the snippet as ASCII.
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
