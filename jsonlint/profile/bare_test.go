package profile

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestSampleCounts adds values, most of them unique, in parts that are merged,
// and compares the sample with a count of all values.
func TestSampleCounts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		capacity := rapid.SampledFrom([]int{70, 300}).Draw(t, "capacity")
		parts := make([]Sample, rapid.IntRange(1, 3).Draw(t, "parts"))
		for i := range parts {
			parts[i] = newSample(capacity)
		}
		counts, classes := map[uint64]int64{}, map[uint64]ClassSet{}
		for i := range rapid.IntRange(0, 1500).Draw(t, "values") {
			text := fmt.Append(nil, "value ", i)
			hash := HashText(text)
			class := String
			if i%97 == 3 {
				class = Int
			}
			for range []int{1, 1, 1, 1, 1, 1, 3}[bits.OnesCount64(hash)%7] {
				parts[int(hash>>3)%len(parts)].add(hash, class, text)
				counts[hash]++
				classes[hash] |= 1 << class
				class = String
			}
		}
		s := parts[0]
		for i := range parts[1:] {
			s.merge(&parts[i+1])
		}
		hashes := make([]uint64, 0, len(counts))
		for h := range counts {
			hashes = append(hashes, h)
		}
		slices.Sort(hashes)
		shift := 0
		kept := func() int {
			n, _ := slices.BinarySearch(hashes, 1<<(64-shift))
			if shift == 0 {
				n = len(hashes)
			}
			return n
		}
		for kept() > capacity {
			shift++
		}
		require.Equal(t, shift, int(s.shift))
		require.Equal(t, hashes[:kept()], s.Lowest(len(hashes)))
		for _, v := range s.Values() {
			require.Equal(t, counts[v.Hash], v.Count)
			require.Equal(t, classes[v.Hash], v.Classes)
			count, set, known := s.Lookup(v.Hash)
			require.True(t, known)
			require.Equal(t, v.Count, count)
			require.Equal(t, v.Classes, set)
		}
	})
}

// TestBareHashesAreSmall stores ids in the memory of their hashes.
func TestBareHashesAreSmall(t *testing.T) {
	t.Parallel()
	const ids = 2 * idCapacity // the texts of the first ones weigh less among many
	s := newSample(ids)
	for i := range ids {
		text := fmt.Append(nil, "id ", i)
		s.add(HashText(text), String, text)
	}
	require.Equal(t, ids, s.used+s.bared)
	require.LessOrEqual(t, len(s.bare)*8+len(s.entries)*24, ids*10)
}

func TestScattered(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 2, 7, 8, 1024, 157_289} {
		seen := make([]bool, n)
		for i := range scattered(n) {
			require.False(t, seen[i], "%d of %d twice", i, n)
			seen[i] = true
		}
		assert.NotContains(t, seen, false, n)
	}
}
