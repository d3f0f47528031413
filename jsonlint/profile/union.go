package profile

import "math/bits"

// A Union is what several samples hold together, made to be asked often: the
// ids of all kinds of document that a reference may lead to. A value that is
// in none of them costs a look at one word, one that is in any of them a look
// into one table rather than into that of each.
type Union struct {
	filter  []uint64 // a bit for each hash that is held, by its lowest bits
	slots   []uint64 // the hashes themselves: open addressing, 0 marks a free slot
	holders []holder // of the hash in each slot
	shift   uint8    // hashes below 2^(64-shift) are known to all samples
	samples []*Sample
}

// A holder says who has a value.
type holder struct {
	sample  int32 // of the union's; several if there is more than one
	classes ClassSet
}

const several = -1

// Of each hash the filter has so many bits, at least.
const filterBits = 8

// NewUnion joins samples, which must not change any more.
func NewUnion(samples ...*Sample) *Union {
	u, held := &Union{samples: samples}, 0
	for _, s := range samples {
		u.shift = max(u.shift, s.shift)
		for range s.all() {
			held++
		}
	}
	if held == 0 {
		return u
	}
	size := 1 << bits.Len(uint(held+held/2))
	u.slots, u.filter = make([]uint64, size), make([]uint64, (size*filterBits+63)/64)
	u.holders = make([]holder, size)
	for n, s := range samples {
		for e := range s.all() {
			u.put(e.hash, holder{int32(n), e.classes})
		}
	}
	return u
}

func (u *Union) put(hash uint64, by holder) {
	u.filter[hash>>6&uint64(len(u.filter)-1)] |= 1 << (hash & 63)
	for i := hash; ; i++ {
		at := i & uint64(len(u.slots)-1)
		switch u.slots[at] {
		case 0:
			u.slots[at], u.holders[at] = hash, by
			return
		case hash:
			u.holders[at].sample = several
			u.holders[at].classes |= by.classes
			return
		}
	}
}

// Lookup reports whether one of the samples has the value with this hash;
// known is false if none has it and one of them cannot tell (see
// [Sample.Lookup]).
func (u *Union) Lookup(hash uint64) (held, known bool) {
	held = u.find(hash) >= 0
	return held, held || u.knows(hash)
}

func (u *Union) knows(hash uint64) bool { return hash>>(64-u.shift) == 0 }

// find returns the slot of a hash, -1 if no sample has it.
func (u *Union) find(hash uint64) int {
	if len(u.slots) == 0 || u.filter[hash>>6&uint64(len(u.filter)-1)]&(1<<(hash&63)) == 0 {
		return -1
	}
	for i := hash; ; i++ {
		at := i & uint64(len(u.slots)-1)
		switch u.slots[at] {
		case hash:
			return int(at)
		case 0:
			return -1
		}
	}
}

// Inclusion is [Sample.Inclusion] of the values in all samples of the union;
// each is how many of them each sample has.
func (u *Union) Inclusion(values *Sample) (tested, found, sameType int, each []int) {
	each = make([]int, len(u.samples))
	for e := range values.all() {
		at := u.find(e.hash)
		if at < 0 {
			if u.knows(e.hash) {
				tested++
			}
			continue
		}
		tested++
		found++
		by := u.holders[at]
		if by.classes.typeClasses()&e.classes.typeClasses() != 0 {
			sameType++
		}
		if by.sample != several {
			each[by.sample]++
			continue
		}
		for n, s := range u.samples {
			if count, _, _ := s.Lookup(e.hash); count > 0 {
				each[n]++
			}
		}
	}
	return tested, found, sameType, each
}
