package profile

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestUnionIsWhatItsSamplesHold: looking up a value in a union gives the same
// result as looking it up in each sample.
func TestUnionIsWhatItsSamplesHold(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for _, sizes := range [][]int{nil, {0}, {1}, {3, 0, 500}, {5000, 20, 5000}} {
		var samples []*Sample
		hashes := []uint64{1, 1 << 63}
		for _, n := range sizes {
			s := newSample(300)
			for range n {
				hash := r.Uint64() | 1
				if r.IntN(3) == 0 {
					hash = hashes[r.IntN(len(hashes))]
				}
				hashes = append(hashes, hash)
				s.add(hash, String, nil)
			}
			samples = append(samples, &s)
		}
		u, register := NewUnion(samples...), NewRegister(samples...)
		values := newSample(1000)
		for _, hash := range hashes {
			values.add(hash, Class(1+hash>>8%4), nil)
		}
		tested, found, same := values.Inclusion(samples...)
		gotTested, gotFound, gotSame, each := register.Inclusion(&values)
		assert.Equal(t, []int{tested, found, same}, []int{gotTested, gotFound, gotSame})
		for n, s := range samples {
			_, found, _ := values.Inclusion(s)
			assert.Equal(t, found, each[n])
		}
		for range 1000 {
			hashes = append(hashes, r.Uint64()|1, r.Uint64()>>9|1)
		}
		for _, hash := range hashes {
			held, known := false, true
			for _, s := range samples {
				count, _, ok := s.Lookup(hash)
				held, known = held || count > 0, known && ok
			}
			gotHeld, gotKnown := u.Lookup(hash)
			assert.Equal(t, held, gotHeld)
			assert.Equal(t, held || known, gotKnown)
		}
	}
}
