package lexicon

import "slices"

// longestCompared is far longer than any name. The work is quadratic in the
// length.
const longestCompared = 512

// Damerau returns the number of insertions, deletions, substitutions and swaps
// of neighbours that turn a into b (optimal string alignment, no part edited
// twice), or limit+1 once it exceeds limit. A swap counts once because it is
// the most common typing error. Words longer than people type are not compared.
func Damerau(a, b string, limit int) int {
	if max(len(a), len(b)) > longestCompared {
		return limit + 1
	}
	x, y := []rune(a), []rune(b)
	if diff := len(x) - len(y); diff > limit || -diff > limit {
		return limit + 1
	}
	before, above, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		best := i
		for j := 1; j <= len(y); j++ {
			substitute := above[j-1]
			if x[i-1] != y[j-1] {
				substitute++
			}
			row[j] = min(above[j]+1, row[j-1]+1, substitute)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			best = min(best, row[j])
		}
		// A swap reaches back two rows, so check the row above as well.
		if best > limit && i > 1 && slices.Min(above) > limit {
			return limit + 1
		}
		before, above, row = above, row, before
	}
	return min(above[len(y)], limit+1)
}
