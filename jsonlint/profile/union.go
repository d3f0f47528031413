package profile

import (
	"math/bits"
	"slices"

	"github.com/shapevet/shapevet/internal/hashtable"
)

// A Union combines several samples for many lookups, for example the ids of all
// kinds of document that a reference may lead to. Looking up a value reads one
// word if no sample has it, and otherwise one table rather than one per sample.
type Union struct {
	filter []uint64 // a bit for each hash in the union, by its lowest bits
	slots  []uint64 // the hashes: open addressing, 0 marks a free slot
	shift  uint8    // hashes below 2^(64-shift) are known to all samples
}

// filterBits is the least number of filter bits per hash.
const filterBits = 8

// NewUnion joins samples, which must not change afterwards.
func NewUnion(samples ...*Sample) *Union {
	u := newUnion(samples)
	for _, s := range samples {
		for hash := range s.Hashes() {
			u.put(hash)
		}
	}
	return u
}

// newUnion returns an empty union with room for the samples.
func newUnion(samples []*Sample) *Union {
	u, held := &Union{}, 0
	for _, s := range samples {
		u.shift = max(u.shift, s.shift)
		held += s.used + s.bared
	}
	if held > 0 {
		u.slots = make([]uint64, held+held/3+1)
		u.filter = make([]uint64, 1<<bits.Len(uint(held*filterBits/64)))
	}
	return u
}

// put returns the slot of a hash, and whether it is new.
func (u *Union) put(hash uint64) (at int, fresh bool) {
	u.filter[hash>>6&uint64(len(u.filter)-1)] |= 1 << (hash & 63)
	for at = hashtable.Home(hash, len(u.slots)); ; {
		switch u.slots[at] {
		case 0:
			u.slots[at] = hash
			return at, true
		case hash:
			return at, false
		}
		if at++; at == len(u.slots) {
			at = 0
		}
	}
}

// Lookup reports whether one of the samples has the value with this hash. known
// is false if none has it and one of them cannot tell (see [Sample.Lookup]).
func (u *Union) Lookup(hash uint64) (held, known bool) {
	held = u.find(hash) >= 0
	return held, held || u.knows(hash)
}

func (u *Union) knows(hash uint64) bool { return hash>>(64-u.shift) == 0 }

// find returns the slot of a hash, or -1 if no sample has it.
func (u *Union) find(hash uint64) int {
	if len(u.slots) == 0 || u.filter[hash>>6&uint64(len(u.filter)-1)]&(1<<(hash&63)) == 0 {
		return -1
	}
	for at := hashtable.Home(hash, len(u.slots)); ; {
		switch u.slots[at] {
		case hash:
			return at
		case 0:
			return -1
		}
		if at++; at == len(u.slots) {
			at = 0
		}
	}
}

// A Register is a union that also knows which samples hold a value.
type Register struct {
	*Union
	holders []holder // of the hash in each slot
	samples []*Sample
}

// A holder says which samples have a value.
type holder struct {
	sample  int32 // index of the sample in the register; several if there is more than one
	classes ClassSet
}

const several = -1

// NewRegister joins samples, which must not change afterwards.
func NewRegister(samples ...*Sample) *Register {
	r := &Register{newUnion(samples), nil, samples}
	r.holders = make([]holder, len(r.slots))
	for n, s := range samples {
		for e := range s.all() {
			at, fresh := r.put(e.hash)
			if by := &r.holders[at]; fresh {
				*by = holder{int32(n), e.classes}
			} else {
				by.sample = several
				by.classes |= e.classes
			}
		}
	}
	return r
}

// Inclusion is [Sample.Inclusion] of the values in all samples of the register.
// each is how many of the values each sample has.
func (r *Register) Inclusion(values *Sample) (tested, found, sameType int, each []int) {
	each = make([]int, len(r.samples))
	for e := range values.all() {
		at := r.find(e.hash)
		if at < 0 {
			if r.knows(e.hash) {
				tested++
			}
			continue
		}
		tested++
		found++
		by := r.holders[at]
		if by.classes.typeClasses()&e.classes.typeClasses() != 0 {
			sameType++
		}
		if by.sample != several {
			each[by.sample]++
			continue
		}
		for n, s := range r.samples {
			if count, _, _ := s.Lookup(e.hash); count > 0 {
				each[n]++
			}
		}
	}
	return tested, found, sameType, each
}

// Fold treats the objects at n as maps: the values of all names become the values
// of one node, Rest. Only those beside remain fields.
func (n *Node) Fold(beside ...*Node) {
	o := n.Object
	fields := o.Fields()
	rest := o.rest(n)
	o.fields, o.first, o.Shapes = map[string]*Node{}, links{}, nil
	for _, f := range fields {
		if slices.Contains(beside, f) {
			o.fields[f.Step.Name] = f
		} else {
			rest.merge(f)
		}
	}
}
