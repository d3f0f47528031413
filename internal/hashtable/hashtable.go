// Package hashtable keeps values by 64-bit hash in one piece of memory. A map
// of Go needs up to twice the memory, and where values hold no pointers the
// garbage collector does not look into a table at all.
package hashtable

import (
	"iter"
	"math/bits"
)

// A Table has any number of values of each hash. The zero value is empty.
// Pointers to values are good until the table changes.
type Table[V any] struct {
	// Full is the number of values that the table is not expected to exceed:
	// it grows to that without doubling past it. 0 if there is no such number.
	Full int

	slots []slot[V] // open addressing
	used  int
}

type slot[V any] struct {
	hash  uint64 // 0 marks a free slot
	value V
}

// taken is the hash as slots have it.
func taken(hash uint64) uint64 { return max(hash, 1) }

// Home returns where a hash belongs in a table of so many slots. What is kept
// is often chosen by the highest bits of the hash, so that they are mixed.
func Home(hash uint64, slots int) int {
	high, _ := bits.Mul64(hash*0x9e3779b97f4a7c15, uint64(slots))
	return int(high)
}

// Len returns the number of values.
func (t *Table[V]) Len() int { return t.used }

// All yields the values of a hash, in no particular order.
func (t *Table[V]) All(hash uint64) iter.Seq[*V] {
	return func(yield func(*V) bool) {
		if t.used == 0 {
			return
		}
		hash := taken(hash)
		for i := Home(hash, len(t.slots)); t.slots[i].hash != 0; {
			if t.slots[i].hash == hash && !yield(&t.slots[i].value) {
				return
			}
			if i++; i == len(t.slots) {
				i = 0
			}
		}
	}
}

// Find returns a value of the hash, nil if there is none.
func (t *Table[V]) Find(hash uint64) *V {
	for v := range t.All(hash) {
		return v
	}
	return nil
}

// Add adds a value and returns where it stands.
func (t *Table[V]) Add(hash uint64, value V) *V {
	if t.used+1 > room(len(t.slots)) {
		t.resize(t.next(), func(uint64, *V) bool { return true })
	}
	return t.put(slot[V]{taken(hash), value})
}

// Reserve makes room for more values. What another table has is in the order
// of its slots, which is the order of the slots here: without room for all of
// it, it would crowd at the beginning.
func (t *Table[V]) Reserve(more int) {
	for t.used+more > room(len(t.slots)) {
		t.resize(t.next(), func(uint64, *V) bool { return true })
	}
}

// room is the number of values that a table of so many slots takes.
func room(slots int) int { return 3 * slots / 4 }

// next returns how many slots a table has that this one is too small for.
func (t *Table[V]) next() int {
	next := max(4, 2*len(t.slots))
	if full := 4*(t.Full+1)/3 + 2; len(t.slots) < full && full < next {
		return full
	}
	return next
}

func (t *Table[V]) put(s slot[V]) *V {
	i := Home(s.hash, len(t.slots))
	for t.slots[i].hash != 0 {
		if i++; i == len(t.slots) {
			i = 0
		}
	}
	t.slots[i] = s
	t.used++
	return &t.slots[i].value
}

// Each yields hashes and values, in no particular order.
func (t *Table[V]) Each() iter.Seq2[uint64, *V] {
	return func(yield func(uint64, *V) bool) {
		for i := range t.slots {
			if s := &t.slots[i]; s.hash != 0 && !yield(s.hash, &s.value) {
				return
			}
		}
	}
}

// Retain drops the values that keep does not report true for.
func (t *Table[V]) Retain(keep func(hash uint64, value *V) bool) {
	t.resize(len(t.slots), keep)
}

// resize moves what is kept into a table of so many slots.
func (t *Table[V]) resize(slots int, keep func(uint64, *V) bool) {
	old := t.slots
	t.slots, t.used = make([]slot[V], slots), 0
	for i := range old {
		if s := &old[i]; s.hash != 0 && keep(s.hash, &s.value) {
			t.put(*s)
		}
	}
}
