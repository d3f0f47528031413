package scan

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// validUTF8 is [utf8.Valid] for texts that are not ASCII. It checks several
// characters at once if all take three bytes, or all one.
func validUTF8(text []byte) bool {
	const (
		// Masks for the bits that give a character's length, and their values.
		mask2, two   = 0xc0e0, 0x80c0
		mask3, three = 0xc0c0f0, 0x8080e0
	)
	i := uint(0)
	for i+8 <= uint(len(text)) {
		switch w := binary.LittleEndian.Uint64(text[i : i+8]); {
		case w&highs == 0:
			i += 8
			for i+32 <= uint(len(text)) && ascii(text[i:i+32]) {
				i += 32
			}
		case w&0x80 == 0:
			i += uint(bits.TrailingZeros64(w&highs)) >> 3
		case w&(mask3<<24|mask3) == three<<24|three:
			if !threeBytes(w) || !threeBytes(w>>24) {
				return false
			}
			i += 6
		case w&mask2 == two:
			if w&0x1e == 0 { // one byte would suffice
				return false
			}
			i += 2
		case w&mask3 == three:
			if !threeBytes(w) {
				return false
			}
			i += 3
		default:
			r, n := utf8.DecodeRune(text[i:])
			if r == utf8.RuneError && n == 1 {
				return false
			}
			i += uint(n)
		}
	}
	return utf8.Valid(text[i:])
}

// ascii reports whether 32 bytes are ASCII.
func ascii(b []byte) bool {
	first, second := binary.LittleEndian.Uint64(b)|binary.LittleEndian.Uint64(b[8:]), binary.LittleEndian.Uint64(b[16:])|binary.LittleEndian.Uint64(b[24:32])
	return (first|second)&highs == 0
}

// threeBytes reports whether the three-byte character at the start of w needs
// three bytes and is not a surrogate.
func threeBytes(w uint64) bool {
	const overlong, surrogate = 0x0000, 0x200d // values of the bits that distinguish them: e0 80 to e0 9f, ed a0 to ed bf
	w &= 0x200f
	return w != overlong && w != surrogate
}
