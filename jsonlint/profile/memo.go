package profile

import (
	"encoding/binary"
	"math/bits"
)

// A memo holds the scalars that one step of a plan met lately, so that a
// repeated one is only counted. It grows while it misses most values. If it is
// large and still does, as with ids, it is given up.
type memo struct {
	known  []known // by hash, in pairs, power-of-two length; empty once given up
	finds  int     // of values other than the last, since it last grew
	misses int     // since it last grew
}

// A known scalar holds its text as written, its reading, and how often it has
// occurred since that was last counted.
type known struct {
	text  []byte
	times int64
	reading
}

// A reading is what the text of a scalar means.
type reading struct {
	hash      uint64
	cut       cut
	class     Class
	form      Form
	integer   integerKind
	double    doubleKind
	imprecise bool
	number    uint8
}

const (
	longestKnown = 96 // bytes of a text as written
	memoLarge    = 64 // texts
	memoGrows    = 8  // factor by which it grows
	memoFinds    = 32 // finds before it may grow
)

// find returns the place in the memo of the scalar written as text, or nil. If
// another scalar occupies the place, its repeats have been counted.
func (b *Builder) find(p *target, text []byte) *known {
	m := &p.memo
	if len(m.known) == 0 || len(text) > longestKnown {
		return nil
	}
	if m.finds++; m.finds > memoFinds+2*len(m.known) {
		if 2*m.misses > m.finds {
			b.grow(p)
		}
		m.finds, m.misses = 0, 0
		if len(m.known) == 0 {
			return nil
		}
	}
	i := int(quickHash(text)) & (len(m.known) - 1)
	k := &m.known[i]
	if string(k.text) == string(text) {
		return k
	}
	if len(m.known) > 1 {
		other := &m.known[i^1]
		if string(other.text) == string(text) {
			return other
		}
		*k, *other = *other, *k // keep the later one
	}
	m.misses++
	p.flush(k)
	return k
}

// grow enlarges the memo, or gives it up.
func (b *Builder) grow(p *target) {
	m := &p.memo
	old := m.known
	if m.known = nil; len(old) < memoLarge && b.known < maxKnown {
		m.known = make([]known, memoGrows*len(old))
	}
	b.known += len(m.known) - len(old)
	for i := range old {
		k := &old[i]
		if len(m.known) > 0 && len(k.text) > 0 {
			to := &m.known[quickHash(k.text)&uint32(len(m.known)-1)]
			p.flush(to)
			*to = *k
		} else {
			p.flush(k)
		}
	}
}

// quickHash hashes the ends, the middle and the length of a text.
func quickHash(text []byte) uint32 {
	n := len(text)
	var first, last, middle uint64
	switch {
	case n >= 8:
		first = binary.LittleEndian.Uint64(text)
		last = binary.LittleEndian.Uint64(text[n-8:])
		middle = binary.LittleEndian.Uint64(text[n/2-4:])
	case n >= 4:
		first = uint64(binary.LittleEndian.Uint32(text))
		last = uint64(binary.LittleEndian.Uint32(text[n-4:]))
	case n > 0:
		first = uint64(text[0]) | uint64(text[n/2])<<8 | uint64(text[n-1])<<16
	}
	high, low := bits.Mul64(first^uint64(n)^secretLow, last^bits.RotateLeft64(middle, 27)^secretHigh)
	return uint32((high ^ low) >> 16)
}
