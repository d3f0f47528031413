package rules

import (
	"cmp"
	"slices"
)

// A hashSample keeps items by the hash of the thing that they are about, in
// bounded memory: once there are too many, only those with a hash below a
// threshold stay, all items of one thing or none. What is kept depends on the
// set of items alone, not on their order or on how they were split between
// workers, and two samples with one threshold hold the same things (see
// [profile.Sample]).
type hashSample[T any] struct {
	items    map[uint64][]T
	weight   int // of all items kept
	capacity int
	shift    uint8
}

func newHashSample[T any](capacity int) *hashSample[T] {
	return &hashSample[T]{items: map[uint64][]T{}, capacity: capacity}
}

func (s *hashSample[T]) keeps(hash uint64) bool { return s.shift == 0 || hash < 1<<(64-s.shift) }

// add keeps an item if its hash is below the threshold.
func (s *hashSample[T]) add(hash uint64, item T) {
	if !s.keeps(hash) {
		return
	}
	s.items[hash] = append(s.items[hash], item)
	if s.weight++; s.weight > s.capacity {
		s.shrink(s.shift + 1)
	}
}

// set replaces all items of a thing.
func (s *hashSample[T]) set(hash uint64, items []T) {
	if !s.keeps(hash) {
		return
	}
	s.weight += len(items) - len(s.items[hash])
	s.items[hash] = items
	if s.weight > s.capacity {
		s.shrink(s.shift + 1)
	}
}

// raise drops what a sample with this shift does not keep.
func (s *hashSample[T]) raise(shift uint8) {
	if shift > s.shift {
		s.shrink(shift)
	}
}

func (s *hashSample[T]) shrink(shift uint8) {
	for ; shift < 64; shift++ {
		s.shift, s.weight = shift, 0
		for hash, items := range s.items {
			if s.keeps(hash) {
				s.weight += len(items)
			} else {
				delete(s.items, hash)
			}
		}
		if s.weight <= s.capacity {
			return
		}
	}
}

func (s *hashSample[T]) merge(o *hashSample[T]) {
	s.raise(o.shift)
	for hash, items := range o.items {
		if s.keeps(hash) {
			s.items[hash] = append(s.items[hash], items...)
			s.weight += len(items)
		}
	}
	if s.weight > s.capacity {
		s.shrink(s.shift + 1)
	}
}

// hashes returns the hashes of the things kept, in order.
func (s *hashSample[T]) hashes() []uint64 {
	out := make([]uint64, 0, len(s.items))
	for hash := range s.items {
		out = append(out, hash)
	}
	slices.SortFunc(out, func(a, b uint64) int { return cmp.Compare(a, b) })
	return out
}
