// Package sample keeps a bounded part of what documents show, chosen by hash.
// The choice depends neither on the order of the documents nor on the number of
// workers.
package sample

import (
	"iter"
	"slices"

	"github.com/shapevet/shapevet/internal/hashtable"
)

// ByHash is a map from hashes in bounded memory (see [cutoff]).
type ByHash[V any] struct {
	cutoff
	Table    hashtable.Table[V]
	capacity int
}

func NewByHash[V any](capacity int) *ByHash[V] {
	b := &ByHash[V]{}
	b.Bound(capacity)
	return b
}

// Bound sets the capacity. It must be called before anything is added.
func (b *ByHash[V]) Bound(capacity int) { b.capacity, b.Table.Full = capacity, capacity }

// Put combines v with the value kept for the hash. combine must not depend on
// the order of its arguments.
func (b *ByHash[V]) Put(hash uint64, v V, combine func(a, b V) V) {
	b.Insert(hash, v, func(have *V, v V) bool {
		*have = combine(*have, v)
		return true
	})
}

// Insert is Put for several values per hash: it adds v unless into reports that
// it merged v into an existing value.
func (b *ByHash[V]) Insert(hash uint64, v V, into func(have *V, v V) bool) {
	if !b.Keeps(hash) {
		return
	}
	b.lock.Lock()
	defer b.lock.Unlock()
	b.place(hash, v, into)
}

// place is Insert inside the lock: the threshold may be lower by now.
func (b *ByHash[V]) place(hash uint64, v V, into func(*V, V) bool) {
	if !b.Keeps(hash) {
		return
	}
	for have := range b.Table.All(hash) {
		if into(have, v) {
			return
		}
	}
	b.Table.Add(hash, v)
	b.halve(func() bool { return b.Table.Len() > b.capacity }, b.drop)
}

func (b *ByHash[V]) drop() {
	b.Table.Retain(func(hash uint64, _ *V) bool { return b.Keeps(hash) })
}

// KeepBelow drops what a map with this shift does not keep.
func (b *ByHash[V]) KeepBelow(shift uint32) { b.raise(shift, b.drop) }

func (b *ByHash[V]) Merge(o *ByHash[V], combine func(a, b V) V) {
	b.Take(o, func(have *V, v V) bool {
		*have = combine(*have, v)
		return true
	})
}

// Take inserts everything that another map keeps.
func (b *ByHash[V]) Take(o *ByHash[V], into func(*V, V) bool) {
	if b == o {
		return // all workers share one
	}
	b.KeepBelow(o.Shift.Load())
	b.Table.Reserve(min(o.Table.Len(), max(0, b.capacity-b.Table.Len())))
	for hash, v := range o.Table.Each() {
		b.place(hash, *v, into)
	}
}

// Get returns the value kept for a hash.
func (b *ByHash[V]) Get(hash uint64) (v V, ok bool) {
	if have := b.Table.Find(hash); have != nil {
		return *have, true
	}
	return v, false
}

// Len returns the number of values that are kept.
func (b *ByHash[V]) Len() int { return b.Table.Len() }

// All yields the kept values in no particular order.
func (b *ByHash[V]) All() iter.Seq2[uint64, *V] { return b.Table.Each() }

// Hashes returns the kept hashes in order, without repeats.
func (b *ByHash[V]) Hashes() []uint64 {
	out := make([]uint64, 0, b.Table.Len())
	for hash := range b.Table.Each() {
		out = append(out, hash)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Sum combines counts.
func Sum(a, b int64) int64 { return a + b }

// PairHash combines the hashes of two values. Their order matters.
func PairHash(a, b uint64) uint64 {
	h := (a*0x9e3779b97f4a7c15 ^ b) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>31) * 0x94d049bb133111eb
	return h ^ h>>30
}
