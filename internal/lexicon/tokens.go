// Package lexicon understands field names: how a name splits into words, which
// word is its head noun, what the name refers to, and which lists of telling
// words (unbounded, volatile, historical …) it is on.
package lexicon

import (
	"strings"
	"unicode"
)

// Tokens splits a name into lower-case words at case changes, at digits and at
// characters that are neither letter nor digit. An acronym keeps its plural s:
// "userIDs" is user, ids. If a name is longer than people write, only its
// beginning counts.
func Tokens(name string) []string {
	const longest = 1 << 10
	if len(name) > longest {
		name = name[:longest]
	}
	var tokens []string
	runes := []rune(name)
	start, i := -1, 0
	flush := func(end int) {
		if start >= 0 {
			tokens = append(tokens, strings.ToLower(name[start:end]))
		}
		start = -1
	}
	for at, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r):
			flush(at)
		case start < 0:
			start = at
		case boundary(runes, i):
			flush(at)
			start = at
		}
		i++
	}
	flush(len(name))
	return tokens
}

// boundary reports whether a word starts at i, given that i-1 and i are both
// letters or digits.
func boundary(runes []rune, i int) bool {
	before, here := runes[i-1], runes[i]
	if unicode.IsDigit(before) != unicode.IsDigit(here) {
		return true
	}
	if !unicode.IsUpper(here) {
		return false
	}
	if !unicode.IsUpper(before) {
		return true
	}
	// In "HTTPSeen" the word starts at the last capital; in "IDs" the s is the
	// plural of the acronym.
	if i+1 >= len(runes) || !unicode.IsLower(runes[i+1]) {
		return false
	}
	return runes[i+1] != 's' || i+2 < len(runes) && unicode.IsLower(runes[i+2])
}

// Fold returns the name in lower case without '_' and '-', the form in which
// spellings of one name are equal.
func Fold(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

func isNumber(token string) bool {
	return strings.IndexFunc(token, func(r rune) bool { return !unicode.IsDigit(r) }) < 0
}
