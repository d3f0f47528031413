package profile

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestLowest compares the lowest hashes with those of a sorted list.
func TestLowest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := newSample(rapid.SampledFrom([]int{100, 1000}).Draw(t, "capacity"))
		uneven := rapid.Bool().Draw(t, "uneven")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		for range rapid.IntRange(0, 3000).Draw(t, "values") {
			hash := r.Uint64()
			if uneven && r.IntN(4) > 0 {
				hash |= 1 << 63
			}
			s.add(max(hash, 1), String, nil)
		}
		all := slices.Sorted(s.Hashes())
		n := rapid.IntRange(0, 300).Draw(t, "n")
		require.True(t, slices.Equal(all[:min(n, len(all))], s.Lowest(n)), "%d of %d", n, len(all))
	})
}
