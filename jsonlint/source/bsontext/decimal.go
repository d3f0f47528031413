package bsontext

import (
	"math/bits"
	"strconv"
)

// The layout of a Decimal128 (IEEE 754-2008, binary integer decimal): a sign,
// 14 bits of exponent, 113 bits of coefficient.
const (
	exponentBias = 6176
	signBit      = 1 << 63
	specialBits  = 0x1f << 58
	infinity     = 0x1e << 58
	largeForm    = 3 << 61 // the coefficient would have more than 34 digits, so it counts as 0
)

// appendDecimal writes a Decimal128 with the "to-scientific-string" algorithm
// of the General Decimal Arithmetic specification, as Extended JSON does.
func appendDecimal(dst []byte, high, low uint64) []byte {
	special := high & specialBits
	if special == specialBits {
		return append(dst, "NaN"...)
	}
	if high&signBit != 0 {
		dst = append(dst, '-')
	}
	if special == infinity {
		return append(dst, "Infinity"...)
	}
	exponent := int(high>>49&(1<<14-1)) - exponentBias
	if high&largeForm == largeForm {
		// In this form, the exponent is two bits further on.
		exponent = int(high>>47&(1<<14-1)) - exponentBias
		high, low = 0, 0
	}
	high &= 1<<49 - 1
	digits := coefficient(high, low)
	first := exponent + len(digits) - 1 // power of ten of the first digit
	switch {
	case exponent > 0 || first < -6:
		dst = append(dst, digits[0])
		if len(digits) > 1 {
			dst = append(append(dst, '.'), digits[1:]...)
		}
		dst = append(dst, 'E')
		if first > 0 {
			dst = append(dst, '+')
		}
		return strconv.AppendInt(dst, int64(first), 10)
	case exponent == 0:
		return append(dst, digits...)
	case first >= 0:
		whole := len(digits) + exponent
		return append(append(append(dst, digits[:whole]...), '.'), digits[whole:]...)
	}
	dst = append(dst, "0."...)
	for range -first - 1 {
		dst = append(dst, '0')
	}
	return append(dst, digits...)
}

// coefficient returns the digits of a 128-bit number.
func coefficient(high, low uint64) []byte {
	const part = 1e19 // the largest power of ten that fits 64 bits
	if high == 0 {
		return strconv.AppendUint(nil, low, 10)
	}
	quotient, rest := bits.Div64(high, low, part) // high has 49 bits, so the quotient fits
	digits := strconv.AppendUint(nil, quotient, 10)
	tail := strconv.AppendUint(nil, rest, 10)
	for range 19 - len(tail) {
		digits = append(digits, '0')
	}
	return append(digits, tail...)
}
