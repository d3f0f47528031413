package scan

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"unicode"
	"unicode/utf8"
)

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// stops returns a word whose lowest set bit belongs to the lowest byte of w
// that is a quote, a backslash or a control character, or 0 if there is none.
// Higher bits may be wrong, because borrows carry upwards.
func stops(w uint64) uint64 {
	// Flipping a bit moves the quote to where the space was, right above the
	// control characters, so that one comparison finds both.
	controls, backslash := w^(('"'^' ')*ones), w^('\\'*ones)
	return ((controls - (' '+1)*ones) | (backslash - ones)) &^ w & highs
}

func skipSpace(src []byte, i int) int {
	for i < len(src) {
		switch src[i] {
		case ' ':
			// Pretty-printed text is indented by many spaces.
			for len(src)-i >= 8 && binary.LittleEndian.Uint64(src[i:]) == ' '*ones {
				i += 8
			}
			for i < len(src) && src[i] == ' ' {
				i++
			}
		case '\n', '\r', '\t':
			i++
		default:
			return i
		}
	}
	return i
}

// scanString reads a string from after its opening quote and returns the
// offset after its closing one.
func scanString(src []byte, i int) (end int, flags Flags, err *SyntaxError) {
	return restOfString(src, i, i, 0)
}

// restOfString is scanString for a string whose text begins at src[start] and
// has been read up to src[i]. seen is the OR of the bytes read, which shows
// whether they are ASCII.
func restOfString(src []byte, start, i int, seen uint64) (end int, flags Flags, err *SyntaxError) {
	for {
		at := uint(i)
		for ; at+8 <= uint(len(src)); at += 8 {
			w := binary.LittleEndian.Uint64(src[at : at+8])
			m := stops(w)
			if m == 0 {
				seen |= w
				continue
			}
			n := bits.TrailingZeros64(m) &^ 7
			seen |= w & (1<<n - 1)
			i = int(at) + n>>3
			goto stopped
		}
		for i = int(at); i < len(src) && src[i] != '"' && src[i] != '\\' && src[i] >= ' '; i++ {
			seen |= uint64(src[i])
		}
	stopped:
		if i >= len(src) {
			return i, flags, unterminated(src, start)
		}
		switch src[i] {
		case '"':
			if seen&highs != 0 && !validUTF8(src[start:i]) {
				return i, flags, invalidUTF8(src, start, i)
			}
			return i + 1, flags, nil
		case '\\':
			flags |= Escaped
			for i < len(src) && src[i] == '\\' { // escapes often come in groups
				n := escapeLen(src, i)
				if n < 0 {
					return i, flags, badEscape(src, start, i)
				}
				i += n
			}
		default:
			if seen&highs != 0 && !validUTF8(src[start:i]) {
				return i, flags, invalidUTF8(src, start, i)
			}
			return i, flags, &SyntaxError{i, "expected no control character in a string, found " + describe(src, i)}
		}
	}
}

// escapeLen returns the length of the escape that begins at src[i], or -1 if it
// is malformed.
func escapeLen(src []byte, i int) int {
	if i+1 >= len(src) {
		return -1
	}
	switch src[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if _, ok := Hex4(src[i+2:]); ok {
			return 6
		}
	}
	return -1
}

func badEscape(src []byte, start, i int) *SyntaxError {
	if i+1 >= len(src) {
		return unterminated(src, start)
	}
	if src[i+1] == 'u' {
		return &SyntaxError{i, `expected four hexadecimal digits after \u`}
	}
	return &SyntaxError{i, `expected one of "\/bfnrtu after a backslash, found ` + describe(src, i+1)}
}

func unterminated(src []byte, start int) *SyntaxError {
	return &SyntaxError{len(src), fmt.Sprintf("the text ends inside the string opened at offset %d", start-1)}
}

// invalidUTF8 is the error for a string whose text src[i:end] is not UTF-8.
func invalidUTF8(src []byte, i, end int) *SyntaxError {
	for i < end {
		r, n := utf8.DecodeRune(src[i:end])
		if r == utf8.RuneError && n == 1 {
			break
		}
		i += n
	}
	return &SyntaxError{i, "expected UTF-8 in a string, found " + describe(src, i)}
}

func isDigit(c byte) bool { return c-'0' < 10 }

// scanNumber reads the number that begins at src[i], a digit or a minus.
func scanNumber(src []byte, i int) (end int, flags Flags, err *SyntaxError) {
	start := i
	if src[i] == '-' {
		i++
	}
	switch {
	case i >= len(src) || !isDigit(src[i]):
		return i, 0, &SyntaxError{i, "expected a digit after '-', found " + describe(src, i)}
	case src[i] == '0':
		i++
		if i < len(src) && isDigit(src[i]) {
			return i, 0, &SyntaxError{start, "expected a number without leading zeros"}
		}
	default:
		for i++; i < len(src) && isDigit(src[i]); i++ {
		}
	}
	if i < len(src) && src[i] == '.' {
		flags = Float
		i++
		if i >= len(src) || !isDigit(src[i]) {
			return i, 0, &SyntaxError{i, "expected a digit after the decimal point, found " + describe(src, i)}
		}
		for i++; i < len(src) && isDigit(src[i]); i++ {
		}
	}
	if i < len(src) && src[i]|0x20 == 'e' {
		flags = Float
		i++
		if i < len(src) && (src[i] == '+' || src[i] == '-') {
			i++
		}
		if i >= len(src) || !isDigit(src[i]) {
			return i, 0, &SyntaxError{i, "expected a digit in the exponent, found " + describe(src, i)}
		}
		for i++; i < len(src) && isDigit(src[i]); i++ {
		}
	}
	return i, flags, nil
}

// describe returns a short, printable description of what is at src[i].
func describe(src []byte, i int) string {
	if i >= len(src) {
		return "the end of the text"
	}
	r, n := utf8.DecodeRune(src[i:])
	switch {
	case r == utf8.RuneError && n == 1:
		return fmt.Sprintf("the byte 0x%02X, which is not UTF-8", src[i])
	case r < ' ' || r == 0x7F:
		return fmt.Sprintf("the control character 0x%02X", r)
	case r == '\uFEFF':
		return "a byte order mark"
	case r == '\'':
		return `"'"`
	case isWord(r):
		return "'" + wordAt(src, i) + "'"
	case !unicode.IsGraphic(r):
		return fmt.Sprintf("U+%04X", r)
	}
	return "'" + string(r) + "'"
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// wordAt returns the first few letters, digits and underscores at src[i].
func wordAt(src []byte, i int) string {
	const most = 20
	start := i
	for n := 0; i < len(src); n++ {
		r, size := utf8.DecodeRune(src[i:])
		if !isWord(r) {
			break
		}
		if n == most {
			return string(src[start:i]) + "…"
		}
		i += size
	}
	return string(src[start:i])
}
