package profile

import (
	"bytes"
	"strings"
	"unicode"
)

// Form is the lexical form of a string: what it looks like, not what it means.
type Form uint8

const (
	FormText          Form = iota // text with white space, or that fits no form below
	FormEmpty                     // ""
	FormPlaceholder               // N/A, n/a, none, null, unknown, -, ?
	FormInteger                   // 12, -7; no leading zero
	FormLeadingZero               // 0123
	FormDecimal                   // 1.5
	FormBool                      // true, false
	FormHex24                     // 24 hex digits: an ObjectID
	FormHex                       // 8 or more hex digits with at least one letter and one digit
	FormUUID                      // 8-4-4-4-12
	FormRandom                    // 16 or more letters and digits without order: the ids of Firestore, Meteor, ULID, nanoid
	FormDate                      // 2026-01-31
	FormDateTimeZone              // 2026-01-31T10:00:00Z, +01:00
	FormSpacedTime                // 2026-01-31 10:00:00+01:00, which is no RFC 3339
	FormDateTime                  // 2026-01-31T10:00:00, no zone
	FormSlashDate                 // 1/31/2026, 31.01.2026, 31-1-26
	FormLocalDateTime             // 31.01.2026 10:00, 1/31/2026, 10:00 a. m.
	FormLongDate                  // January 31, 2026; 31 de enero de 2026, 10:00
	FormRFC1123                   // Sat, 31 Jan 2026 10:00:00 GMT
	FormTime                      // 10:00, 9:30 PM
	FormEmail                     // a@b.c
	FormURL                       // scheme://…, urn:…
	FormPath                      // /a/b, a/b
	FormFragment                  // #a
	FormUpper                     // 2 to 6 capital letters: tickers, currencies, country codes
	FormPrefixNumber              // user12, ORDER#1, b-7, user::7
	FormWord                      // letters only
	FormToken                     // other text without white space: slugs, codes
	NumForms
)

var formNames = [NumForms]string{"text", "empty", "placeholder", "integer", "leading-zero", "decimal", "bool", "hex24", "hex",
	"uuid", "random", "date", "datetime-zone", "spaced-datetime-zone", "datetime", "slash-date", "local-datetime", "long-date", "rfc1123", "time", "email", "url", "path", "fragment", "upper",
	"prefix-number", "word", "token"}

func (f Form) String() string { return formNames[f] }

// IsDate reports whether the form is one of the encodings of a date.
func (f Form) IsDate() bool { return f >= FormDate && f <= FormRFC1123 }

// IsGenerated reports whether only programs generate values of the form, so
// that no two are equal by accident: ObjectIds, UUIDs and random characters.
func (f Form) IsGenerated() bool { return f == FormHex24 || f == FormUUID || f == FormRandom }

// IDLike reports whether a key of this form is an id, a date or a number
// rather than a name that a programmer chose.
func (f Form) IDLike() bool {
	switch f {
	case FormInteger, FormLeadingZero, FormDecimal, FormHex24, FormHex, FormUUID, FormRandom, FormDate, FormDateTime, FormDateTimeZone, FormSpacedTime, FormTime,
		FormEmail, FormUpper, FormPrefixNumber:
		return true
	}
	return false
}

// bits of the characters of a string
const (
	hasDigit = 1 << iota
	hasHexLetter
	hasLower
	hasUpper
	hasSpace
	hasSign  // + -
	hasDot   // .
	hasColon // :
	hasSlash // /
	hasAt    // @
	hasHash  // #
	hasUnder // _
	hasOther
)

var charBits = func() (t [256]uint16) {
	for i := range t {
		c := byte(i)
		switch {
		case '0' <= c && c <= '9':
			t[i] = hasDigit
		case 'a' <= c && c <= 'f':
			t[i] = hasLower | hasHexLetter
		case 'A' <= c && c <= 'F':
			t[i] = hasUpper | hasHexLetter
		case 'a' <= c && c <= 'z':
			t[i] = hasLower
		case 'A' <= c && c <= 'Z':
			t[i] = hasUpper
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			t[i] = hasSpace
		case c == '+' || c == '-':
			t[i] = hasSign
		case c == '.':
			t[i] = hasDot
		case c == ':':
			t[i] = hasColon
		case c == '/':
			t[i] = hasSlash
		case c == '@':
			t[i] = hasAt
		case c == '#':
			t[i] = hasHash
		case c == '_':
			t[i] = hasUnder
		default:
			t[i] = hasOther
		}
	}
	return t
}()

// formWindow is how many bytes of a long string are examined.
const formWindow = 64

// FormOf returns the form of a string.
func FormOf(s []byte) Form {
	if len(s) == 0 {
		return FormEmpty
	}
	head := s[:min(len(s), formWindow)]
	var bits uint16
	for len(head) >= 8 && bits&hasSpace == 0 { // the first words show that a text is prose
		h := head[:8]
		bits |= charBits[h[0]] | charBits[h[1]] | charBits[h[2]] | charBits[h[3]] |
			charBits[h[4]] | charBits[h[5]] | charBits[h[6]] | charBits[h[7]]
		head = head[8:]
	}
	if bits&hasSpace == 0 {
		for _, c := range head {
			bits |= charBits[c]
		}
	}
	if bits&hasSpace != 0 {
		return spacedForm(s)
	}
	first := s[0]
	switch {
	case bits == hasDigit:
		if first == '0' && len(s) > 1 {
			return FormLeadingZero
		}
		if len(s) == 24 {
			return FormHex24
		}
		return FormInteger
	case bits&^(hasDigit|hasSign|hasDot) == 0:
		return numericForm(s, bits)
	case bits&hasAt != 0:
		if bits&(hasSlash|hasColon) == 0 && bits&hasDot != 0 && first != '@' {
			return FormEmail
		}
		return FormToken
	case bits&(hasColon|hasSlash) != 0:
		return separatedForm(s, bits)
	case bits&(hasLower|hasUpper|hasHexLetter) == bits:
		return letterForm(s, bits)
	}
	return codeForm(s, bits)
}

// codeForm returns the form of a string that mixes letters, digits and marks.
func codeForm(s []byte, bits uint16) Form {
	if s[0] == '#' && len(s) > 1 {
		return FormFragment
	}
	if bits&^(hasDigit|hasHexLetter|hasLower|hasUpper) == 0 && len(s) <= formWindow && allHex(s) {
		switch {
		case len(s) == 24:
			return FormHex24
		case len(s) >= 8:
			return FormHex
		}
	}
	if len(s) == 36 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-' {
		return FormUUID
	}
	if prefixNumber(s) {
		return FormPrefixNumber
	}
	if placeholder(s) {
		return FormPlaceholder
	}
	if bits&^(hasDigit|hasHexLetter|hasLower|hasUpper|hasUnder|hasSign) == 0 && random(s, bits) {
		return FormRandom
	}
	return FormToken
}

// ShortestRandom is the least length of a string of [FormRandom].
const ShortestRandom = 16

// random reports whether a program drew the characters of a string: it is long, and
// small letters, capitals and digits follow one another more often than in words,
// where a capital begins a word. Without a digit no word may be in it.
func random(s []byte, bits uint16) bool {
	const changing, word = 0.3, 4
	if len(s) < ShortestRandom || len(s) > formWindow {
		return false
	}
	changes, start, run, longest := 0, 0, 0, 0 // start is that of the characters since the last mark
	before := uint16(0)
	for i, c := range s {
		kind := charBits[c] & (hasDigit | hasLower | hasUpper)
		switch {
		case c == '+':
			return false
		case kind == 0:
			start, run = i+1, 0
			continue
		case kind == before:
			run++
		case kind == hasLower && before == hasUpper && i == start+1, kind == hasUpper && before == hasLower && i == start && i > 0:
			run = 1 // a word begins
		default:
			run = 1
			changes++
		}
		before, longest = kind, max(longest, run)
	}
	return float64(changes-1) >= changing*float64(len(s)) && (bits&hasDigit != 0 || longest < word)
}

func numericForm(s []byte, bits uint16) Form {
	digits, dots, signs := 0, 0, 0
	for i, c := range s {
		switch {
		case c == '.':
			dots++
		case c == '-' || c == '+':
			if i > 0 {
				signs++
			}
		case '0' <= c && c <= '9':
			digits++
		}
	}
	switch {
	case digits == 0:
		return FormPlaceholder
	case len(s) == 10 && s[4] == '-' && s[7] == '-' && signs == 2 && dots == 0:
		return FormDate
	case signs+dots == 2 && len(s) <= 10 && isNumericDate(s):
		return FormSlashDate
	case signs > 0 || dots > 1:
		return FormToken
	case bits&hasDot != 0:
		return FormDecimal
	}
	return FormInteger
}

func separatedForm(s []byte, bits uint16) Form {
	if len(s) >= 16 && s[4] == '-' && s[7] == '-' && s[10] == 'T' && s[13] == ':' && charBits[s[0]] == hasDigit {
		return timeForm(s)
	}
	if bits&^(hasDigit|hasSlash) == 0 && len(s) <= 10 && isNumericDate(s) {
		return FormSlashDate
	}
	if bits&hasColon != 0 {
		if isDigit(s[0]) {
			if f, ok := spelledDate(s); ok {
				return f
			}
		}
		for i, c := range s {
			if c == ':' {
				if i+2 < len(s) && s[i+1] == '/' && s[i+2] == '/' || i == 3 && string(s[:3]) == "urn" {
					return FormURL
				}
				break
			}
		}
		if prefixNumber(s) {
			return FormPrefixNumber
		}
		if s[0] != '/' {
			return FormToken
		}
	}
	if placeholder(s) {
		return FormPlaceholder
	}
	return FormPath
}

// timeForm returns the form of an ISO date with a time, 2006-01-02T15:04, by
// whether it has a zone.
func timeForm(s []byte) Form {
	if last := s[len(s)-1]; last == 'Z' || last == 'z' {
		return FormDateTimeZone
	}
	for i := 16; i+1 < min(len(s), formWindow); i++ {
		if (s[i] == '+' || s[i] == '-') && isDigit(s[i+1]) { // 10:00 - 12:00 is no zone
			return FormDateTimeZone
		}
	}
	return FormDateTime
}

func letterForm(s []byte, bits uint16) Form {
	if placeholder(s) {
		return FormPlaceholder
	}
	if bits&hasLower == 0 && len(s) >= 2 && len(s) <= 6 {
		return FormUpper
	}
	if string(s) == "true" || string(s) == "false" {
		return FormBool
	}
	if bits&hasLower != 0 && bits&hasUpper != 0 && random(s, bits) {
		return FormRandom
	}
	return FormWord
}

// spacedForm distinguishes dates from prose.
func spacedForm(s []byte) Form {
	if len(s) >= 16 && len(s) <= 35 {
		if s[4] == '-' && s[7] == '-' && s[10] == ' ' && s[13] == ':' {
			if timeForm(s) == FormDateTimeZone {
				return FormSpacedTime
			}
			return FormDateTime
		}
		if s[3] == ',' && s[4] == ' ' && isDigit(s[5]) && bytes.IndexByte(s, ':') > 0 { // without a time of day it is a date in words
			return FormRFC1123
		}
	}
	if f, ok := spelledDate(s); ok {
		return f
	}
	if placeholder(s) {
		return FormPlaceholder
	}
	return FormText
}

func prefixNumber(s []byte) bool {
	i := 0
	for i < len(s) && charBits[s[i]]&(hasLower|hasUpper) != 0 {
		i++
	}
	if i == 0 || i > 16 {
		return false
	}
	for i < len(s) && charBits[s[i]]&(hasSign|hasHash|hasColon|hasUnder|hasDot) != 0 {
		i++
	}
	start := i
	for i < len(s) && charBits[s[i]] == hasDigit {
		i++
	}
	return i == len(s) && i > start
}

func placeholder(s []byte) bool {
	if len(s) > 14 {
		return false
	}
	switch s[0] | 0x20 { // first letters of the words below
	case 'n', 'u', 't', '-', '?':
	default:
		return false
	}
	var buf [14]byte
	low := buf[:0]
	for _, c := range s {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		low = append(low, c)
	}
	switch string(low) {
	case "n/a", "na", "none", "null", "nil", "unknown", "undefined", "-", "--", "?", "nan", "not available", "not applicable", "tbd":
		return true
	}
	return false
}

// Computed reports whether a text is an expression, which stands for a value of any type:
// [parameters('size')], ${size}, {{ size }}. A sample does not keep the end of a long one.
func Computed(text string) bool {
	ends := func(with string) bool { return len(text) >= TextLength || strings.HasSuffix(text, with) }
	if strings.HasPrefix(text, "${") || strings.HasPrefix(text, "{{") {
		return ends("}")
	}
	name, _, call := strings.Cut(text, "(")
	return call && len(name) > 1 && name[0] == '[' && ends("]") && !strings.ContainsFunc(name[1:], func(r rune) bool { return !unicode.IsLetter(r) })
}
