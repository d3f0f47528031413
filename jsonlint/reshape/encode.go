package reshape

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/shapevet/shapevet/jsonlint/scan"
)

// MarshalJSON implements [json.Marshaler]. It never fails.
func (v *Value) MarshalJSON() ([]byte, error) { return v.AppendJSON(nil), nil }

// AppendJSON appends the value as compact JSON. It keeps the order of members
// and the spelling of numbers and wrappers, and escapes in strings only what
// JSON requires.
func (v *Value) AppendJSON(dst []byte) []byte {
	switch v.kind {
	case scan.Object:
		dst = append(dst, '{')
		for i, m := range v.members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendQuoted(dst, m.Name), ':')
			dst = m.Value.AppendJSON(dst)
		}
		return append(dst, '}')
	case scan.Array:
		dst = append(dst, '[')
		for i, e := range v.elements {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = e.AppendJSON(dst)
		}
		return append(dst, ']')
	case scan.String:
		if v.raw == "" {
			return appendQuoted(dst, v.text)
		}
	}
	return append(dst, v.raw...)
}

func appendQuoted(dst []byte, text string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for i := 0; i < len(text); {
		c := text[i]
		if c >= utf8.RuneSelf {
			r, width := utf8.DecodeRuneInString(text[i:])
			dst = utf8.AppendRune(dst, r) // U+FFFD for invalid UTF-8
			i += width
			continue
		}
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c >= ' ':
			dst = append(dst, c)
		case strings.IndexByte("\b\f\n\r\t", c) >= 0:
			dst = append(dst, '\\', "bfnrt"[strings.IndexByte("\b\f\n\r\t", c)])
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
	}
	return append(dst, '"')
}

func sortedMembers(v *Value) []Member {
	return slices.SortedStableFunc(slices.Values(v.members), func(a, b Member) int { return strings.Compare(a.Name, b.Name) })
}
