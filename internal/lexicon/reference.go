package lexicon

import (
	"slices"
	"strings"
)

// referenceWords end the name of a field that refers to another document;
// the value says whether the field holds many references.
var referenceWords = map[string]bool{
	"id": false, "ids": true, "uid": false, "uids": true, "oid": false, "oids": true,
	"uuid": false, "uuids": true, "guid": false, "guids": true,
	"ref": false, "refs": true, "key": false, "keys": true, "code": false, "codes": true,
}

// ReferenceStem returns the words before the id of a name, joined with
// spaces: "stockId" refers to "stock", "ownerUserID" to "owner user", "tagIds"
// to many of "tag". It is not ok for a document's own id ("id", "_id") and for
// names that merely end in the same letters ("paid", "android").
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
	return tokens[:last], many, true
}

// Match says how surely a stem names a collection.
type Match uint8

const (
	NoMatch      Match = iota
	Abbreviation       // "pub" for publishers, "org" for organizations
	SameNoun           // "owner user" for users, "book" for author_books
	SameName           // "stock" for stocks
)

// minAbbreviation is the number of letters from which the beginning of a word
// counts as its abbreviation.
const minAbbreviation = 3

// MatchStem says how surely a reference's stem names a collection. All the
// words of the shorter name must end the longer one, so that "order item"
// does not name "cartItems"; of two candidates the surer match is meant.
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

// StemMatches reports whether a reference's stem names a collection, see
// [MatchStem].
func StemMatches(stem, collection string) bool { return MatchStem(stem, collection) != NoMatch }

func singularTokens(name string) []string {
	tokens := Tokens(name)
	if len(tokens) > 0 {
		tokens[len(tokens)-1] = Singular(tokens[len(tokens)-1])
	}
	return tokens
}

// Words that mark an identity: as first or last word after Souibgui et al.,
// "An embedding driven approach to automatically detect identifiers and
// references in document stores" (DKE 2022), and nouns that name one thing
// each.
var (
	identityAffixes = []string{"id", "key", "nr", "no", "pk", "num", "code"}
	identityNouns   = []string{"symbol", "ticker", "sku", "slug", "isbn", "ean", "email", "username", "handle", "uuid", "guid"}
	idNames         = []string{"id", "uuid", "guid", "uid", "oid"}
)

// IDName reports whether a folded name says nothing but that it is an id.
func IDName(name string) bool { return slices.Contains(idNames, name) }

// NaturalKey reports whether a folded name is a noun that names one thing each.
func NaturalKey(name string) bool { return slices.Contains(identityNouns, name) }

// IdentityName reports whether a name reads as the identity of the object
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
