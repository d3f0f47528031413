package lexicon

import (
	"slices"
	"strings"
)

// referenceWords end the name of a field that refers to another document. The
// value says whether the field holds several references.
var referenceWords = map[string]bool{
	"id": false, "ids": true, "uid": false, "uids": true, "oid": false, "oids": true,
	"uuid": false, "uuids": true, "guid": false, "guids": true,
	"ref": false, "refs": true, "key": false, "keys": true, "code": false, "codes": true,
}

// ReferenceStem returns the words of a name before the id, joined with spaces:
// "stockId" refers to "stock", "ownerUserID" to "owner user", "tagIds" to many
// of "tag". It is not ok for a document's own id ("id", "_id") and for names
// that merely end in the same letters ("paid", "android").
func ReferenceStem(name string) (stem string, many, ok bool) {
	tokens := Tokens(name)
	words, many, ok := referenceStem(tokens)
	return strings.Join(words, " "), many, ok
}

func referenceStem(tokens []string) (stem []string, many, ok bool) {
	last := len(tokens) - 1
	if last < 1 {
		return nil, false, false
	}
	many, ok = referenceWords[tokens[last]]
	if !ok || last == 1 && tokens[0] == "id" {
		return nil, false, false
	}
	if stem = tokens[:last]; stem[last-1] == "unique" { // card_unique_id is the id of a card
		stem = stem[:last-1]
	}
	return stem, many, len(stem) > 0
}

// Match says how certain it is that a stem names a collection.
type Match uint8

const (
	NoMatch      Match = iota
	Abbreviation       // "pub" for publishers, "org" for organizations
	SameNoun           // "owner user" for users, "book" for author_books
	SameName           // "stock" for stocks
)

// minAbbreviation is the least number of initial letters that count as an
// abbreviation of a word.
const minAbbreviation = 3

// MatchStem says how certain it is that a reference's stem names a collection.
// All words of the shorter name must end the longer one, so "order item" does
// not name "cartItems". Of two candidates, prefer the more certain match.
func MatchStem(stem, collection string) Match {
	s, c := singularTokens(stem), singularTokens(collection)
	if len(s) == 0 || len(c) == 0 {
		return NoMatch
	}
	if strings.Join(s, "") == strings.Join(c, "") {
		return SameName
	}
	lastS, lastC := len(s)-1, len(c)-1
	for i, j := lastS-1, lastC-1; i >= 0 && j >= 0; i, j = i-1, j-1 {
		if s[i] != c[j] {
			return NoMatch
		}
	}
	switch noun := s[lastS]; {
	case noun == c[lastC]:
		return SameNoun
	case len(noun) >= minAbbreviation && strings.HasPrefix(c[lastC], noun):
		return Abbreviation
	}
	return NoMatch
}

// MatchKeys returns keys of a name, of which two names have one in common if
// [MatchStem] says that one is [SameNoun] or better for the other.
func MatchKeys(name string) []string {
	tokens := singularTokens(name)
	if len(tokens) == 0 {
		return nil
	}
	return []string{tokens[len(tokens)-1], strings.Join(tokens, "")}
}

// StemMatches reports whether a reference's stem names a collection; see
// [MatchStem].
func StemMatches(stem, collection string) bool { return MatchStem(stem, collection) != NoMatch }

func singularTokens(name string) []string {
	tokens := Tokens(name)
	if len(tokens) > 0 {
		tokens[len(tokens)-1] = Singular(tokens[len(tokens)-1])
	}
	return tokens
}

// Words that mark an identity: as first or last word after Souibgui et al., "An
// embedding driven approach to automatically detect identifiers and references
// in document stores" (DKE 2022), and nouns that are different for each thing.
var (
	identityAffixes = []string{"id", "key", "nr", "no", "pk", "num", "code"}
	identityNouns   = []string{"symbol", "ticker", "sku", "slug", "isbn", "ean", "email", "username", "handle", "uuid", "guid"}
	idNames         = []string{"id", "uuid", "guid", "uid", "oid"}
)

// IDName reports whether a folded name says only that it is an id.
func IDName(name string) bool { return slices.Contains(idNames, name) }

// NaturalKey reports whether a folded name is a noun that is different for each
// thing.
func NaturalKey(name string) bool { return slices.Contains(identityNouns, name) }

// IdentityName reports whether a name looks like the identity of the object
// that holds it. Plurals and counts ("numItems", "noOfPages") do not.
func IdentityName(name string) bool {
	tokens := trimVersion(Tokens(name))
	if len(tokens) == 0 {
		return false
	}
	last := len(tokens) - 1
	if slices.Contains(identityAffixes, tokens[last]) || slices.Contains(identityNouns, tokens[last]) ||
		slices.Contains(identityNouns, strings.Join(tokens, "")) {
		return true
	}
	return slices.Contains(identityAffixes, tokens[0]) && tokens[1] != "of" && Singular(tokens[last]) == tokens[last]
}

var timeWords = []string{"at", "on", "date", "day", "time", "timestamp", "ts", "datetime", "created", "when", "stamp", "millis", "ms"}

// TimeName reports whether a name is that of a time: createdAt, date.
func TimeName(name string) bool {
	tokens := Tokens(name)
	return len(tokens) > 0 && (slices.Contains(timeWords, tokens[len(tokens)-1]) || slices.Contains(timeWords, tokens[0]))
}
