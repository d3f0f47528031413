package scan

import (
	"bytes"
	"slices"
	"strconv"
)

// collapse turns the closed object at toks[open], whose members are the last
// tokens, into one scalar if it is an Extended JSON wrapper: v2, canonical or
// relaxed, or a legacy form that mongoexport wrote. It reports whether it did.
// An object that only looks like a wrapper is left alone.
//
// See https://www.mongodb.com/docs/manual/reference/mongodb-extended-json/
func collapse(src []byte, toks []Token, open uint32) ([]Token, bool) {
	if k := &toks[open+1]; toks[open].B > 2 || k.A == k.B || src[k.A] != '$' {
		return toks, false
	}
	kind, payload := wrapper(src, toks, open)
	if kind == Invalid {
		return toks, false
	}
	t := &toks[open]
	t.Kind, t.A, t.B = kind, payload.A, payload.B
	t.Flags = Wrapped | payload.Flags&(Escaped|Float)
	return toks[:open+1], true
}

// wrapper returns the kind of the scalar that the object at toks[open] wraps
// and the token with its payload, or Invalid if it is not a wrapper.
func wrapper(src []byte, toks []Token, open uint32) (Kind, Token) {
	key, val := toks[open+1], toks[open+2]
	name := src[key.A+1 : key.B]
	two := toks[open].B == 2
	if two && string(name) != "regex" && string(name) != "options" && string(name) != "binary" &&
		string(name) != "type" && string(name) != "code" && string(name) != "scope" {
		return Invalid, val
	}
	if two {
		return legacyPair(src, toks, open)
	}
	var text []byte
	if val.Kind < Object {
		text = src[val.A:val.B]
	}
	plain := val.Kind == String && val.Flags&(Wrapped|Escaped) == 0
	if plain || val.Kind == Number {
		if kind, flags := scalarWrapper(string(name), plain, text); kind != Invalid {
			val.Flags = flags
			return kind, val
		}
	}
	switch string(name) {
	case "binary":
		if two := members(toks, open+2); two.ok(2) {
			a, b := two.get(src, "base64"), two.get(src, "subType")
			if isBase64(src, a) && isSubtype(src, b) {
				return Binary, *a
			}
		}
	case "timestamp":
		if two := members(toks, open+2); two.ok(2) {
			t, i := two.get(src, "t"), two.get(src, "i")
			if isCount(src, t) && isCount(src, i) {
				return Timestamp, Token{A: val.Start, B: val.End}
			}
		}
	case "regularExpression":
		if two := members(toks, open+2); two.ok(2) {
			a, b := two.get(src, "pattern"), two.get(src, "options")
			if isCString(src, a) && isCString(src, b) {
				return Special, *a
			}
		}
	case "minKey", "maxKey":
		if val.Kind == Number && string(text) == "1" {
			return Special, val
		}
	case "undefined":
		if val.Kind == True {
			return Null, val
		}
	case "symbol", "code":
		if isPlainString(&val) {
			return String, val
		}
	}
	return Invalid, val
}

// scalarWrapper returns the kind of {"$name":payload}, or Invalid if the
// payload is not what the name promises. The payload is a string without
// escapes or a number. The flag is Float where that applies.
func scalarWrapper(name string, quoted bool, payload []byte) (Kind, Flags) {
	if !quoted {
		if name == "date" && isInteger(payload) {
			return Date, 0
		}
		return Invalid, 0
	}
	switch name {
	case "oid":
		if len(payload) == 24 && allHex(payload) {
			return ObjectID, 0
		}
	case "numberInt", "numberLong":
		if bits := 64; isInteger(payload) {
			if name == "numberInt" {
				bits = 32
			}
			if len(payload) > 9 { // it may overflow
				if _, err := strconv.ParseInt(string(payload), 10, bits); err != nil {
					return Invalid, 0
				}
			}
			return Number, 0
		}
	case "numberDouble", "numberDecimal":
		if finite, ok := isDecimal(payload); ok && (name == "numberDouble" || !finite || fitsDecimal(payload)) {
			kind, flags := Number, Flags(0)
			if name == "numberDecimal" {
				kind = Decimal
			}
			if !finite || !isInteger(payload) {
				flags = Float
			}
			return kind, flags
		}
	case "date":
		if isISODate(payload) {
			return Date, 0
		}
	case "uuid":
		if isUUID(payload) {
			return Binary, 0
		}
	}
	return Invalid, 0
}

// legacyPair is wrapper for wrappers with two members.
func legacyPair(src []byte, toks []Token, open uint32) (Kind, Token) {
	pair := members(toks, open)
	if a, b := pair.get(src, "$binary"), pair.get(src, "$type"); isBase64(src, a) && isSubtype(src, b) {
		return Binary, *a
	}
	if a, b := pair.get(src, "$regex"), pair.get(src, "$options"); isPlainString(a) && isPlainString(b) {
		return Special, *a
	}
	if a, b := pair.get(src, "$code"), pair.get(src, "$scope"); isPlainString(a) && b != nil && b.Kind == Object {
		return String, *a
	}
	return Invalid, Token{}
}

func isPlainString(t *Token) bool {
	return t != nil && t.Kind == String && t.Flags&Wrapped == 0
}

// isCString reports whether t is a string without NUL, which would end a BSON
// string.
func isCString(src []byte, t *Token) bool {
	return isPlainString(t) && (t.Flags&Escaped == 0 || bytes.IndexByte(AppendUnescaped(nil, src[t.A:t.B]), 0) < 0)
}

// isSubtype reports whether t is a hexadecimal binary subtype.
func isSubtype(src []byte, t *Token) bool {
	return isPlainString(t) && t.B-t.A-1 < 2 && allHex(src[t.A:t.B])
}

// isBase64 reports whether t is a base64 string, with or without padding, in
// either alphabet.
func isBase64(src []byte, t *Token) bool {
	if !isPlainString(t) {
		return false
	}
	text, escapes := src[t.A:t.B], 0
	for n := 0; n < 2 && len(text) > 0 && text[len(text)-1] == '='; n++ {
		text = text[:len(text)-1]
	}
	for i, c := range text {
		if c == '\\' && i+1 < len(text) && text[i+1] == '/' {
			escapes++
		} else if !base64Bytes[c] {
			return false
		}
	}
	return (len(text)-escapes)%4 != 1
}

// base64Bytes are the bytes of both base64 alphabets.
var base64Bytes = func() (set [256]bool) {
	for _, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_") {
		set[c] = true
	}
	return set
}()

// isCount reports whether t is a non-negative integer.
func isCount(src []byte, t *Token) bool {
	return t != nil && t.Kind == Number && src[t.A] != '-' && isInteger(src[t.A:t.B])
}

// few holds up to two members of an object.
type few struct {
	names, values [2]*Token
	n             int
}

// members returns the members of the object at toks[at], or none unless it is
// an object of one or two members.
func members(toks []Token, at uint32) (f few) {
	if toks[at].Kind != Object || toks[at].B > 2 {
		return f
	}
	for k := at + 1; f.n < int(toks[at].B); f.n++ {
		v := k + 1
		f.names[f.n], f.values[f.n] = &toks[k], &toks[v]
		if k = v + 1; toks[v].Kind >= Object {
			k = toks[v].A
		}
	}
	return f
}

func (f *few) ok(n int) bool { return f.n == n }

func (f *few) get(src []byte, name string) *Token {
	for n := range f.n {
		if string(src[f.names[n].A:f.names[n].B]) == name {
			return f.values[n]
		}
	}
	return nil
}

func isHex(c byte) bool { return isDigit(c) || c|0x20-'a' < 6 }

func allHex(b []byte) bool {
	for _, c := range b {
		if !isHex(c) {
			return false
		}
	}
	return true
}

func isInteger(b []byte) bool {
	if len(b) > 0 && b[0] == '-' {
		b = b[1:]
	}
	for _, c := range b {
		if !isDigit(c) {
			return false
		}
	}
	return len(b) > 0
}

// isDecimal reports whether b is a number in the form of $numberDouble and
// $numberDecimal, and whether it is finite.
func isDecimal(b []byte) (finite, ok bool) {
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		b = b[1:]
	}
	if len(b) > 0 && b[0] >= 'A' {
		return false, bytes.EqualFold(b, []byte("nan")) || bytes.EqualFold(b, []byte("inf")) || bytes.EqualFold(b, []byte("infinity"))
	}
	i, digits := 0, 0
	for ; i < len(b) && isDigit(b[i]); i++ {
		digits++
	}
	if i < len(b) && b[i] == '.' {
		for i++; i < len(b) && isDigit(b[i]); i++ {
			digits++
		}
	}
	if digits == 0 {
		return false, false
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		if i < len(b) && (b[i] == '-' || b[i] == '+') {
			i++
		}
		if i == len(b) {
			return false, false
		}
		for ; i < len(b) && isDigit(b[i]); i++ {
		}
	}
	return true, i == len(b)
}

// fitsDecimal reports whether 128 bits hold the finite number exactly: 34
// digits, and an exponent from -6176 to 6111.
func fitsDecimal(b []byte) bool {
	if len(b) <= 34 && bytes.IndexByte(b, 'e') < 0 && bytes.IndexByte(b, 'E') < 0 {
		return true
	}
	mantissa, exponent := b, 0
	if e := bytes.IndexAny(b, "eE"); e >= 0 {
		var err error
		mantissa = b[:e]
		if exponent, err = strconv.Atoi(string(b[e+1:])); err != nil && isZero(mantissa) {
			exponent, err = 0, nil
		}
		if err != nil {
			return false
		}
	}
	digits := bytes.TrimLeft(mantissa, "+-")
	if whole, fraction, ok := bytes.Cut(digits, []byte(".")); ok {
		digits = slices.Concat(whole, fraction)
		exponent -= len(fraction)
	}
	digits = bytes.TrimLeft(digits, "0")
	short := bytes.TrimRight(digits, "0")
	exponent += len(digits) - len(short)
	return len(short) == 0 || len(short)+max(0, exponent-6111) <= 34 && exponent >= -6176
}

func isZero(mantissa []byte) bool { return len(bytes.Trim(mantissa, "+-0.")) == 0 }

// isISODate reports whether b is an ISO 8601 date: a year of four digits or
// more, month and day, and perhaps a time.
func isISODate(b []byte) bool {
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		b = b[1:]
	}
	year := 0
	for year < len(b) && isDigit(b[year]) {
		year++
	}
	if b = b[year:]; year < 4 || len(b) < 6 {
		return false
	}
	if b[0] != '-' || !isDigit(b[1]) || !isDigit(b[2]) || b[3] != '-' || !isDigit(b[4]) || !isDigit(b[5]) {
		return false
	}
	if month, day := 10*(b[1]-'0')+b[2]-'0', 10*(b[4]-'0')+b[5]-'0'; month-1 > 11 || day-1 > 30 {
		return false
	}
	return len(b) == 6 || (b[6] == 'T' || b[6] == ' ') && isTime(b[7:])
}

// isTime reports whether b is an hour and what may follow it: minutes, seconds,
// and a time zone.
func isTime(b []byte) bool {
	if len(b) < 2 || !isDigit(b[0]) || !isDigit(b[1]) || 10*(b[0]-'0')+b[1]-'0' > 24 {
		return false
	}
	for _, c := range b[2:] {
		if !isDigit(c) && c != ':' && c != '.' && c != '+' && c != '-' && c != 'Z' {
			return false
		}
	}
	return len(b) < 4 || b[2] != ':' || b[3] < '6'
}

func isUUID(b []byte) bool {
	if len(b) != 36 {
		return false
	}
	for i, c := range b {
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash != (c == '-') || !dash && !isHex(c) {
			return false
		}
	}
	return true
}
