package sample

import (
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/shapevet/shapevet/jsonlint/profile"
)

// TestByHashIsAMonoid: whatever the order, the split and the number of
// workers that share one, the same entries are kept, with the same values.
func TestByHashIsAMonoid(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	hashes := make([]uint64, 5000)
	for i := range hashes {
		hashes[i] = r.Uint64()
	}
	hashes = append(hashes, hashes[:1000]...)
	add := func(a, b int) int { return a + b }
	build := func(parts, workers int) map[uint64]int {
		parted := make([]*ByHash[int], parts)
		for i := range parted {
			parted[i] = NewByHash[int](300)
		}
		var group sync.WaitGroup
		order := r.Perm(len(hashes))
		for w := range workers {
			group.Go(func() {
				for i := w; i < len(order); i += workers {
					parted[i%parts].Put(hashes[order[i]], 1, add)
				}
			})
		}
		group.Wait()
		for _, m := range parted[1:] {
			parted[0].Merge(m, add)
		}
		parted[0].Merge(parted[0], add)
		assert.False(t, parted[0].Exact())
		kept := map[uint64]int{}
		for hash, n := range parted[0].All() {
			kept[hash] = *n
			got, ok := parted[0].Get(hash)
			assert.True(t, ok)
			assert.Equal(t, *n, got)
		}
		assert.Len(t, kept, parted[0].Len())
		assert.Equal(t, slices.Sorted(maps.Keys(kept)), parted[0].Hashes())
		return kept
	}
	want := build(1, 1)
	assert.LessOrEqual(t, len(want), 300)
	assert.Greater(t, len(want), 100)
	for _, parts := range []int{1, 2, 7, 40} {
		for _, workers := range []int{1, 8} {
			assert.Equal(t, want, build(parts, workers))
		}
	}
}

// TestHashSampleIsAMonoid: the same of a sample with several items of a thing.
func TestHashSampleIsAMonoid(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	hashes := make([]uint64, 3000)
	for i := range hashes {
		hashes[i] = r.Uint64()
	}
	order := make([]int, 10000)
	for i := range order {
		order[i] = r.IntN(len(hashes))
	}
	build := func(parts, workers int) (map[uint64][]int, uint32) {
		samples := make([]*HashSample[int], parts)
		for i := range samples {
			samples[i] = NewHashSample[int](500)
		}
		var group sync.WaitGroup
		for w := range workers {
			group.Go(func() {
				for i := w; i < len(order); i += workers {
					samples[i%parts].Add(hashes[order[i]], i)
				}
			})
		}
		group.Wait()
		for _, s := range samples[1:] {
			samples[0].Merge(s)
		}
		samples[0].Merge(samples[0])
		kept, total := map[uint64][]int{}, 0
		for _, hash := range samples[0].Hashes() {
			kept[hash] = slices.Sorted(slices.Values(samples[0].Of(hash)))
			total += len(kept[hash])
		}
		all := slices.Collect(samples[0].All())
		assert.Len(t, all, total)
		return kept, samples[0].Shift.Load()
	}
	want, shift := build(1, 1)
	all := map[uint64][]int{}
	for i, k := range order {
		if hash := hashes[k]; hash>>(64-shift) == 0 {
			all[hash] = append(all[hash], i)
		}
	}
	assert.Equal(t, all, want)
	assert.Positive(t, shift)
	for _, parts := range []int{1, 2, 7, 40} {
		for _, workers := range []int{1, 8} {
			got, _ := build(parts, workers)
			assert.Equal(t, want, got)
		}
	}
}

// TestOneThingMayHaveTooManyItems: the lowest threshold is where a sample stops.
func TestOneThingMayHaveTooManyItems(t *testing.T) {
	t.Parallel()
	s := NewHashSample[int](3)
	for i := range 10 {
		s.Add(1, i)
	}
	assert.Len(t, s.Of(1), 10)
	assert.Equal(t, []uint64{1}, s.Hashes())
	assert.Empty(t, s.Of(2))
}

// TestPackedPosIsAPos: packing loses nothing, and does not change the order.
func TestPackedPosIsAPos(t *testing.T) {
	t.Parallel()
	positions := rapid.Custom(func(t *rapid.T) profile.Pos {
		p := profile.Pos{
			File: rapid.Uint32Range(0, 2).Draw(t, "file"), Len: rapid.Uint32Range(0, 3).Draw(t, "length"),
			Doc: rapid.OneOf(rapid.Int64Range(0, 3), rapid.Int64Range(0, 1<<60)).Draw(t, "document"), DocLen: rapid.Uint32().Draw(t, "document's length"),
		}
		p.Off = p.Doc + int64(rapid.Uint32Range(0, p.DocLen).Draw(t, "offset"))
		return p
	})
	rapid.Check(t, func(t *rapid.T) {
		p, q := positions.Draw(t, "p"), positions.Draw(t, "q")
		assert.Equal(t, p, Pack(p).Pos())
		assert.Equal(t, p.Compare(q), Pack(p).Compare(Pack(q)))
		assert.Equal(t, profile.Earlier(p, q), EarlierPacked(Pack(p), Pack(q)).Pos())
	})
	assert.False(t, Pack(profile.Pos{}).Pos().Known())
}

func TestPairHashMindsTheOrder(t *testing.T) {
	t.Parallel()
	assert.NotEqual(t, PairHash(1, 2), PairHash(2, 1))
}
