package casevariantvalues

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// unmarked returns a text without the accents of its Latin letters: people whose
// keyboard has none write Sao Paulo for São Paulo.
func unmarked(text []byte) []byte {
	if !slices.ContainsFunc(text, func(b byte) bool { return b >= utf8.RuneSelf }) {
		return text
	}
	out := make([]byte, 0, len(text))
	latin := false
	for _, r := range string(norm.NFD.Bytes(text)) {
		if unicode.Is(unicode.Mn, r) {
			if !latin {
				out = utf8.AppendRune(out, r)
			}
			continue
		}
		latin = unicode.Is(unicode.Latin, r)
		out = utf8.AppendRune(out, r)
	}
	return norm.NFC.Bytes(out)
}

// oneWord returns the spellings of a group that are one word. Different accents make
// different words, but a spelling without any may stand for one with them. If
// several words of the group have accents, it is unknown which one that is.
func oneWord(group []spelling) []spelling {
	var marked []string
	for _, s := range group {
		if key := string(joined(appendLower(nil, []byte(s.text)))); !s.plain() && !slices.Contains(marked, key) {
			marked = append(marked, key)
		}
	}
	if len(marked) < 2 {
		return group
	}
	return slices.DeleteFunc(group, func(s spelling) bool {
		return string(joined(appendLower(nil, []byte(s.text)))) != marked[0]
	})
}

// plain reports whether a spelling has no letter with an accent.
func (s spelling) plain() bool {
	return strings.IndexFunc(s.text, func(r rune) bool { return r >= utf8.RuneSelf && unicode.IsLetter(r) }) < 0
}
