package profile

import (
	"iter"

	"github.com/shapevet/shapevet/internal/hashtable"
)

// Each id occurs once, and most ids are alike: of one class and one form. A
// sample keeps only the hashes of such values ("bare"), in a third of the
// memory of an entry, until they occur again.

// barePast is the number of values from which hashes are kept bare. Below it,
// values have numbers.
const barePast = tableValues

// makeBare keeps only the hash of a value that occurred once, if it is like the
// others, and reports whether it does.
func (s *Sample) makeBare(as entry) bool {
	if s.used+s.bared < barePast && s.shift == 0 {
		return false
	}
	like := as
	like.hash = 0
	if s.bared == 0 {
		s.like = like
	} else if like != s.like {
		return false
	}
	if 6*(s.bared+1) > 5*len(s.bare) {
		s.rebuildBare(grown(len(s.bare), 6*(s.capacity+2)/5+1))
	}
	s.putBare(as.hash)
	if s.used+s.bared > s.capacity {
		s.halve()
	}
	return true
}

func (s *Sample) putBare(hash uint64) {
	s.bared++
	i := hashtable.Home(hash, len(s.bare))
	for s.bare[i] != 0 {
		if i++; i == len(s.bare) {
			i = 0
		}
	}
	s.bare[i] = hash
}

// bareAt returns the index of a bare hash, or -1 if the hash is not bare.
func (s *Sample) bareAt(hash uint64) int {
	if s.bared == 0 {
		return -1
	}
	for i := hashtable.Home(hash, len(s.bare)); s.bare[i] != 0; {
		if s.bare[i] == hash {
			return i
		}
		if i++; i == len(s.bare) {
			i = 0
		}
	}
	return -1
}

// unbare turns a bare hash into an entry and returns it, or nil if the hash is
// not bare.
func (s *Sample) unbare(hash uint64) *entry {
	i := s.bareAt(hash)
	if i < 0 {
		return nil
	}
	n := len(s.bare)
	s.bare[i] = 0
	s.bared--
	// What follows, up to the next free slot, may have to move up.
	for j := (i + 1) % n; s.bare[j] != 0; j = (j + 1) % n {
		h := s.bare[j]
		s.bare[j] = 0
		s.bared--
		s.putBare(h)
	}
	as := s.like
	as.hash = hash
	return s.place(as)
}

// rebuildBare moves the hashes that the sample still keeps into a table of the
// given length.
func (s *Sample) rebuildBare(length int) {
	old := s.bare
	s.bare, s.bared = make([]uint64, length), 0
	for _, hash := range old {
		if hash != 0 && s.keeps(hash) {
			s.putBare(hash)
		}
	}
}

// grown returns the next length of a table. full is the length of a table that
// holds as much as the sample can.
func grown(length, full int) int {
	next := max(8, 2*length)
	if length >= largeTable {
		next = length + length/2
	}
	if next < full || length >= full {
		return next
	}
	return full
}

// refit moves what is kept into tables with 1/part more room.
func (s *Sample) refit(part int) {
	entries, bare := 0, 0
	for i := range s.entries {
		if hash := s.entries[i].hash; hash != 0 && s.keeps(hash) {
			entries++
		}
	}
	for _, hash := range s.bare {
		if hash != 0 && s.keeps(hash) {
			bare++
		}
	}
	s.rebuild(min(len(s.entries), 3*(entries+entries/part+1)/2))
	s.rebuildBare(min(len(s.bare), 6*(bare+bare/part+1)/5))
}

// Parts of what a sample holds, for [Sample.refit].
const (
	halvedRoom = 2  // the table will fill again
	settled    = 64 // the table is complete
)

// largeTable is the length from which tables grow by half.
const largeTable = 1 << 12

// all yields the entries, including those of bare hashes.
func (s *Sample) all() iter.Seq[*entry] {
	return func(yield func(*entry) bool) {
		for i := range s.entries {
			if s.entries[i].hash != 0 && !yield(&s.entries[i]) {
				return
			}
		}
		e := s.like
		for _, hash := range s.bare {
			if e.hash = hash; hash != 0 && !yield(&e) {
				return
			}
		}
	}
}
