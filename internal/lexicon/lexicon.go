package lexicon

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// A Lexicon is a set of word lists. It is immutable and may be shared.
type Lexicon struct {
	sets [listCount]wordSet
}

// A wordSet has the words of one list, by their position in a name. Keys are
// folded: joined without a gap. A value lists the owners with which the word
// counts; nil means all.
type wordSet struct {
	whole, first, follow, last, literal, token map[string][]string
}

// Default returns the built-in lists.
func Default() *Lexicon { return builtIn() }

var builtIn = sync.OnceValue(func() *Lexicon {
	l := new(Lexicon)
	for i, list := range defaults {
		l.sets[i] = wordSet{map[string][]string{}, map[string][]string{}, map[string][]string{}, map[string][]string{}, map[string][]string{}, map[string][]string{}}
		for _, word := range strings.Fields(list.words) {
			l.sets[i].add(list, word)
		}
	}
	return l
})

// With returns the lexicon with words added by list name (see [ListNames]). It
// fails on an unknown list or an empty word.
func (l *Lexicon) With(additions map[string][]string) (*Lexicon, error) {
	extended := *l
	for _, name := range slices.Sorted(maps.Keys(additions)) {
		i := slices.Index(ListNames(), name)
		if i < 0 {
			return nil, fmt.Errorf("unknown word list %q", name)
		}
		set := &extended.sets[i]
		*set = wordSet{maps.Clone(set.whole), maps.Clone(set.first), maps.Clone(set.follow), maps.Clone(set.last), maps.Clone(set.literal), maps.Clone(set.token)}
		for _, word := range additions[name] {
			if err := set.add(defaults[i], word); err != nil {
				return nil, fmt.Errorf("word list %s: %q: %w", name, word, err)
			}
		}
	}
	return &extended, nil
}

var errNoWord = errors.New("not a word")

func (s *wordSet) add(l list, word string) error {
	if word != "" && strings.ContainsRune("_$@", rune(word[0])) {
		s.literal[strings.ToLower(word)] = nil
		return nil
	}
	word, among, restricted := strings.Cut(word, "@")
	var owners []string
	if restricted {
		owners = strings.Split(among, ",")
	}
	where := l.anchor
	var into []map[string][]string
	switch {
	case strings.HasPrefix(word, "="):
		into = append(into, s.whole)
	case strings.HasPrefix(word, "*"):
		into = append(into, s.last)
	case strings.HasSuffix(word, "*"):
		into = append(into, s.first)
	case strings.HasSuffix(word, "+"):
		into = append(into, s.follow)
	case where == token:
		into = append(into, s.token)
	case where == whole:
		into = append(into, s.whole)
	case where == head:
		into = append(into, s.last)
	default:
		into = append(into, s.first, s.last)
	}
	folded := strings.Join(Tokens(word), "")
	if folded == "" {
		return errNoWord
	}
	for _, words := range into {
		words[folded] = owners
	}
	return nil
}

// Has reports whether a name is on a list. The list determines where in the
// name the word must be: nouns must be its head ("userComments" is about
// comments, "commentCount" about a count), markers must begin or end it
// ("recentComments"), and other words must be the whole name. Lists of nouns
// match singular and plural alike, except that words which mostly name a scalar
// ("version", "order") must be plural to name a list of things.
func (l *Lexicon) Has(list List, name string) bool { return l.HasIn(list, name, "") }

// HasWord reports whether a lower-case word of a name is on a list of such
// words.
func (l *Lexicon) HasWord(list List, word string) bool {
	_, ok := l.sets[list].token[word]
	return ok
}

// HasIn is [Lexicon.Has] for a name inside an owner (a collection, a type, an
// enclosing field), which gives a few words another meaning: items are few in
// an order or a cart, and a pet's petType is its discriminator.
func (l *Lexicon) HasIn(list List, name, owner string) bool {
	if list >= listCount {
		return false
	}
	set := &l.sets[list]
	if _, ok := set.literal[strings.ToLower(name)]; ok {
		return true
	}
	tokens := Tokens(name)
	if len(tokens) == 0 {
		return false
	}
	if list == Discriminator && discriminates(tokens, owner) {
		return true
	}
	q := query{exact: defaults[list].exact, owner: owner}
	if q.find(set, tokens) {
		return true
	}
	bare := strip(defaults[list].shape, trimVersion(tokens))
	return len(bare) < len(tokens) && len(bare) > 0 && q.find(set, bare)
}

// discriminates reports whether a name is "<owner>Type".
func discriminates(tokens []string, owner string) bool {
	last := len(tokens) - 1
	if last < 1 || tokens[last] != "type" && tokens[last] != "kind" {
		return false
	}
	return strings.Join(tokens[:last], "") == strings.Join(singularTokens(owner), "")
}

type query struct {
	exact bool
	owner string
}

// longestWord is the largest number of tokens in a listed word, in any
// spelling.
const longestWord = 4

func (q query) find(set *wordSet, tokens []string) bool {
	if len(tokens) <= longestWord && q.in(set.whole, tokens) {
		return true
	}
	for n := 1; n <= min(len(tokens), longestWord); n++ {
		if q.in(set.last, tokens[len(tokens)-n:]) || q.in(set.first, tokens[:n]) ||
			n < len(tokens) && q.in(set.follow, tokens[:n]) {
			return true
		}
	}
	return false
}

func (q query) in(words map[string][]string, tokens []string) bool {
	if len(words) == 0 {
		return false
	}
	last := tokens[len(tokens)-1]
	stem := strings.Join(tokens[:len(tokens)-1], "")
	owners, ok := words[stem+last]
	if !ok && !q.exact {
		owners, ok = words[stem+Singular(last)]
	}
	if !ok || owners == nil {
		return ok
	}
	noun := trimVersion(singularTokens(q.owner))
	return len(noun) > 0 && slices.Contains(owners, noun[len(noun)-1])
}

// trimVersion removes a final number or version: address1, InvoiceV2.
func trimVersion(tokens []string) []string {
	n := len(tokens)
	for n > 1 && isNumber(tokens[n-1]) {
		n--
	}
	if n > 1 && n < len(tokens) && tokens[n-1] == "v" {
		n--
	}
	return tokens[:n]
}

func strip(s shape, tokens []string) []string {
	last := len(tokens) - 1
	if last < 1 {
		return tokens
	}
	switch s {
	case collection:
		stem, many, ok := referenceStem(tokens)
		if !ok || !many {
			stem = trimWord(tokens, "list", "array", "arr", "collection")
		}
		if len(stem) < len(tokens) { // "orderIds" and "orderList" are about orders
			stem = slices.Clone(stem)
			stem[len(stem)-1] = Plural(stem[len(stem)-1])
		}
		return stem
	case reference:
		if stem, _, ok := referenceStem(tokens); ok {
			return stem
		}
	case number:
		return trimWord(tokens, "code", "number", "no", "nr", "num")
	case document:
		return trimWord(tokens, "document", "documents", "doc", "docs", "entity", "entities", "model", "models", "record", "records")
	}
	return tokens
}

func trimWord(tokens []string, words ...string) []string {
	if last := len(tokens) - 1; last > 0 && slices.Contains(words, tokens[last]) {
		return tokens[:last]
	}
	return tokens
}

// CountVolatile returns how many of an object's field names are volatile
// (strong). Open, high, low and close are one value, a price over a period: two
// or more of them count once, a single one not at all.
func (l *Lexicon) CountVolatile(names []string) int {
	count, ohlc := 0, 0
	for _, name := range names {
		switch {
		case l.Has(PriceRange, name):
			ohlc++
		case l.Has(VolatileStrong, name):
			count++
		}
	}
	if ohlc >= 2 {
		count++
	}
	return count
}
