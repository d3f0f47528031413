package relations

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// TestEdgesKeepOpposites: two samples of opposite relations keep the same
// pairs.
func TestEdgesKeepOpposites(t *testing.T) {
	t.Parallel()
	assert.Equal(t, edge{1, 2}.hash(), edge{2, 1}.hash())
	r := rand.New(rand.NewPCG(3, 4))
	forth, back := NewEdges(nil, &model.Reference{}), NewEdges(nil, &model.Reference{})
	for i := range 3 * edgesKept {
		e := edge{r.Uint64(), r.Uint64()}
		at := profile.Pos{Off: int64(i), DocLen: 1}
		forth.put(e, at)
		back.put(e.reversed(), at)
	}
	shift := max(forth.Kept.Shift.Load(), back.Kept.Shift.Load())
	assert.Positive(t, shift)
	forth.Kept.KeepBelow(shift)
	back.Kept.KeepBelow(shift)
	assert.Positive(t, forth.Kept.Len())
	assert.Equal(t, forth.Kept.Len(), back.Kept.Len())
	assert.Empty(t, forth.Without(back))
	for _, e := range forth.Kept.All() {
		at, ok := back.find(e.reversed())
		assert.True(t, ok)
		assert.Equal(t, e.At.Pos(), at)
	}
}
