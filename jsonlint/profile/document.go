package profile

import (
	"iter"

	"github.com/zeebo/xxh3"

	"github.com/shapevet/shapevet/jsonlint/scan"
)

// A Document is a parsed document with its place in the input, as probes see
// it. It is valid until the visit ends. [Document.Load] makes it stand for
// another document.
type Document struct {
	*scan.Document
	File uint32
	Base int64 // offset of Src[0] in the file

	canon  Canonicalizer
	tail   []byte // result of Tail where that differs from the text as written
	lookup lookup
}

// At returns the range of the token at i: a name, or a whole value.
func (d *Document) At(i int) Pos {
	t, root := &d.Tokens[i], &d.Tokens[0]
	return Pos{
		File: d.File, Len: t.End - t.Start, Off: d.Base + int64(t.Start),
		Doc: d.Base + int64(root.Start), DocLen: root.End - root.Start,
	}
}

// Start returns the position of the document itself: its first byte.
func (d *Document) Start() Pos {
	p := d.At(0)
	p.Len = 1
	return p
}

// Follows reports whether the document comes after a position in its file.
func (d *Document) Follows(p *Pos) bool {
	return d.File == p.File && d.Base+int64(d.Tokens[0].Start) > p.Off && p.Known()
}

// Class returns the class of the value at i.
func (d *Document) Class(i int) Class { return ClassOf(&d.Tokens[i]) }

// Canonical returns the canonical text of the scalar at i; see
// [Canonicalizer]. It is valid until the next call.
func (d *Document) Canonical(i int) []byte { return d.canon.Text(d.Document, i) }

// Tail cuts the URL or path at i before its last segment, as [Scalars.Tails]
// and [Scalars.Prefixes] sample them. ok is false if the value is neither. The
// parts are valid until the next call.
func (d *Document) Tail(i int) (prefix, tail []byte, ok bool) {
	text := d.Canonical(i)
	if f := FormOf(text); f != FormURL && f != FormPath {
		return nil, nil, false
	}
	return cutTail(text, &d.tail)
}

// Hash returns the hash of the value at i. For a scalar it hashes the canonical
// text; for an object, all names and values, whatever their order.
func (d *Document) Hash(i int) uint64 {
	switch kind := d.Tokens[i].Kind; {
	case kind >= scan.Object:
		hash, _ := d.hashAll(i)
		return hash
	case kind == scan.Null:
		return 1
	}
	return d.scalarHash(i)
}

// hashAll returns the hash of the value at i and the index of the token after
// it.
func (d *Document) hashAll(i int) (hash uint64, next int) {
	t := &d.Tokens[i]
	switch t.Kind {
	case scan.Object, scan.Array:
		kept := d.inside(i)
		if kept == nil {
			return d.hashInside(i), int(t.A)
		}
		if *kept == 0 {
			*kept = d.hashInside(i)
		}
		return *kept, int(t.A)
	case scan.Null:
		return 1, i + 1
	}
	return d.canon.Hash(d.Document, i), i + 1
}

// hashInside returns the hash of the object or array at i.
func (d *Document) hashInside(i int) uint64 {
	h, value, end := uint64(elementHash), uint64(0), int(d.Tokens[i].A)
	if d.Tokens[i].Kind == scan.Object {
		h = valuesHash
		for k := i + 1; k < end; {
			name := d.nameHash(k)
			value, k = d.hashAll(k + 1)
			h += joinHash(name, value)
		}
		return max(h, 1)
	}
	for k := i + 1; k < end; {
		value, k = d.hashAll(k)
		h = joinHash(h, value)
	}
	return max(h, 1)
}

func (d *Document) nameHash(k int) uint64 {
	if d.Tokens[k].Flags&scan.Escaped == 0 {
		if text := d.Text(k); len(text) <= shortText {
			return hashShort(text)
		}
		return max(xxh3.Hash(d.Text(k)), 1)
	}
	return max(xxh3.HashString(d.String(k)), 1)
}

// Select yields the indexes of the values at a path below the value at i, in
// document order.
func (d *Document) Select(i int, path Path) iter.Seq[int] {
	return func(yield func(int) bool) { d.selectIn(i, path, yield) }
}

func (d *Document) selectIn(i int, path Path, yield func(int) bool) bool {
	if len(path) == 0 {
		return yield(i)
	}
	switch step := path[0]; step.Kind {
	case Field:
		if v, ok := d.Get(i, step.Name); ok {
			return d.selectIn(v, path[1:], yield)
		}
	case Element:
		for _, v := range d.Elements(i) {
			if !d.selectIn(v, path[1:], yield) {
				return false
			}
		}
	case MapValues:
		for _, v := range d.Members(i) {
			if !d.selectIn(v, path[1:], yield) {
				return false
			}
		}
	}
	return true
}

// First returns the index of the first value at a path below the value at i.
func (d *Document) First(i int, path Path) (int, bool) {
	for v := range d.Select(i, path) {
		return v, true
	}
	return 0, false
}

// RootShape returns the hash of the document's shape; see [Document.Shape].
func (d *Document) RootShape() uint64 { return d.Shape(0) }

// Shape returns the hash of the shape of the object at i: of the names of its
// members that are not null. It equals [Shape.Hash].
func (d *Document) Shape(i int) uint64 {
	if i != 0 {
		return d.shapeAt(i)
	}
	shape := &d.lookup.shape
	if k := d.lookup.pattern; k != nil {
		shape = &k.shape
	}
	if *shape == 0 {
		*shape = d.shapeAt(0)
	}
	return *shape
}

func (d *Document) shapeAt(i int) uint64 {
	h, n := uint64(0), 0
	for k, v := range d.Members(i) {
		if d.Tokens[v].Kind != scan.Null {
			h += d.nameHash(k)
			n++
		}
	}
	return max(joinHash(h, uint64(n)), 1)
}

// CompactLen returns the length of a document without the white space between
// its parts, which no database stores. The first name shows whether there is
// any. The tokens of a corrected document may overlap.
func CompactLen(d *scan.Document) int64 {
	root := &d.Tokens[0]
	length := int64(root.End - root.Start)
	if len(d.Tokens) < 3 || d.Tokens[1].Start == root.Start+1 && d.Tokens[2].Start == d.Tokens[1].End+1 {
		return length
	}
	at := root.Start + 1
	for i := 1; i < len(d.Tokens); i++ {
		t := &d.Tokens[i]
		length -= spaces(d.Src[at:max(at, t.Start)])
		end := t.End
		switch {
		case t.Kind == scan.Object || t.Kind == scan.Array:
			end = t.Start + 1
		case t.Flags&scan.Wrapped != 0:
			length -= spaces(d.Src[t.Start:t.End])
		}
		at = max(at, end)
	}
	return length - spaces(d.Src[at:max(at, root.End)])
}

func spaces(text []byte) (n int64) {
	for _, c := range text {
		if c == ' ' || c == '\n' || c == '\t' || c == '\r' {
			n++
		}
	}
	return n
}
