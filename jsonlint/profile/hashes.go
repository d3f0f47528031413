package profile

import "iter"

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

// Tells counts the values of which the sample can tell whether it has them.
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
