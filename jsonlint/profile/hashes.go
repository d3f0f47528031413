package profile

import (
	"iter"
	"math/bits"
)

// Hashes yields the hashes of the values that are kept, in no particular
// order.
func (s *Sample) Hashes() iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for e := range s.all() {
			if !yield(e.hash) {
				return
			}
		}
	}
}

// Cutoff returns how many leading bits of a hash have to be 0 so that at most n
// values are left, or 0 if the sample cannot tell.
func (s *Sample) Cutoff(n int) (zeros uint8) {
	kept := s.used + s.bared
	if kept <= n {
		return 0
	}
	var counts [65]int
	for hash := range s.Hashes() {
		counts[bits.LeadingZeros64(hash)]++
	}
	for zeros = s.shift; kept > n; zeros++ {
		kept -= counts[zeros]
	}
	return zeros
}

// Tells counts the given values whose presence in the sample is known.
func (s *Sample) Tells(values *Sample) (n int) {
	for hash := range values.Hashes() {
		if s.keeps(hash) {
			n++
		}
	}
	return n
}

// Repeats yields the hashes of the kept values that occurred more than once,
// in no particular order.
func (s *Sample) Repeats() iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for e := range s.all() {
			if e.count > 1 && !yield(e.hash) {
				return
			}
		}
	}
}
