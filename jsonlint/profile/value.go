package profile

import (
	"bytes"
	"encoding/binary"
	"math"
	"strconv"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/shapevet/shapevet/jsonlint/scan"
)

// Class is the type of a value as databases distinguish types.
type Class uint8

const (
	Null Class = iota
	Bool
	Int
	Double // or a decimal
	String
	ObjectID
	Date // or a timestamp
	Binary
	Special // MinKey, MaxKey or a regular expression
	Object
	Array
	NumClasses
)

var classNames = [NumClasses]string{"null", "bool", "int", "double", "string", "objectId", "date", "binary", "special", "object", "array"}

func (c Class) String() string { return classNames[c] }

// TypeClass returns the class with all numbers combined: int and double are one
// type to every database that stores JSON, and Go's bson package chooses
// between 32 and 64 bits by the value.
func (c Class) TypeClass() Class {
	if c == Double {
		return Int
	}
	return c
}

// TypeName returns the name of the type class.
func (c Class) TypeName() string {
	if c.TypeClass() == Int {
		return "number"
	}
	return c.String()
}

// A ClassSet is a set of classes.
type ClassSet uint16

func (s ClassSet) Has(c Class) bool { return s&(1<<c) != 0 }

func (s ClassSet) typeClasses() ClassSet {
	if s.Has(Double) {
		s = s&^(1<<Double) | 1<<Int
	}
	return s
}

var classOfKind = [...]Class{
	scan.Null: Null, scan.False: Bool, scan.True: Bool, scan.Number: Int, scan.Decimal: Double,
	scan.String: String, scan.ObjectID: ObjectID, scan.Date: Date, scan.Binary: Binary,
	scan.Timestamp: Date, scan.Special: Special, scan.Object: Object, scan.Array: Array,
}

// ClassOf returns the class of a token.
func ClassOf(t *scan.Token) Class {
	c := classOfKind[t.Kind]
	if c == Int && t.Flags&scan.Float != 0 {
		return Double
	}
	return c
}

// longText is the length from which only the ends of a text are hashed.
const longText = 256

// HashText hashes a canonical text. All samples and sets use this one hash, so
// that they can be joined.
func HashText(text []byte) uint64 {
	if len(text) <= shortText {
		return hashShort(text)
	}
	if len(text) <= longText {
		return max(xxh3.Hash(text), 1) // 0 marks a free slot in a sample
	}
	return max(xxh3.HashSeed(text[len(text)-longText/2:], xxh3.Hash(text[:longText/2])^uint64(len(text))), 1)
}

// A Canonicalizer turns scalars into canonical texts, which are equal for
// values that a person would call the same id, whatever their type or spelling:
// 12 and "12", 1.0 and 1, an ObjectID and its 24 hex digits or how a shell
// prints it, a UUID in upper or lower case. Integers never go through floating
// point. The result is valid until the next call.
type Canonicalizer struct{ buf []byte }

// isCanonical reports whether the text of a scalar is certainly canonical,
// without reading it.
func isCanonical(t *scan.Token) bool {
	length := t.B - t.A
	return t.Kind == scan.String && t.Flags&scan.Escaped == 0 && length != uuidLength && length != objectIDLength ||
		t.Kind == scan.Number && t.Flags&scan.Float == 0 && length != 2
}

// lengths of ids that may be written in either case
const (
	uuidLength     = 36
	objectIDLength = 24
)

// printedLength is the length of an ObjectID as shells and programs print it,
// quotes included: ObjectId('64b000000000000000000001'). Stored as text, it is
// the id that it was made from.
const printedLength = uuidLength

var printedID = []byte("ObjectId(")

// Text returns the canonical text of the scalar at i.
func (c *Canonicalizer) Text(d *scan.Document, i int) []byte {
	t := &d.Tokens[i]
	text := d.Text(i)
	switch t.Kind {
	case scan.Null:
		return nil
	case scan.True, scan.False:
		return d.Raw(i)
	case scan.Number, scan.Decimal:
		if t.Flags&scan.Float != 0 || t.Kind == scan.Decimal {
			return c.number(text)
		}
		if len(text) == 2 && text[0] == '-' && text[1] == '0' {
			return text[1:]
		}
		return text
	case scan.ObjectID:
		return c.lower(text)
	case scan.Date:
		return c.date(text)
	}
	if t.Flags&scan.Escaped != 0 {
		c.buf = scan.AppendUnescaped(c.buf[:0], text)
		text = c.buf
	}
	if len(text) == printedLength && text[8] == '(' && bytes.HasPrefix(text, printedID) && allHex(text[10:34]) {
		return c.lower(text[10:34])
	}
	if len(text) == uuidLength && text[8] == '-' && text[13] == '-' || len(text) == objectIDLength && allHex(text) {
		return c.lower(text)
	}
	return text
}

// Hash returns the hash of the canonical text of the scalar at i.
func (c *Canonicalizer) Hash(d *scan.Document, i int) uint64 { return HashText(c.Text(d, i)) }

func (c *Canonicalizer) lower(text []byte) []byte { return lowered(text, &c.buf) }

// lowered returns the text with its ASCII letters in lower case. It uses buf if
// that changes the text.
func lowered(text []byte, buf *[]byte) []byte {
	if !anyUpper(text) {
		return text
	}
	out := append((*buf)[:0], text...)
	for i, b := range out {
		if b-'A' < 26 {
			out[i] = b + 'a' - 'A'
		}
	}
	*buf = out
	return out
}

// anyUpper reports whether the text has an ASCII capital letter. It examines 8
// bytes at a time: adding to the lower 7 bits of each byte carries into its
// highest bit if the byte is large enough.
func anyUpper(text []byte) bool {
	const (
		ones  = 0x0101010101010101
		highs = 0x80 * ones
	)
	for ; len(text) >= 8; text = text[8:] {
		w := binary.LittleEndian.Uint64(text)
		low := w &^ highs
		if ((low+(0x80-'A')*ones)^(low+(0x7f-'Z')*ones))&^w&highs != 0 {
			return true
		}
	}
	for _, b := range text {
		if b-'A' < 26 {
			return true
		}
	}
	return false
}

// date writes a date in UTC and milliseconds, as most exports do, so that one
// instant is one value, whatever its zone and form.
func (c *Canonicalizer) date(text []byte) []byte {
	const usual = "2006-01-02T15:04:05.000Z"
	if len(text) == len(usual) && text[len(text)-1] == 'Z' {
		return text
	}
	var at time.Time
	if millis, err := strconv.ParseInt(string(text), 10, 64); err == nil {
		at = time.UnixMilli(millis)
	} else if at, err = time.Parse(time.RFC3339, string(text)); err != nil {
		if at, err = time.Parse("2006-01-02T15:04:05Z0700", string(text)); err != nil {
			return text
		}
	}
	layout := usual
	if at.Nanosecond()%int(time.Millisecond) != 0 {
		layout = time.RFC3339Nano
	}
	c.buf = at.UTC().AppendFormat(c.buf[:0], layout)
	return c.buf
}

// pointOf returns the index of a number's decimal point, or -1, and whether
// there is an exponent.
func pointOf(text []byte) (point int, exponent bool) {
	point = -1
	for i, b := range text {
		switch {
		case b == '.' && point < 0:
			point = i
		case b|0x20 == 'e':
			return point, true
		}
	}
	return point, false
}

func (c *Canonicalizer) number(text []byte) []byte {
	point, exponent := pointOf(text)
	if exponent {
		f, err := strconv.ParseFloat(string(text), 64)
		if err != nil || math.IsInf(f, 0) {
			return text
		}
		c.buf = strconv.AppendFloat(c.buf[:0], f, 'f', -1, 64)
		return c.buf
	}
	if point < 0 {
		return text
	}
	for text[len(text)-1] == '0' {
		text = text[:len(text)-1]
	}
	text = bytes.TrimSuffix(text, []byte("."))
	if string(text) == "-0" {
		text = text[1:]
	}
	return text
}

func allHex(text []byte) bool {
	for _, b := range text {
		if !('0' <= b && b <= '9' || 'a' <= b && b <= 'f' || 'A' <= b && b <= 'F') {
			return false
		}
	}
	return true
}

// imprecise reports whether a number with a fraction or an exponent has more
// digits than a double holds, or overflows it.
func imprecise(text []byte, exponent bool) bool {
	if len(text) <= doubleDigits+1 && !exponent {
		return false // at most a decimal point and the digits that a double holds
	}
	digits, leading := 0, true
	for _, c := range text {
		if c == 'e' || c == 'E' {
			break
		}
		if c < '0' || c > '9' || leading && c == '0' {
			continue
		}
		leading = false
		digits++
	}
	f, err := strconv.ParseFloat(string(text), 64)
	return err != nil || math.IsInf(f, 0) || digits > doubleDigits+1 && strconv.FormatFloat(f, 'f', -1, 64) != string(text)
}
