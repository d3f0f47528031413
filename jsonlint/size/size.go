// Package size calculates how many bytes a database takes to store a value.
package size

import (
	"bytes"
	"iter"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/shapevet/shapevet/jsonlint/scan"
)

type encoding uint8

const (
	jsonText encoding = iota
	bson
	dynamo
	firestore
)

// encodings are the encodings of databases. All others store JSON.
var encodings = map[string]encoding{"mongodb": bson, "dynamodb": dynamo, "firestore": firestore}

// Of estimates the bytes of the value at token i in the encoding of a database;
// for i = 0, of the document. It does not count the value's name. Formulas:
//
//   - JSON (cosmosdb, couchbase, generic): the length of the text in UTF-8
//     without white space, with no escape that JSON does not need.
//   - BSON (mongodb): bsonspec.org. An object is 5 bytes and, for each member, a
//     byte, the name, a zero byte and the value; an array is an object with
//     the names "0", "1" …; a plain integer is an int32 if it fits, else an
//     int64, else a double.
//   - DynamoDB: the developer guide's page on item sizes. Names and strings are
//     their UTF-8 bytes, a number half its significant digits and one byte,
//     null and booleans one byte, a list or map 3 bytes and one for each
//     element; the item itself has no overhead. ObjectIds and dates count as
//     the strings they would be stored as.
//   - Firestore: its page on storage size. Names and strings are their UTF-8
//     bytes and 1, numbers and dates 8, null and booleans 1, an array its
//     elements, a map its members and 32. A document adds the 16 bytes of
//     its name; the path in the name is not known here and not counted.
//
// It allocates nothing.
func Of(db string, doc *scan.Document, i int) int64 {
	in := encodings[db]
	if in == jsonText {
		return jsonSize(doc, i)
	}
	var total int64
	for k, end := i, doc.Next(i); k < end; k++ {
		t := &doc.Tokens[k]
		switch in {
		case bson:
			total += bsonToken(doc, k, t)
		case dynamo:
			total += dynamoToken(doc, k, t, k == 0)
		default:
			total += firestoreToken(doc, k, t)
		}
	}
	if in == firestore && i == 0 {
		total += 16
	}
	return total
}

func jsonSize(doc *scan.Document, i int) int64 {
	var total int64
	tokens := doc.Tokens[i:doc.Next(i)]
	for k := range tokens {
		switch t := &tokens[k]; {
		case t.Flags == scan.Key: // most tokens are names and plain strings
			total += int64(t.B-t.A) + int64(len(`"":`))
		case t.Flags == 0 && t.Kind == scan.String:
			total += int64(t.B-t.A) + int64(len(`""`))
		default:
			total += jsonToken(doc, i+k, t)
		}
	}
	return total
}

func jsonToken(doc *scan.Document, k int, t *scan.Token) int64 {
	switch {
	case t.Flags&scan.Key != 0:
		return jsonString(doc, k, t) + int64(len(":"))
	case t.Kind >= scan.Object:
		return int64(len("{}")) + max(0, int64(t.B)-1)
	case t.Kind == scan.String && t.Flags&scan.Wrapped == 0:
		return jsonString(doc, k, t)
	case t.Flags&scan.Wrapped != 0:
		return compactLen(doc.Raw(k))
	}
	return int64(t.End - t.Start)
}

// jsonString returns the length of a string or name with its quotes.
func jsonString(doc *scan.Document, k int, t *scan.Token) int64 {
	size := int64(t.B-t.A) + int64(len(`""`))
	if t.Flags&scan.Escaped != 0 {
		for width, bytes := range escapes(doc.Text(k)) {
			if bytes < 0 { // a character that stays escaped
				bytes = -bytes
			}
			size += int64(bytes - width)
		}
	}
	return size
}

// textLen returns the UTF-8 bytes of a string or name with its escapes
// resolved.
func textLen(doc *scan.Document, k int, t *scan.Token) int64 {
	size := int64(t.B - t.A)
	if t.Flags&scan.Escaped != 0 {
		for width, bytes := range escapes(doc.Text(k)) {
			size += int64(max(bytes, 1) - width)
		}
	}
	return size
}

// escapes yields the result of [unescape] for each escape in the text of a
// string.
func escapes(text []byte) iter.Seq2[int, int] {
	return func(yield func(width, bytes int) bool) {
		for {
			if len(text) == 0 || text[0] != '\\' { // escapes often come in groups
				i := bytes.IndexByte(text, '\\')
				if i < 0 {
					return
				}
				text = text[i:]
			}
			width, bytes := unescape(text)
			if !yield(width, bytes) {
				return
			}
			text = text[width:]
		}
	}
}

// unescape returns the bytes of the first character in a JSON string's text, as
// written and resolved. For a character that JSON must escape, the second is
// negative: the length of its shortest escape.
func unescape(text []byte) (width, bytes int) {
	if text[0] != '\\' || len(text) == 1 {
		return 1, 1
	}
	switch text[1] {
	case '"', '\\', 'b', 'f', 'n', 'r', 't':
		return 2, -2
	case 'u':
		r, ok := scan.Hex4(text[2:])
		switch {
		case !ok:
			return 1, 1
		case r == '"', r == '\\', r == '\b', r == '\f', r == '\n', r == '\r', r == '\t':
			return 6, -2
		case r < ' ':
			return 6, -6
		case 0xd800 <= r && r < 0xdc00 && len(text) >= 12 && text[6] == '\\' && text[7] == 'u' && lowSurrogate(text[8:12]):
			return 12, 4
		}
		return 6, utf8.RuneLen(plain(r))
	}
	return 2, 1
}

func lowSurrogate(hex []byte) bool {
	r, ok := scan.Hex4(hex)
	return ok && 0xdc00 <= r && r < 0xe000
}

// plain turns a lone surrogate into the replacement character.
func plain(r rune) rune {
	if !utf8.ValidRune(r) {
		return utf8.RuneError
	}
	return r
}

// compactLen returns the length of a JSON value without white space.
func compactLen(raw []byte) int64 {
	var size int64
	for i, quoted := 0, false; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\' && i+1 < len(raw):
			size++ // the character after it is counted below
			i++
		case !quoted && (c == ' ' || c == '\n' || c == '\r' || c == '\t'):
			continue
		}
		size++
	}
	return size
}

func bsonToken(doc *scan.Document, k int, t *scan.Token) int64 {
	if t.Flags&scan.Key != 0 {
		return 1 + textLen(doc, k, t) + 1
	}
	switch t.Kind {
	case scan.False, scan.True:
		return 1
	case scan.Number:
		return bsonNumber(doc, k, t)
	case scan.Decimal:
		return 16
	case scan.String, scan.Invalid:
		return 4 + textLen(doc, k, t) + 1
	case scan.ObjectID:
		return 12
	case scan.Date, scan.Timestamp:
		return 8
	case scan.Binary:
		return 4 + 1 + binaryLen(doc, k)
	case scan.Special:
		if isBoundKey(doc.Raw(k)) {
			return 0
		}
		return int64(t.B-t.A) + 1 + 1 // pattern and options, each ending in a zero byte
	case scan.Object:
		return 4 + 1
	case scan.Array:
		return 4 + 1 + 2*int64(t.B) + digitsBelow(int64(t.B))
	}
	return 0
}

func bsonNumber(doc *scan.Document, k int, t *scan.Token) int64 {
	if t.Flags&scan.Wrapped != 0 {
		if string(wrapperName(doc.Raw(k))) == "$numberInt" {
			return 4
		}
		return 8
	}
	if t.Flags&scan.Float != 0 || !fitsInt32(doc.Text(k)) {
		return 8
	}
	return 4
}

func fitsInt32(digits []byte) bool {
	if len(digits) > len("-2147483648") {
		return false
	}
	n, err := strconv.ParseInt(string(digits), 10, 64)
	return err == nil && math.MinInt32 <= n && n <= math.MaxInt32
}

// wrapperName returns the first member's name of an Extended JSON wrapper.
func wrapperName(raw []byte) []byte {
	start := -1
	for i, c := range raw {
		if c != '"' {
			continue
		}
		if start >= 0 {
			return raw[start:i]
		}
		start = i + 1
	}
	return nil
}

func isBoundKey(raw []byte) bool {
	name := wrapperName(raw)
	return string(name) == "$minKey" || string(name) == "$maxKey"
}

// binaryLen returns the number of bytes that a base64 or UUID payload encodes.
func binaryLen(doc *scan.Document, k int) int64 {
	text := doc.Text(k)
	if string(wrapperName(doc.Raw(k))) == "$uuid" {
		return 16
	}
	n := len(text)
	for n > 0 && text[n-1] == '=' {
		n--
	}
	return int64(n) * 3 / 4
}

// digitsBelow returns the total number of digits in the numbers from 0 to n-1.
func digitsBelow(n int64) int64 {
	if n == 0 {
		return 0
	}
	total, width := int64(0), int64(1)
	for from, to := int64(0), int64(10); from < n; from, to, width = to, to*10, width+1 {
		total += (min(n, to) - from) * width
	}
	return total
}

func dynamoToken(doc *scan.Document, k int, t *scan.Token, item bool) int64 {
	if t.Flags&scan.Key != 0 {
		return textLen(doc, k, t)
	}
	switch t.Kind {
	case scan.Null, scan.False, scan.True:
		return 1
	case scan.Number, scan.Decimal:
		return dynamoNumber(doc.Text(k))
	case scan.Binary:
		return binaryLen(doc, k)
	case scan.Object, scan.Array:
		if item {
			return 0
		}
		return 3 + int64(t.B)
	}
	return textLen(doc, k, t)
}

// dynamoNumber counts one byte, one per two significant digits, and one for a
// sign. Zeros at either end are not significant.
func dynamoNumber(text []byte) int64 {
	size, digits, zeros := int64(1), int64(0), int64(0)
	for _, c := range text {
		switch {
		case c == '-' && digits == 0 && zeros == 0:
			size++
			continue
		case c == 'e' || c == 'E':
			return size + (digits+1)/2
		case c == '0':
			if digits > 0 {
				zeros++
			}
			continue
		case '1' <= c && c <= '9':
			digits += zeros + 1
			zeros = 0
		}
	}
	return size + (digits+1)/2
}

func firestoreToken(doc *scan.Document, k int, t *scan.Token) int64 {
	if t.Flags&scan.Key != 0 {
		return textLen(doc, k, t) + 1
	}
	switch t.Kind {
	case scan.Null, scan.False, scan.True:
		return 1
	case scan.Number, scan.Decimal, scan.Date, scan.Timestamp:
		return 8
	case scan.Binary:
		return binaryLen(doc, k)
	case scan.Object:
		return 32
	case scan.Array:
		return 0
	}
	return textLen(doc, k, t) + 1
}
