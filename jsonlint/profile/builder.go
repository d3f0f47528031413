package profile

import (
	"bytes"
	"encoding/base64"

	"github.com/zeebo/xxh3"

	"github.com/shapevet/shapevet/jsonlint/scan"
)

// A Collection is the profile of the documents of one collection, or of one
// kind of them.
type Collection struct {
	Name    string
	Docs    int64
	Bytes   int64
	Sizes   Histogram // bytes of a document as written
	Depths  Histogram // levels of objects and arrays in a document
	Largest Pos
	Deepest Pos
	Root    *Node

	// Identified counts the documents whose id stands beside their fields, as
	// Firestore's does.
	Identified int64

	paths Sample // distinct paths; bounds the names kept per object
}

// NewCollection returns the profile of no documents.
func NewCollection(name string) *Collection {
	return &Collection{Name: name, Root: &Node{pathHash: 1}, paths: newSample(4096)}
}

// Paths estimates the number of distinct paths.
func (c *Collection) Paths() float64 { return c.paths.Distinct() }

// Merge adds the documents of o, which is not used any more after.
func (c *Collection) Merge(o *Collection) {
	c.Docs += o.Docs
	c.Bytes += o.Bytes
	c.Identified += o.Identified
	_, c.Largest = larger(c.Sizes.Max, c.Largest, o.Sizes.Max, o.Largest)
	_, c.Deepest = larger(c.Depths.Max, c.Deepest, o.Depths.Max, o.Deepest)
	c.Sizes.Merge(&o.Sizes)
	c.Depths.Merge(&o.Depths)
	c.paths.merge(&o.paths)
	c.Root.merge(o.Root)
	c.Root.limit(c.namesKept())
}

// namesKept is how many names an object keeps a node each for. It shrinks as
// the number of distinct paths grows, so that a document with maps inside
// maps cannot take memory without bound; it depends on the set of paths only,
// not on their order.
func (c *Collection) namesKept() int {
	names := 1024
	for paths := c.Paths(); paths > 20_000 && names > 32; paths /= 2 {
		names /= 2
	}
	return names
}

// maxDepth is how deep documents are profiled; the deepest limit of a
// database is 128 levels.
const maxDepth = 256

// A Builder adds documents to collections. It is not for concurrent use:
// each worker has its own, and their collections are merged at the end.
type Builder struct {
	c     *Collection
	d     *scan.Document
	canon Canonicalizer

	file    uint32
	base    int64 // offset of the document's Src[0] in the file
	doc     int64
	docLen  uint32
	serial  uint64 // of the document
	objects uint64 // serial of objects
	names   int    // names kept per object
	inRest  int
	deepest int

	members []member // of the objects being walked, innermost last
	nested  []member // scalars one level below the root
	keyBuf  []byte
}

// member is a member of an object that is being walked; hash is that of a
// scalar value, 0 for others.
type member struct {
	node *Node
	hash uint64
}

// Add profiles one document; base is the offset of d.Src[0] in the file.
func (b *Builder) Add(c *Collection, d *scan.Document, file uint32, base int64) {
	root := &d.Tokens[0]
	b.c, b.d, b.file, b.base = c, d, file, base
	b.doc, b.docLen = base+int64(root.Start), root.End-root.Start
	b.serial++
	b.deepest, b.inRest = 0, 0
	b.members, b.nested = b.members[:0], b.nested[:0]
	b.names = c.namesKept()

	b.value(c.Root, 0, -1, c.Root.pathHash)

	size := int64(b.docLen)
	c.Docs++
	c.Bytes += size
	if d.Ident.Kind != scan.Invalid {
		c.Identified++
	}
	at := b.at(0, -1)
	at.Len = 1
	_, c.Largest = larger(c.Sizes.Max, c.Largest, size, at)
	_, c.Deepest = larger(c.Depths.Max, c.Deepest, int64(b.deepest), at)
	c.Sizes.Add(size)
	c.Depths.Add(int64(b.deepest))
	if names := c.namesKept(); names < b.names {
		c.Root.limit(names)
	}
}

// at returns the position of the value at i: of its name if it is a
// container that has one, of its first byte if it is a container without.
func (b *Builder) at(i, key int) Pos {
	t := &b.d.Tokens[i]
	if t.Kind >= scan.Object {
		if key >= 0 {
			t = &b.d.Tokens[key]
		} else {
			return Pos{b.file, 1, b.base + int64(t.Start), b.doc, b.docLen}
		}
	}
	return Pos{b.file, t.End - t.Start, b.base + int64(t.Start), b.doc, b.docLen}
}

// value adds the value at i, whose name is at key (-1 without), to n, and
// returns the hash of a scalar.
func (b *Builder) value(n *Node, i, key int, path uint64) (hash uint64) {
	t := &b.d.Tokens[i]
	class := ClassOf(t)
	n.Count++
	if n.lastDoc != b.serial && !n.inMap {
		n.lastDoc = b.serial
		n.Docs++
	}
	n.Types[class]++
	if n.Types[class] == 1 || b.before(n, class, t.Start) {
		n.see(class, b.at(i, key))
	}
	size := int64(t.End - t.Start)
	n.Bytes += size
	if size > n.Max || n.Max == 0 || size == n.Max && b.beforePos(n.MaxAt, t.Start) {
		n.Max, n.MaxAt = larger(n.Max, n.MaxAt, size, b.at(i, key))
	}
	if b.inRest > 0 {
		b.c.paths.add(path, Null, nil)
	}
	switch class {
	case Null:
	case Object:
		b.object(n, i, key, path)
	case Array:
		b.array(n, i, key, path)
	default:
		return b.scalar(n, i, class)
	}
	return 0
}

// before reports whether the value at offset start comes before the first one
// of its class: batches of a file may reach a worker in any order.
func (b *Builder) before(n *Node, class Class, start uint32) bool {
	for i := range n.firsts {
		if n.firsts[i].class == class {
			return b.beforePos(n.firsts[i].at, start)
		}
	}
	return true
}

func (b *Builder) beforePos(p Pos, start uint32) bool {
	return b.file < p.File || b.file == p.File && b.base+int64(start) < p.Off
}

func (b *Builder) object(n *Node, i, key int, path uint64) {
	o := n.object()
	t := &b.d.Tokens[i]
	o.Keys.Add(int64(t.B))
	if b.deepest <= n.Depth {
		b.deepest = n.Depth + 1
	}
	if n.Depth >= maxDepth {
		b.deepest = max(b.deepest, n.Depth+b.levels(i))
		return
	}
	b.objects++
	serial := b.objects
	start := len(b.members)
	position := 0
	for k, end := i+1, int(t.A); k < end; position++ {
		v := k + 1
		b.member(n, o, serial, k, position, path)
		k = b.d.Next(v)
	}
	if o.Shapes != nil {
		var nested []member
		if n.Depth == 0 {
			nested = b.nested
		}
		o.Shapes.add(b.members[start:], nested, b.at(i, key))
	}
	if n.Depth == 1 && !n.inArray {
		for _, m := range b.members[start:] {
			if m.hash != 0 {
				b.nested = append(b.nested, m)
			}
		}
	}
	b.members = b.members[:start]
}

func (b *Builder) member(n *Node, o *ObjectStats, serial uint64, k, position int, path uint64) {
	v := k + 1
	name := b.d.Text(k)
	if b.d.Tokens[k].Flags&scan.Escaped != 0 {
		b.keyBuf = scan.AppendUnescaped(b.keyBuf[:0], name)
		name = b.keyBuf
	}
	child := b.child(n, o, name, position)
	if child == nil {
		b.inRest++
		b.value(o.rest(n), v, k, joinHash(path, max(xxh3.Hash(name), 1)))
		b.inRest--
		return
	}
	if child.lastObj == serial {
		child.Duplicated++
		t := &b.d.Tokens[k]
		at := Pos{b.file, t.End - t.Start, b.base + int64(t.Start), b.doc, b.docLen}
		child.DuplicatedAt = earlier(child.DuplicatedAt, at)
	}
	again := child.lastObj == serial
	child.lastObj = serial
	hash := b.value(child, v, k, joinHash(path, child.keyHash))
	if !again && b.d.Tokens[v].Kind != scan.Null {
		b.members = append(b.members, member{child, hash})
	}
}

// child finds or makes the node of a name; nil means that it is not kept.
func (b *Builder) child(n *Node, o *ObjectStats, name []byte, position int) *Node {
	if position < len(o.order) {
		if c := o.order[position]; c.Step.Name == string(name) {
			return c
		}
	}
	c := o.fields[string(name)]
	if c == nil {
		hash := max(xxh3.Hash(name), 1)
		if !o.keeps(hash) {
			return nil
		}
		c = newChild(n, Step{Kind: Field, Name: string(name)}, hash)
		o.fields[c.Step.Name] = c
		if b.inRest == 0 {
			b.c.paths.add(c.pathHash, Null, nil)
		}
		if len(o.fields) > b.names {
			o.shrink(n, b.names)
			if !o.keeps(hash) {
				return nil
			}
			return c
		}
	}
	if position < len(o.order) {
		o.order[position] = c
	} else if position == len(o.order) && o.shift == 0 {
		o.order = append(o.order, c)
	}
	return c
}

func (b *Builder) array(n *Node, i, key int, path uint64) {
	a := n.array()
	t := &b.d.Tokens[i]
	if b.deepest <= n.Depth {
		b.deepest = n.Depth + 1
	}
	length := int64(t.B)
	if length > a.Len.Max || !a.LongestAt.Known() || length == a.Len.Max && b.beforePos(a.LongestAt, t.Start) {
		_, a.LongestAt = larger(a.Len.Max, a.LongestAt, length, b.at(i, key))
	}
	a.Len.Add(length)
	if t.Flags&scan.Elided != 0 {
		a.Elided++
		a.ElidedAt = earlier(a.ElidedAt, b.at(i, key))
	}
	if n.Depth >= maxDepth {
		b.deepest = max(b.deepest, n.Depth+b.levels(i))
		return
	}
	path = joinHash(path, elementHash)
	for v, end := i+1, int(t.A); v < end; v = b.d.Next(v) {
		b.value(a.Elem, v, -1, path)
	}
}

// levels counts the levels of containers of the value at i without recursion.
func (b *Builder) levels(i int) int {
	var ends []uint32
	deepest := 0
	for j, end := i, b.d.Next(i); j < end; j++ {
		for len(ends) > 0 && ends[len(ends)-1] <= uint32(j) {
			ends = ends[:len(ends)-1]
		}
		if t := &b.d.Tokens[j]; t.Kind >= scan.Object {
			ends = append(ends, t.A)
			deepest = max(deepest, len(ends))
		}
	}
	return deepest
}

// blobBytes is the length from which a string may be a blob
// (rule inline-blob).
const blobBytes = 16 << 10

func (b *Builder) scalar(n *Node, i int, class Class) uint64 {
	s := n.scalars()
	text := b.canon.Text(b.d, i)
	hash := HashText(text)
	s.Values.add(hash, class, text)
	switch class {
	case String:
		f := FormOf(text)
		b.form(s, f, i)
		if f == FormURL || f == FormPath {
			b.tail(s, text)
		}
		if len(text) >= blobBytes && isBlob(text) {
			s.Blobs++
			s.BlobAt = earlier(s.BlobAt, b.at(i, -1))
		}
	case Binary:
		if len(text) >= blobBytes {
			s.Blobs++
			s.BlobAt = earlier(s.BlobAt, b.at(i, -1))
		}
	case Int, Double:
		b.number(s, i, class)
	}
	return hash
}

func (b *Builder) form(s *Scalars, f Form, i int) {
	start := b.d.Tokens[i].Start
	for j := range s.forms {
		if e := &s.forms[j]; e.form == f {
			e.count++
			if b.beforePos(e.at, start) {
				e.at = b.at(i, -1)
			}
			return
		}
	}
	s.forms = append(s.forms, formSeen{f, 1, b.at(i, -1)})
}

// tail samples the last segment of a URL or path, which may be an id, and
// what stands before it.
func (b *Builder) tail(s *Scalars, text []byte) {
	prefix, tail, ok := cutTail(text)
	if !ok {
		return
	}
	s.Tails.add(HashText(tail), String, tail)
	s.Prefixes.add(HashText(prefix), String, prefix)
}

// cutTail cuts a URL or path before its last segment, which is put into the form
// of an id.
func cutTail(text []byte) (prefix, tail []byte, ok bool) {
	text = bytes.TrimRight(text, "/")
	cut := bytes.LastIndexAny(text, "/:")
	if cut < 0 || cut+1 == len(text) {
		return nil, nil, false
	}
	prefix, tail = text[:cut+1], text[cut+1:]
	if len(tail) == 24 && allHex(tail) || len(tail) == 36 && tail[8] == '-' {
		tail = bytes.ToLower(tail)
	}
	return prefix, tail, true
}

const (
	maxSafeInteger = 1 << 53
	doubleDigits   = 17 // more significant digits than a double can tell apart
)

func (b *Builder) number(s *Scalars, i int, class Class) {
	text := b.d.Text(i)
	if class == Int {
		if v, ok := parseInt(text); ok {
			if s.Ints == 0 {
				s.MinInt, s.MaxInt = v, v
			}
			s.Ints++
			s.MinInt, s.MaxInt = min(s.MinInt, v), max(s.MaxInt, v)
			if v <= maxSafeInteger && v >= -maxSafeInteger {
				return
			}
		}
	} else if len(text) <= doubleDigits && bytes.IndexByte(text, 'e') < 0 && bytes.IndexByte(text, 'E') < 0 {
		return
	} else if !imprecise(text) {
		return
	}
	if b.d.Tokens[i].Flags&scan.Wrapped == 0 {
		s.Imprecise++
		s.ImpreciseAt = earlier(s.ImpreciseAt, b.at(i, -1))
	}
}

func parseInt(text []byte) (v int64, ok bool) {
	neg := len(text) > 0 && text[0] == '-'
	if neg {
		text = text[1:]
	}
	if len(text) == 0 || len(text) > 18 {
		return 0, false
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = v*10 + int64(c-'0')
	}
	if neg {
		v = -v
	}
	return v, true
}

// isBlob reports whether a long text is base64 or a data URI.
func isBlob(text []byte) bool {
	if bytes.HasPrefix(text, []byte("data:")) {
		return true
	}
	if len(text)%4 != 0 {
		return false
	}
	window := text[:4096]
	var buf [3 * 4096 / 4]byte
	_, err := base64.StdEncoding.Decode(buf[:], window)
	if err != nil {
		_, err = base64.URLEncoding.Decode(buf[:], window)
	}
	return err == nil
}
