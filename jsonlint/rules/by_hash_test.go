package rules

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/shapevet/shapevet/jsonlint/profile"
)

// TestByHashIsAMonoid: whatever the order and the split, the same entries are
// kept, with the same values.
func TestByHashIsAMonoid(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	hashes := make([]uint64, 5000)
	for i := range hashes {
		hashes[i] = r.Uint64()
	}
	hashes = append(hashes, hashes[:1000]...)
	add := func(a, b int) int { return a + b }
	build := func(parts int) byHash[int] {
		maps := make([]byHash[int], parts)
		for i := range maps {
			maps[i] = newByHash[int](300)
		}
		for i, k := range r.Perm(len(hashes)) {
			maps[i%parts].put(hashes[k], 1, add)
		}
		for i := range maps[1:] {
			maps[0].merge(&maps[i+1], add)
		}
		return maps[0]
	}
	want := build(1)
	assert.False(t, want.exact())
	assert.LessOrEqual(t, len(want.kept), 300)
	assert.Greater(t, len(want.kept), 100)
	for _, parts := range []int{2, 7, 40} {
		got := build(parts)
		assert.Equal(t, want.kept, got.kept)
		assert.Equal(t, want.hashes(), got.hashes())
	}
}

// TestEdgesKeepOpposites: two samples of opposite relations keep the same
// pairs.
func TestEdgesKeepOpposites(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	forth, back := &edges{kept: map[edge]profile.Pos{}}, &edges{kept: map[edge]profile.Pos{}}
	for i := range 3 * edgesKept {
		e := edge{r.Uint64(), r.Uint64()}
		at := profile.Pos{Off: int64(i), DocLen: 1}
		forth.put(e, at)
		back.put(e.reversed(), at)
	}
	shift := max(forth.shift, back.shift)
	assert.Positive(t, shift)
	forth.raise(shift)
	back.raise(shift)
	assert.Len(t, back.kept, len(forth.kept))
	for e := range forth.kept {
		_, ok := back.kept[e.reversed()]
		assert.True(t, ok)
	}
}

func TestPairHashMindsTheOrder(t *testing.T) {
	t.Parallel()
	assert.NotEqual(t, pairHash(1, 2), pairHash(2, 1))
	assert.Equal(t, edge{1, 2}.hash(), edge{2, 1}.hash())
}
