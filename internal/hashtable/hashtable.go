// Package hashtable stores values by 64-bit hash in one block of memory. A Go
// map needs up to twice the memory. If values hold no pointers, the garbage
// collector does not scan a table at all.
package hashtable

import (
	"iter"
	"math/bits"
)

// A Table holds any number of values per hash. The zero value is empty.
// Pointers to values are valid until the table changes.
type Table[V any] struct {
	// Full is the number of values that the table should not exceed. The table
	// grows to that size without doubling beyond it. 0 means unknown.
	Full int

	slots []slot[V] // open addressing
	used  int
}

type slot[V any] struct {
	hash  uint64 // 0 marks a free slot
	value V
}

// taken returns the hash as stored in slots.
func taken(hash uint64) uint64 { return max(hash, 1) }

// Home returns where a hash belongs in a table with the given number of slots.
// It mixes the bits, because the highest bits of the hash often decide what is
// kept.
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

// Find returns a value of the hash, or nil.
func (t *Table[V]) Find(hash uint64) *V {
	for v := range t.All(hash) {
		return v
	}
	return nil
}

// Add adds a value and returns a pointer to it.
func (t *Table[V]) Add(hash uint64, value V) *V {
	if t.used+1 > room(len(t.slots)) {
		t.resize(t.next(), func(uint64, *V) bool { return true })
	}
	return t.put(slot[V]{taken(hash), value})
}

// Reserve makes room for more values. Call it before adding values from another
// table, which come in the order of its slots: without room for all of them,
// they would crowd at the beginning.
func (t *Table[V]) Reserve(more int) {
	for t.used+more > room(len(t.slots)) {
		t.resize(t.next(), func(uint64, *V) bool { return true })
	}
}

// room returns the number of values that a table of the given number of slots
// can hold.
func room(slots int) int { return 3 * slots / 4 }

// next returns the number of slots of the next larger table.
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

// Each yields hashes and values in no particular order.
func (t *Table[V]) Each() iter.Seq2[uint64, *V] {
	return func(yield func(uint64, *V) bool) {
		for i := range t.slots {
			if s := &t.slots[i]; s.hash != 0 && !yield(s.hash, &s.value) {
				return
			}
		}
	}
}

// Retain drops the values for which keep returns false.
func (t *Table[V]) Retain(keep func(hash uint64, value *V) bool) {
	t.resize(len(t.slots), keep)
}

// resize moves what is kept into a table with the given number of slots.
func (t *Table[V]) resize(slots int, keep func(uint64, *V) bool) {
	old := t.slots
	t.slots, t.used = make([]slot[V], slots), 0
	for i := range old {
		if s := &old[i]; s.hash != 0 && keep(s.hash, &s.value) {
			t.put(*s)
		}
	}
}
