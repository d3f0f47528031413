package casevariantvalues

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// unmarked returns a text without the marks of its Latin letters: São Paulo as
// one writes it on a keyboard that has none.
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

// oneWord returns the spellings of a group that are one word. Letters with
// different marks make different words, and only who leaves out all of them means
// the same. Where several words have marks, nobody knows which of them that is.
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

// plain reports whether a spelling has no letter with a mark.
func (s spelling) plain() bool {
	return strings.IndexFunc(s.text, func(r rune) bool { return r >= utf8.RuneSelf && unicode.IsLetter(r) }) < 0
}
