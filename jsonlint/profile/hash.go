package profile

import (
	"encoding/binary"
	"math/bits"
)

// shortText is the longest text that [hashShort] hashes.
const shortText = 16

// Words of the secret of XXH3, combined as it combines them.
const (
	secret3    = 0x396cfeb8 ^ 0xbe4ba423
	secret8    = 0x1cad21f72c81017c ^ 0xdb979083e96dd4de
	secretLow  = 0x1f67b3b7a4a44072 ^ 0x78e5c0cc4ee679cb
	secretHigh = 0x2172ffcc7dd05a82 ^ 0x8e2443f7744608b8

	emptyHash = 0x2d06800538d394c2
)

// hashShort is the 64-bit XXH3 without a seed (https://xxhash.com) for texts of
// up to 16 bytes. Most values are that short, and calling the library costs as
// much as hashing them.
func hashShort(text []byte) uint64 {
	n := len(text)
	switch {
	case n > 8:
		low := binary.LittleEndian.Uint64(text) ^ secretLow
		high := binary.LittleEndian.Uint64(text[n-8:]) ^ secretHigh
		h, l := bits.Mul64(low, high)
		h = uint64(n) + bits.ReverseBytes64(low) + high + (h ^ l)
		h = (h ^ h>>37) * 0x165667919e3779f9
		return max(h^h>>32, 1)
	case n >= 4:
		first, last := binary.LittleEndian.Uint32(text), binary.LittleEndian.Uint32(text[n-4:])
		h := uint64(last) + uint64(first)<<32 ^ secret8
		h ^= bits.RotateLeft64(h, 49) ^ bits.RotateLeft64(h, 24)
		h *= 0x9fb21c651e98df25
		h ^= h>>35 + uint64(n)
		h *= 0x9fb21c651e98df25
		return max(h^h>>28, 1)
	case n > 0:
		h := uint64(text[0])<<16 | uint64(text[n>>1])<<24 | uint64(text[n-1]) | uint64(n)<<8
		h ^= secret3
		h = (h ^ h>>33) * 0xc2b2ae3d27d4eb4f
		h = (h ^ h>>29) * 0x165667b19e3779f9
		return max(h^h>>32, 1)
	}
	return emptyHash
}
