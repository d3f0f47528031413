package hashtable_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/shapevet/shapevet/internal/hashtable"
)

// TestTableIsAMap: it holds what a map of lists holds.
func TestTableIsAMap(t *testing.T) {
	t.Parallel()
	hashes := rapid.OneOf(rapid.Uint64Range(0, 20), rapid.Uint64())
	rapid.Check(t, func(t *rapid.T) {
		table := hashtable.Table[int]{Full: rapid.IntRange(0, 100).Draw(t, "full")}
		want := map[uint64][]int{}
		n := 0
		check := func(hash uint64) {
			var got []int
			for v := range table.All(hash) {
				got = append(got, *v)
			}
			require.ElementsMatch(t, want[max(hash, 1)], got)
			if v := table.Find(hash); v != nil {
				require.Contains(t, got, *v)
			} else {
				require.Empty(t, got)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				hash := hashes.Draw(t, "hash")
				require.Equal(t, n, *table.Add(hash, n))
				want[max(hash, 1)] = append(want[max(hash, 1)], n)
				n++
			},
			"change": func(t *rapid.T) {
				hash := hashes.Draw(t, "hash")
				for v := range table.All(hash) {
					*v = -*v
				}
				for i := range want[max(hash, 1)] {
					want[max(hash, 1)][i] *= -1
				}
			},
			"retain": func(t *rapid.T) {
				below := hashes.Draw(t, "below")
				table.Retain(func(hash uint64, _ *int) bool { return hash < below })
				for hash := range want {
					if hash >= below {
						delete(want, hash)
					}
				}
			},
			"": func(t *rapid.T) {
				total, each := 0, 0
				for hash, list := range want {
					total += len(list)
					check(hash)
				}
				for hash, v := range table.Each() {
					each++
					require.True(t, slices.Contains(want[hash], *v))
				}
				require.Equal(t, total, table.Len())
				require.Equal(t, total, each)
				check(hashes.Draw(t, "other"))
			},
		})
	})
}
