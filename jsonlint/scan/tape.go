// Package scan turns the bytes of one JSON document into a tape: a flat list of
// tokens in document order that can be walked, skipped and pointed into without
// allocating. It knows JSON (RFC 8259) and the scalar wrappers of MongoDB
// Extended JSON, but not what documents mean.
//
// [Parser] is strict. [Recover] reads what Parser refuses as well as it can,
// and says at each place what is wrong and how to fix it.
package scan

import "iter"

// Kind is the kind of a token. The kinds after Array are scalars that Extended
// JSON writes as objects. The tape holds each as one token.
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
	Key                       // the name of a member
)

// A Token is one value, or the name of an object's member. Offsets are bytes
// in [Document.Src].
type Token struct {
	Start, End uint32 // the value as written, quotes and wrapper included; End is exclusive

	// For scalars, the payload: a string without its quotes, the digits of a
	// wrapped number, the 24 hex digits of an ObjectID. For containers, A is the
	// index of the token after the container's last one and B the number of
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

	// Records are the known layouts of the document and of the objects in its
	// arrays, in document order. An object without a record has an unknown
	// structure, and so do the elements of arrays in it. There are no records if
	// the document's own structure is unknown.
	Records []Record

	// Ident identifies the document if its dialect does that outside the members:
	// it is the name of a Firestore document, with the path's last segment as
	// payload. Otherwise its kind is Invalid.
	Ident Token

	// Dialect states the types of the document's values.
	Dialect Dialect

	// Malformed lists the objects that were meant as Extended JSON but are not.
	Malformed []Diagnostic
}

// Next returns the index of the token after the value at i.
func (d *Document) Next(i int) int {
	if t := &d.Tokens[i]; t.Kind >= Object {
		return int(t.A)
	}
	return i + 1
}

// Text returns the payload of the scalar or name at i as written, with escapes
// unresolved. Containers have none.
func (d *Document) Text(i int) []byte {
	t := &d.Tokens[i]
	if t.Kind >= Object {
		return nil
	}
	return d.Src[t.A:t.B]
}

// Raw returns the value at i as written.
func (d *Document) Raw(i int) []byte {
	t := &d.Tokens[i]
	return d.Src[t.Start:t.End]
}

// String returns the payload of the scalar or name at i with escapes resolved.
// Lone surrogates become U+FFFD.
func (d *Document) String(i int) string {
	if d.Tokens[i].Flags&Escaped == 0 {
		return string(d.Text(i))
	}
	return string(AppendUnescaped(nil, d.Text(i)))
}

// Len returns the number of members or elements of the container at i, or 0 for
// a scalar.
func (d *Document) Len(i int) int {
	if t := &d.Tokens[i]; t.Kind >= Object {
		return int(t.B)
	}
	return 0
}

// Members yields the indexes of name and value of each member of the object at
// i, in document order. It yields nothing for other values.
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

// Elements yields position and index of each element of the array at i. It
// yields nothing for other values.
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

// Get returns the index of the value of the named member of the object at i. If
// a name occurs twice, the last one counts, as in encoding/json.
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

// Sub makes part a document of the value at i. They share the text of d; the
// tokens are copied into part's memory. There are no records.
func (d *Document) Sub(i int, part *Document) {
	part.Src, part.Records, part.Malformed = d.Src, nil, nil
	part.Tokens = append(part.Tokens[:0], d.Tokens[i:d.Next(i)]...)
	for j := range part.Tokens {
		if t := &part.Tokens[j]; t.Kind >= Object {
			t.A -= uint32(i)
		}
	}
}
