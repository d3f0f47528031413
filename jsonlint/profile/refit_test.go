package profile

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestRefitLosesNothing: a sample that has freed memory keeps its values, and
// then adds values like any other sample.
func TestRefitLosesNothing(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	for _, size := range []int{0, 1, 2, 3, 100, 500, 5000, 20000} {
		for _, part := range []int{1, halvedRoom, settled} {
			kept, fitted := newSample(3000), newSample(3000)
			for i := range size {
				hash := r.Uint64() | 1
				for range 1 + i%7/6 {
					kept.add(hash, String, nil)
					fitted.add(hash, String, nil)
				}
			}
			slots := len(fitted.entries) + len(fitted.bare)
			fitted.refit(part)
			assert.LessOrEqual(t, len(fitted.entries)+len(fitted.bare), slots)
			assert.Equal(t, kept.Values(), fitted.Values())
			for range 4000 {
				hash := r.Uint64() | 1
				kept.add(hash, String, nil)
				fitted.add(hash, String, nil)
			}
			assert.Equal(t, kept.Values(), fitted.Values())
		}
	}
}
