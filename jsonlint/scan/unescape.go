package scan

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// AppendUnescaped appends the text of a JSON string (without its quotes) to dst
// with escapes resolved. Lone surrogates become U+FFFD. A malformed escape,
// which only recovery lets through, is kept as written.
func AppendUnescaped(dst, text []byte) []byte {
	for i := 0; ; {
		if i == len(text) || text[i] != '\\' { // escapes often come in groups
			plain := bytes.IndexByte(text[i:], '\\')
			if plain < 0 {
				return append(dst, text[i:]...)
			}
			dst = append(dst, text[i:i+plain]...)
			i += plain
		}
		if i+1 == len(text) {
			return append(dst, '\\')
		}
		i += 2
		switch e := text[i-1]; e {
		case '"', '\\', '/':
			dst = append(dst, e)
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			r, ok := Hex4(text[i:])
			if !ok {
				dst = append(dst, '\\', 'u')
				continue
			}
			i += 4
			if utf16.IsSurrogate(r) {
				low, ok := rune(0), false
				if i+6 <= len(text) && text[i] == '\\' && text[i+1] == 'u' {
					low, ok = Hex4(text[i+2:])
				}
				if pair := utf16.DecodeRune(r, low); ok && pair != utf8.RuneError {
					r, i = pair, i+6
				} else {
					r = utf8.RuneError
				}
			}
			dst = utf8.AppendRune(dst, r)
		default:
			dst = append(dst, '\\', e)
		}
	}
}

// Hex4 returns the number in the first four bytes, read as hexadecimal, as
// after \u. ok is false if they are not hexadecimal.
func Hex4(b []byte) (r rune, ok bool) {
	if len(b) < 4 {
		return 0, false
	}
	d0, d1, d2, d3 := hexDigits[b[0]], hexDigits[b[1]], hexDigits[b[2]], hexDigits[b[3]]
	return rune(d0)<<12 | rune(d1)<<8 | rune(d2)<<4 | rune(d3), d0|d1|d2|d3 < 16
}

// hexDigits are the values of the hexadecimal digits, and 16 for other bytes.
var hexDigits = func() (t [256]uint8) {
	for c := range t {
		switch b := byte(c); {
		case '0' <= b && b <= '9':
			t[c] = b - '0'
		case 'a' <= b|0x20 && b|0x20 <= 'f':
			t[c] = b | 0x20 - 'a' + 10
		default:
			t[c] = 16
		}
	}
	return t
}()
