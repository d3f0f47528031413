package scan

import "encoding/binary"

// Documents of a collection repeat the order of their names, so that a parser
// guesses each name from the one before it and has only to compare: the bytes
// of the name are not looked at one by one, and need not be validated again.
//
// A guess that is wrong costs time and nothing else. That is why guesses may
// be forgotten and overwritten at will: there is a fixed number of them, and a
// document with a million names takes no more memory than one with ten.

const (
	guessBits = 11

	// guessLength is how much of a name can be guessed, with the quote after
	// it.
	guessLength = 24
)

// A guess is a name that may come next.
type guess struct {
	head, middle, tail uint64    // name and quote: the first 8 bytes, the next, the last
	length             uint32    // of all that, 0 for none
	next               [2]uint16 // what followed the member, the latest first
	first              [2]uint16 // what the objects in its value began with
}

// guesses are the names that a parser remembers, by their hash. The first one
// stands for the document, and for what cannot be guessed.
type guesses [1 << guessBits]guess

// matches reports whether the name and the quote stand at src[i:].
func (g *guess) matches(src []byte, i int) bool {
	n := int(g.length)
	if n == 0 || i+guessLength > len(src) {
		return false
	}
	text := src[i : i+guessLength]
	head := binary.LittleEndian.Uint64(text)
	if n <= 8 {
		return (head^g.head)<<(64-8*n) == 0
	}
	return head == g.head && binary.LittleEndian.Uint64(text[n-8:]) == g.tail &&
		(n <= 16 || binary.LittleEndian.Uint64(text[8:]) == g.middle)
}

// learn remembers that the name src[i:end], free of escapes, came next, in an
// object that is a value of the guess self. It returns the name's guess.
func (gs *guesses) learn(src []byte, i, end int, self uint16, next *[2]uint16) uint16 {
	n := end + 1 - i
	if n > guessLength || i+guessLength > len(src) {
		return 0
	}
	text := src[i : i+guessLength]
	g := guess{head: binary.LittleEndian.Uint64(text), length: uint32(n)}
	if n <= 8 {
		g.head &= 1<<(8*n) - 1
	} else {
		g.tail = binary.LittleEndian.Uint64(text[n-8:])
	}
	if n > 16 {
		g.middle = binary.LittleEndian.Uint64(text[8:])
	}
	const odd = 0x9e3779b97f4a7c15
	at := uint16(max(1, ((g.head^uint64(self))*odd^g.tail)*odd>>(64-guessBits)))
	if old := &gs[at]; old.head != g.head || old.length != g.length || old.tail != g.tail || old.middle != g.middle {
		*old = g
	}
	if next[0] != at {
		next[0], next[1] = at, next[0]
	}
	return at
}
