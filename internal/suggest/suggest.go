// Package suggest finds the name somebody meant when they mistyped one.
package suggest

import (
	"strconv"
	"strings"

	"github.com/shapevet/shapevet/internal/lexicon"
)

// Closest returns the name nearest to word, or "" if none is near enough to
// suggest. Of equally near names the first wins, so sorted names give a stable
// answer.
func Closest(word string, names []string) string {
	folded := fold(word)
	best, bestDistance := "", limit(folded)+1
	for _, name := range names {
		candidate := fold(name)
		distance := lexicon.Damerau(folded, candidate, limit(folded))
		// "unbounded" for "unbounded-array" takes many edits, but the meaning is
		// obvious.
		if len(folded) >= 3 && strings.HasPrefix(candidate, folded) {
			distance = min(distance, 1)
		}
		if distance < bestDistance {
			best, bestDistance = name, distance
		}
	}
	return best
}

// DidYouMean returns `did you mean "name"?` for the nearest name, or "".
func DidYouMean(word string, names []string) string {
	name := Closest(word, names)
	if name == "" {
		return ""
	}
	return "did you mean " + strconv.Quote(name) + "?"
}

// limit returns how many edits apart two words may be to be the same word
// mistyped: about a third of the letters.
func limit(word string) int {
	return max(1, min(4, (len([]rune(word))+2)/3))
}

func fold(s string) string {
	return strings.ToLower(strings.ReplaceAll(s, "_", "-"))
}
