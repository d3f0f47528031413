package refs

import (
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/lexicon"
	"github.com/shapevet/shapevet/rulebook"
)

// Counts reports whether the name of a number makes it the count of a list:
// commentCount and comments, numItems and itemList.
func Counts(count, list *docmodel.Field) bool {
	for _, of := range []string{list.GoName(), list.Name} {
		tokens := lexicon.Tokens(of)
		if n := len(tokens); n > 1 && slices.Contains(listEndingsWords(), tokens[n-1]) {
			tokens = tokens[:n-1]
		}
		if len(strings.Join(tokens, "")) < 3 {
			continue // a single letter does not name a list
		}
		last := tokens[len(tokens)-1]
		before := strings.Join(tokens[:len(tokens)-1], "")
		for _, name := range []string{lexicon.Fold(count.GoName()), lexicon.Fold(count.Name)} {
			if last == "by" && len(tokens) == 2 && strings.HasPrefix(tokens[0], lexicon.Singular(uncounted(name))) { // likes, likeCount and likedBy
				return true
			}
			for _, noun := range []string{lexicon.Plural(last), last, lexicon.Singular(last)} {
				behind, first := strings.CutPrefix(name, before+noun)
				ahead, ends := strings.CutSuffix(name, before+noun)
				if first && slices.Contains(counters(), behind) || ends && slices.Contains(counters(), ahead) {
					return true
				}
			}
		}
	}
	return false
}

// uncounted returns the name of a number without the word that says that it
// counts.
func uncounted(name string) string {
	for _, word := range counters() {
		for _, cut := range []func(s, word string) (string, bool){strings.CutSuffix, strings.CutPrefix} {
			if noun, ok := cut(name, word); ok && noun != "" {
				return noun
			}
		}
	}
	return name
}

var (
	counters         = rulebook.Words("aggregate-drift", "counters") // that may surround the name of what is counted
	listEndingsWords = rulebook.Words("aggregate-drift", "list-endings")
)
