package sample

import (
	"cmp"
	"iter"
	"slices"
)

// A HashSample keeps items by the hash of the thing they are about, in bounded
// memory: all items of a thing or none (see [cutoff]). Fill it completely
// before reading it.
type HashSample[T any] struct {
	cutoff
	items    []hashed[T]
	capacity int
	sorted   bool // by hash
}

type hashed[T any] struct {
	hash uint64
	item T
}

func NewHashSample[T any](capacity int) *HashSample[T] { return &HashSample[T]{capacity: capacity} }

// Add keeps an item if its hash is below the threshold.
func (s *HashSample[T]) Add(hash uint64, item T) {
	if !s.Keeps(hash) {
		return
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	s.append(hashed[T]{hash, item})
}

// append is Add inside the lock: the threshold may be lower by now.
func (s *HashSample[T]) append(x hashed[T]) {
	if !s.Keeps(x.hash) {
		return
	}
	if n := len(s.items); n == cap(s.items) {
		s.items = slices.Grow(s.items, max(1, min(n, s.capacity+1-n))) // at most the capacity
	}
	s.items, s.sorted = append(s.items, x), false
	s.halve(func() bool { return len(s.items) > s.capacity }, s.drop)
}

func (s *HashSample[T]) drop() {
	s.items = slices.DeleteFunc(s.items, func(x hashed[T]) bool { return !s.Keeps(x.hash) })
}

func (s *HashSample[T]) Merge(o *HashSample[T]) {
	if s == o {
		return // all workers share one
	}
	s.raise(o.Shift.Load(), s.drop)
	for _, x := range o.items {
		s.append(x)
	}
}

// All yields the items, in no particular order.
func (s *HashSample[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, x := range s.items {
			if !yield(x.item) {
				return
			}
		}
	}
}

// Hashes returns the hashes of the kept things, in order.
func (s *HashSample[T]) Hashes() []uint64 {
	s.sort()
	var out []uint64
	for i := range s.items {
		if n := len(out); n == 0 || out[n-1] != s.items[i].hash {
			out = append(out, s.items[i].hash)
		}
	}
	return out
}

// Of returns the items of a thing, in no particular order.
func (s *HashSample[T]) Of(hash uint64) []T {
	s.sort()
	from, _ := slices.BinarySearchFunc(s.items, hash, func(x hashed[T], hash uint64) int { return cmp.Compare(x.hash, hash) })
	var out []T
	for _, x := range s.items[from:] {
		if x.hash != hash {
			break
		}
		out = append(out, x.item)
	}
	return out
}

func (s *HashSample[T]) sort() {
	if !s.sorted {
		slices.SortFunc(s.items, func(a, b hashed[T]) int { return cmp.Compare(a.hash, b.hash) })
		s.sorted = true
	}
}
