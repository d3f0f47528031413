// Package bsontext writes BSON documents as relaxed Extended JSON v2, the text
// that mongoexport writes. It appends the text of one document at a time, so
// that any reader of JSON Lines can read BSON.
//
// Sources: https://bsonspec.org/spec.html and
// https://github.com/mongodb/specifications/blob/master/source/extended-json/extended-json.md
package bsontext

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

// MinDocument is the length of the shortest document, in bytes: its length and
// the zero byte at its end.
const MinDocument = 5

// maxDepth is how deep documents may nest. MongoDB stores up to 100 levels.
const maxDepth = 1000

// A DamageError says what is wrong inside a document.
type DamageError struct {
	Offset int      // of the value in the document
	Path   []string // names of the fields that lead to it
	Reason string
}

func (e *DamageError) Error() string {
	if len(e.Path) == 0 {
		return fmt.Sprintf("%s (byte %d of the document)", e.Reason, e.Offset)
	}
	var path []byte
	for i, name := range e.Path {
		if i > 0 {
			path = append(path, '.')
		}
		path = append(path, name...)
	}
	return fmt.Sprintf("field %.80q: %s (byte %d of the document)", path, e.Reason, e.Offset)
}

// Append appends the text of doc, one whole document, to dst. The text has no
// line breaks. For a damaged document it returns the original dst and a
// [*DamageError].
func Append(dst, doc []byte) ([]byte, error) {
	w := writer{dst: dst, doc: doc}
	if err := w.container(0, len(doc), '{', 0); err != nil {
		return dst, err
	}
	return w.dst, nil
}

// A writer writes the text of one document.
type writer struct {
	dst, doc []byte
}

func damage(offset int, format string, args ...any) error {
	return &DamageError{Offset: offset, Reason: fmt.Sprintf(format, args...)}
}

// container writes the document or array in doc[start:end].
func (w *writer) container(start, end int, open byte, depth int) error {
	switch {
	case depth > maxDepth:
		return damage(start, "nested deeper than %d levels", maxDepth)
	case end-start < MinDocument:
		return damage(start, "a document is cut off")
	case int64(w.int32(start)) != int64(end-start):
		return damage(start, "a document says it has %d bytes and has %d", w.int32(start), end-start)
	case w.doc[end-1] != 0:
		return damage(end-1, "a document does not end with a zero byte")
	}
	w.dst = append(w.dst, open)
	for at := start + 4; ; {
		kind := w.doc[at]
		if kind == 0 {
			if at != end-1 {
				return damage(at, "a document ends early")
			}
			w.dst = append(w.dst, open+2) // '{' and '}', '[' and ']' are two apart
			return nil
		}
		nameAt := at + 1
		nameEnd := w.plain(nameAt)
		clean := w.doc[nameEnd] == 0
		if !clean {
			nameEnd += bytes.IndexByte(w.doc[nameEnd:], 0)
		}
		if nameEnd >= end-1 {
			return damage(at, "the name of a field does not end")
		}
		name := w.doc[nameAt:nameEnd]
		if at > start+4 {
			w.dst = append(w.dst, ',')
		}
		switch {
		case open == '[':
		case clean:
			w.dst = append(append(append(w.dst, '"'), name...), '"', ':')
		default:
			w.dst = append(appendString(w.dst, name), ':')
		}
		next, err := w.value(kind, nameEnd+1, end-1, depth)
		if err != nil {
			if inside := (*DamageError)(nil); errors.As(err, &inside) {
				inside.Path = slices.Insert(inside.Path, 0, string(bytes.ToValidUTF8(name, []byte("\ufffd"))))
			}
			return err
		}
		at = next
	}
}

func (w *writer) int32(at int) int32 { return int32(binary.LittleEndian.Uint32(w.doc[at:])) }

// value writes the value at an offset and returns where it ends, at most end.
func (w *writer) value(kind byte, at, end, depth int) (next int, err error) {
	if size := int(fixedSize[kind]) - 1; size >= 0 {
		if end-at < size {
			return 0, damage(at, "a value of %d bytes is cut off", size)
		}
		return at + size, w.fixed(kind, at)
	}
	switch kind {
	case 0x02: // string
		return w.text(at, end)
	case 0x03, 0x04: // document, array
		next, err := w.length(at, end, MinDocument)
		if err != nil {
			return 0, err
		}
		open := byte('{')
		if kind == 0x04 {
			open = '['
		}
		return next, w.container(at, next, open, depth+1)
	case 0x05: // binary
		return w.binary(at, end)
	case 0x0b: // regular expression
		return w.regex(at, end)
	case 0x0c: // DBPointer
		w.dst = append(w.dst, `{"$dbPointer":{"$ref":`...)
		next, err := w.text(at, end)
		if err != nil {
			return 0, err
		}
		if end-next < 12 {
			return 0, damage(next, "an ObjectId is cut off")
		}
		w.dst = append(w.dst, `,"$id":`...)
		w.objectID(next)
		w.dst = append(w.dst, "}}"...)
		return next + 12, nil
	case 0x0d, 0x0e: // code, symbol
		if kind == 0x0d {
			w.dst = append(w.dst, `{"$code":`...)
		} else {
			w.dst = append(w.dst, `{"$symbol":`...)
		}
		next, err := w.text(at, end)
		w.dst = append(w.dst, '}')
		return next, err
	case 0x0f: // code with scope
		return w.scopedCode(at, end, depth)
	}
	return 0, damage(at, "type 0x%02x is not known", kind)
}

// fixedSize is one more than the size in bytes of a type's values, or 0 if that
// varies.
var fixedSize = [256]uint8{
	0x01: 9, 0x06: 1, 0x07: 13, 0x08: 2, 0x09: 9, 0x0a: 1, 0x10: 5, 0x11: 9, 0x12: 9, 0x13: 17, 0x7f: 1, 0xff: 1,
}

func (w *writer) fixed(kind byte, at int) error {
	switch kind {
	case 0x01:
		w.double(math.Float64frombits(binary.LittleEndian.Uint64(w.doc[at:])))
	case 0x06:
		w.dst = append(w.dst, `{"$undefined":true}`...)
	case 0x07:
		w.objectID(at)
	case 0x08:
		if w.doc[at] > 1 {
			return damage(at, "a boolean is %d, neither 0 nor 1", w.doc[at])
		}
		w.dst = strconv.AppendBool(w.dst, w.doc[at] == 1)
	case 0x09:
		w.date(int64(binary.LittleEndian.Uint64(w.doc[at:])))
	case 0x0a:
		w.dst = append(w.dst, "null"...)
	case 0x10:
		w.dst = strconv.AppendInt(w.dst, int64(w.int32(at)), 10)
	case 0x11:
		w.dst = append(w.dst, `{"$timestamp":{"t":`...)
		w.dst = strconv.AppendUint(w.dst, uint64(binary.LittleEndian.Uint32(w.doc[at+4:])), 10)
		w.dst = append(w.dst, `,"i":`...)
		w.dst = strconv.AppendUint(w.dst, uint64(binary.LittleEndian.Uint32(w.doc[at:])), 10)
		w.dst = append(w.dst, "}}"...)
	case 0x12:
		w.dst = strconv.AppendInt(w.dst, int64(binary.LittleEndian.Uint64(w.doc[at:])), 10)
	case 0x13:
		w.dst = append(w.dst, `{"$numberDecimal":"`...)
		w.dst = appendDecimal(w.dst, binary.LittleEndian.Uint64(w.doc[at+8:]), binary.LittleEndian.Uint64(w.doc[at:]))
		w.dst = append(w.dst, `"}`...)
	case 0x7f:
		w.dst = append(w.dst, `{"$maxKey":1}`...)
	case 0xff:
		w.dst = append(w.dst, `{"$minKey":1}`...)
	}
	return nil
}

// length reads the length at an offset, which includes itself, and returns
// where the measured bytes end.
func (w *writer) length(at, end, least int) (next int, err error) {
	if end-at < 4 {
		return 0, damage(at, "a length is cut off")
	}
	n := int64(w.int32(at))
	if n < int64(least) || n > int64(end-at) {
		return 0, damage(at, "a length of %d does not fit into the %d bytes that are left", n, end-at)
	}
	return at + int(n), nil
}

// text writes a string. The document stores its length, including the final
// zero byte, and then its bytes.
func (w *writer) text(at, end int) (next int, err error) {
	if end-at < 4 {
		return 0, damage(at, "a length is cut off")
	}
	n := int64(w.int32(at))
	if n < 1 || n > int64(end-at-4) {
		return 0, damage(at, "a text of %d bytes does not fit into the %d bytes that are left", n, end-at-4)
	}
	next = at + 4 + int(n)
	if w.doc[next-1] != 0 {
		return 0, damage(next-1, "a text does not end with a zero byte")
	}
	text := w.doc[at+4 : next-1]
	plain := w.plain(at+4) - (at + 4)
	w.dst = append(append(w.dst, '"'), text[:plain]...)
	if plain < len(text) {
		if !utf8.Valid(text[plain:]) {
			return 0, damage(at+4, "a text is not UTF-8")
		}
		w.dst = appendEscaped(w.dst, text[plain:])
	}
	w.dst = append(w.dst, '"')
	return next, nil
}

// plain returns the offset of the next byte that cannot be written as it is: a
// control character (including the zero byte that ends names, texts and
// documents), a quote, a backslash, or a byte that is not ASCII. It examines
// eight bytes at a time; the lowest bit set in each mask is right. Source:
// https://graphics.stanford.edu/~seander/bithacks.html#HasLessInWord
func (w *writer) plain(at int) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	for ; at+8 <= len(w.doc); at += 8 {
		x := binary.LittleEndian.Uint64(w.doc[at:])
		quote, backslash := x^'"'*ones, x^'\\'*ones
		mask := (x | (x-0x20*ones)&^x | (quote-ones)&^quote | (backslash-ones)&^backslash) & tops
		if mask != 0 {
			return at + bits.TrailingZeros64(mask)/8
		}
	}
	for ; w.doc[at]-0x20 < 0x60 && w.doc[at] != '"' && w.doc[at] != '\\'; at++ {
	}
	return at
}

func (w *writer) binary(at, end int) (next int, err error) {
	if end-at < 5 {
		return 0, damage(at, "a binary value is cut off")
	}
	n := int64(w.int32(at))
	if n < 0 || n > int64(end-at-5) {
		return 0, damage(at, "a binary value of %d bytes does not fit into the %d bytes that are left", n, end-at-5)
	}
	subtype := w.doc[at+4]
	next = at + 5 + int(n)
	data := w.doc[at+5 : next]
	if subtype == 0x02 { // the old binary subtype repeats its length
		if len(data) < 4 || int64(int32(binary.LittleEndian.Uint32(data))) != int64(len(data)-4) {
			return 0, damage(at+5, "the two lengths of a binary value differ")
		}
		data = data[4:]
	}
	w.dst = append(w.dst, `{"$binary":{"base64":"`...)
	w.dst = base64.StdEncoding.AppendEncode(w.dst, data)
	w.dst = append(w.dst, `","subType":"`...)
	w.dst = hex.AppendEncode(w.dst, []byte{subtype})
	w.dst = append(w.dst, `"}}`...)
	return next, nil
}

func (w *writer) regex(at, end int) (next int, err error) {
	var parts [2][]byte
	next = at
	for i := range parts {
		n := bytes.IndexByte(w.doc[next:end], 0)
		if n < 0 {
			return 0, damage(at, "a regular expression does not end")
		}
		parts[i] = w.doc[next : next+n]
		next += n + 1
	}
	options := []rune(string(parts[1]))
	slices.Sort(options)
	w.dst = append(w.dst, `{"$regularExpression":{"pattern":`...)
	w.dst = appendString(w.dst, parts[0])
	w.dst = append(w.dst, `,"options":`...)
	w.dst = appendString(w.dst, []byte(string(options)))
	w.dst = append(w.dst, "}}"...)
	return next, nil
}

func (w *writer) scopedCode(at, end, depth int) (next int, err error) {
	next, err = w.length(at, end, 4+4+1+MinDocument)
	if err != nil {
		return 0, err
	}
	w.dst = append(w.dst, `{"$code":`...)
	scope, err := w.text(at+4, next)
	if err != nil {
		return 0, err
	}
	w.dst = append(w.dst, `,"$scope":`...)
	if err := w.container(scope, next, '{', depth+1); err != nil {
		return 0, err
	}
	w.dst = append(w.dst, '}')
	return next, nil
}

func (w *writer) objectID(at int) {
	w.dst = append(w.dst, `{"$oid":"`...)
	w.dst = hex.AppendEncode(w.dst, w.doc[at:at+12])
	w.dst = append(w.dst, `"}`...)
}

func (w *writer) double(f float64) {
	switch {
	case math.IsNaN(f):
		w.dst = append(w.dst, `{"$numberDouble":"NaN"}`...)
		return
	case math.IsInf(f, 1):
		w.dst = append(w.dst, `{"$numberDouble":"Infinity"}`...)
		return
	case math.IsInf(f, -1):
		w.dst = append(w.dst, `{"$numberDouble":"-Infinity"}`...)
		return
	}
	start := len(w.dst)
	w.dst = strconv.AppendFloat(w.dst, f, 'G', -1, 64)
	if !bytes.ContainsAny(w.dst[start:], ".E") {
		w.dst = append(w.dst, ".0"...)
	}
}

// date writes milliseconds since 1970. The relaxed form writes only the years
// from 1970 to 9999 as text.
func (w *writer) date(ms int64) {
	t := time.UnixMilli(ms).UTC()
	if year := t.Year(); year < 1970 || year > 9999 {
		w.dst = append(w.dst, `{"$date":{"$numberLong":"`...)
		w.dst = strconv.AppendInt(w.dst, ms, 10)
		w.dst = append(w.dst, `"}}`...)
		return
	}
	w.dst = append(w.dst, `{"$date":"`...)
	w.dst = t.AppendFormat(w.dst, time.RFC3339Nano)
	w.dst = append(w.dst, `"}`...)
}

// escaped marks the bytes of a string that must be escaped, and the first byte
// of characters that must.
var escaped = func() (table [256]bool) {
	for c := range 0x20 {
		table[c] = true
	}
	table['"'], table['\\'] = true, true
	table[0xe2] = true // the first byte of U+2028 and U+2029
	return table
}()

// appendString writes text as a JSON string. Invalid UTF-8, possible in field
// names, becomes U+FFFD.
func appendString(dst, text []byte) []byte {
	dst = append(dst, '"')
	if !utf8.Valid(text) {
		for len(text) > 0 {
			r, size := utf8.DecodeRune(text)
			if r == utf8.RuneError && size == 1 {
				dst = append(dst, `\ufffd`...)
			} else {
				dst = appendEscaped(dst, text[:size])
			}
			text = text[size:]
		}
		return append(dst, '"')
	}
	return append(appendEscaped(dst, text), '"')
}

func appendEscaped(dst, text []byte) []byte {
	const digits = "0123456789abcdef"
	from := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		if !escaped[c] {
			continue
		}
		if c == 0xe2 {
			if i+2 < len(text) && text[i+1] == 0x80 && text[i+2]&^1 == 0xa8 {
				dst = append(dst, text[from:i]...)
				dst = append(dst, `\u202`...)
				dst = append(dst, digits[text[i+2]&0xf])
				i += 2
				from = i + 1
			}
			continue
		}
		dst = append(dst, text[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\b':
			dst = append(dst, '\\', 'b')
		case '\f':
			dst = append(dst, '\\', 'f')
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&0xf])
		}
	}
	return append(dst, text[from:]...)
}
