package profile

import "iter"

// Hashes yields the hashes of the values that are kept, in no particular
// order.
func (s *Sample) Hashes() iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for i := range s.entries {
			if h := s.entries[i].hash; h != 0 && !yield(h) {
				return
			}
		}
	}
}
