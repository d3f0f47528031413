// Package scan turns the bytes of one JSON document into a tape: a flat list
// of tokens in document order that can be walked, skipped and pointed into
// without allocating. It knows JSON (RFC 8259) and the scalar wrappers of
// MongoDB Extended JSON, and nothing of what documents mean.
//
// [Parser] is strict. What it refuses, [Recover] reads as well as it can,
// saying at each place what is wrong and how to mend it.
package scan

import "iter"

// Kind is the kind of a token. The kinds after Array are scalars that
// Extended JSON writes as objects; the tape holds them as one token.
type Kind uint8

const (
	Invalid   Kind = iota
	Null           // null, {"$undefined":true}
	False          // false
	True           // true
	Number         // 12, -1.5e3, NaN where tolerated, {"$numberInt":"12"}, {"$numberLong":…}, {"$numberDouble":…}
	Decimal        // {"$numberDecimal":"1.10"}
	String         // "text", {"$symbol":…}, {"$code":…}
	ObjectID       // {"$oid":"…"}
	Date           // {"$date":…}
	Binary         // {"$binary":…}, {"$uuid":…}
	Timestamp      // {"$timestamp":…}
	Special        // {"$minKey":1}, {"$maxKey":1}, {"$regularExpression":…}
	Object
	Array
)

// Flags of a [Token].
type Flags uint8

const (
	Escaped Flags = 1 << iota // a string with at least one backslash escape
	Float                     // a number written with a fraction or an exponent
	Wrapped                   // a value written as an Extended JSON or vendor wrapper
	Elided                    // an array or object in which the author left something out ("…", "...")
	Opaque                    // a scalar that could not be read (recovery only)
	Key                       // a member's name
)

// A Token is one value, or the name of an object's member. Offsets are bytes
// in [Document.Src].
type Token struct {
	Start, End uint32 // the value as written, quotes and wrapper included; End is exclusive

	// Scalars: the payload. A string without its quotes, the digits of a
	// wrapped number, the 24 hex digits of an ObjectID. Containers: A is the
	// index of the token after the container's last one, B the number of
	// members or elements.
	A, B uint32

	Kind  Kind
	Flags Flags
}

// A Document is one parsed document. It is valid until the parser that made
// it parses again.
type Document struct {
	Src    []byte
	Tokens []Token // Tokens[0] is the document's own value; a member is its name followed by its value

	// Records are what is known of the structure of the document and of the
	// objects that are elements of its arrays, in document order. An object
	// without a record is not known, and neither are the elements of arrays
	// inside of it; there are none at all if the document itself is not known.
	Records []Record

	// Ident is what identifies the document where its dialect writes that
	// outside its members: of a Firestore document the name, with the last
	// segment of the path as payload. Otherwise its kind is Invalid.
	Ident Token

	// Malformed says which objects are meant as Extended JSON and are not.
	Malformed []Diagnostic
}

// Next returns the index of the token after the value at i.
func (d *Document) Next(i int) int {
	if t := &d.Tokens[i]; t.Kind >= Object {
		return int(t.A)
	}
	return i + 1
}

// Text returns the payload of the scalar or name at i as written: escapes
// are not resolved.
func (d *Document) Text(i int) []byte {
	t := &d.Tokens[i]
	return d.Src[t.A:t.B]
}

// Raw returns the value at i as written.
func (d *Document) Raw(i int) []byte {
	t := &d.Tokens[i]
	return d.Src[t.Start:t.End]
}

// String returns the payload of the scalar or name at i with escapes
// resolved; lone surrogates become U+FFFD.
func (d *Document) String(i int) string {
	if d.Tokens[i].Flags&Escaped == 0 {
		return string(d.Text(i))
	}
	return string(AppendUnescaped(nil, d.Text(i)))
}

// Len returns the number of members or elements of the container at i, 0 for
// a scalar.
func (d *Document) Len(i int) int {
	if t := &d.Tokens[i]; t.Kind >= Object {
		return int(t.B)
	}
	return 0
}

// Members yields the indexes of name and value of each member of the object
// at i, in document order; nothing if it is no object.
func (d *Document) Members(i int) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		if d.Tokens[i].Kind != Object {
			return
		}
		for k, end := i+1, int(d.Tokens[i].A); k < end; {
			v := k + 1
			if !yield(k, v) {
				return
			}
			k = d.Next(v)
		}
	}
}

// Elements yields position and index of each element of the array at i;
// nothing if it is no array.
func (d *Document) Elements(i int) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		if d.Tokens[i].Kind != Array {
			return
		}
		for n, v, end := 0, i+1, int(d.Tokens[i].A); v < end; n++ {
			if !yield(n, v) {
				return
			}
			v = d.Next(v)
		}
	}
}

// Get returns the index of the value of the named member of the object at i.
// Of a name that occurs twice the last one counts, as in encoding/json.
func (d *Document) Get(i int, name string) (int, bool) {
	found := -1
	for k, v := range d.Members(i) {
		if d.Tokens[k].Flags&Escaped == 0 {
			if string(d.Text(k)) == name {
				found = v
			}
		} else if d.String(k) == name {
			found = v
		}
	}
	return found, found >= 0
}

// Sub makes part the document that is the value at i: its text stays that of
// d, its tokens are copied into the memory that part has. It has no records.
func (d *Document) Sub(i int, part *Document) {
	part.Src, part.Records, part.Malformed = d.Src, nil, nil
	part.Tokens = append(part.Tokens[:0], d.Tokens[i:d.Next(i)]...)
	for j := range part.Tokens {
		if t := &part.Tokens[j]; t.Kind >= Object {
			t.A -= uint32(i)
		}
	}
}
