package profile

import (
	"github.com/zeebo/xxh3"

	"github.com/shapevet/shapevet/jsonlint/scan"
)

// A Collection is the profile of the documents of one collection, or of one
// kind of them.
type Collection struct {
	Name    string
	Docs    int64
	Bytes   int64
	Sizes   Histogram // bytes of a document as written, without white space
	Depths  Histogram // levels of objects and arrays in a document
	Deepest Pos
	Root    *Node

	// Identified counts the documents whose id is stored next to their fields, as
	// in Firestore.
	Identified int64

	paths Sample // distinct paths; bounds the names kept per object
	last  origin // the last document in input order
	plans plans
}

// An origin is the place of a document in the input.
type origin struct {
	file uint32
	doc  int64
}

func (p origin) before(q origin) bool { return p.file < q.file || p.file == q.file && p.doc < q.doc }

// NewCollection returns the profile of no documents.
func NewCollection(name string) *Collection {
	return &Collection{Name: name, Root: &Node{pathHash: 1}, paths: newSample(4096), last: origin{doc: -1}}
}

// Paths estimates the number of distinct paths.
func (c *Collection) Paths() float64 { return c.paths.Distinct() }

// Compact settles a profile that will get no more documents and frees the spare
// memory of its samples.
func (c *Collection) Compact() {
	c.Settle()
	c.Root.Walk(func(n *Node) bool {
		if s := n.Scalars; s != nil {
			s.Values.refit(settled)
			if s.addresses != nil {
				s.addresses.tails.refit(settled)
				s.addresses.prefixes.refit(settled)
			}
		}
		return true
	})
}

// Merge adds the documents of o. The caller must not use o afterwards.
func (c *Collection) Merge(o *Collection) {
	c.Settle()
	o.Settle()
	c.Docs += o.Docs
	c.Bytes += o.Bytes
	c.Identified += o.Identified
	if c.last.before(o.last) {
		c.last = o.last
	}
	_, c.Deepest = larger(c.Depths.Max, c.Deepest, o.Depths.Max, o.Deepest)
	c.Sizes.Merge(&o.Sizes)
	c.Depths.Merge(&o.Depths)
	c.paths.merge(&o.paths)
	c.Root.merge(o.Root)
	c.Root.limit(c.namesKept())
}

// namesKept is how many names of an object get a node of their own. It shrinks
// as the number of distinct paths grows, so that a document with maps inside
// maps cannot use unbounded memory. Few documents and entries of a map have more
// fields than the least number. It depends only on the set of paths, not on their
// order.
func (c *Collection) namesKept() int {
	names := 1024
	if c.paths.Exact() {
		return names
	}
	for paths := c.Paths(); paths > 20_000 && names > 64; paths /= 2 {
		names /= 2
	}
	return names
}

// maxDepth is how deep documents are profiled. The deepest limit of any
// database is 128 levels.
const maxDepth = 256

// A Builder adds documents to collections. It is not safe for concurrent use:
// each worker has its own, and their collections are merged at the end.
type Builder struct {
	c     *Collection
	d     *scan.Document
	src   []byte
	toks  []scan.Token
	canon Canonicalizer

	file    uint32
	base    int64 // offset of the document's Src[0] in the file
	doc     int64
	docLen  uint32
	late    bool   // a later document of the file has been added already
	serial  uint64 // of the document
	objects uint64 // serial of objects
	names   int    // names kept per object
	deepest int

	marks  []mark // of the objects being walked, innermost last
	nested []mark // one level below the root
	keyBuf []byte

	records []scan.Record // of the document; empty if it comes late
	record  int           // index of the next record
	steps   int           // steps in all plans
	known   int           // scalars that all plans remember
	stale   bool          // names of the document's objects were dropped, so plans may lead to dropped nodes
	seen    reading
}

// Add profiles one document; base is the offset of d.Src[0] in the file.
func (b *Builder) Add(c *Collection, d *scan.Document, file uint32, base int64) {
	root := &d.Tokens[0]
	b.c, b.d, b.src, b.toks, b.file, b.base = c, d, d.Src, d.Tokens, file, base
	b.doc, b.docLen = base+int64(root.Start), root.End-root.Start
	b.late = !c.last.before(origin{file, b.doc})
	if !b.late {
		c.last = origin{file, b.doc}
	}
	b.serial++
	b.deepest = 0
	b.marks, b.nested = b.marks[:0], b.nested[:0]
	b.names = c.namesKept()
	b.records, b.record, b.stale = d.Records, 0, false
	if b.late {
		b.records = nil
	}

	if l := b.layout(0); l != nil {
		b.planned(c.Root, l, 0)
	} else {
		b.value(c.Root, root, 0, -1, 0)
	}

	size := CompactLen(d)
	c.Docs++
	c.Bytes += size
	if d.Ident.Kind != scan.Invalid {
		c.Identified++
	}
	if int64(b.deepest) > c.Depths.Max || b.late || c.Docs == 1 {
		at := b.at(0, -1)
		at.Len = 1
		_, c.Deepest = larger(c.Depths.Max, c.Deepest, int64(b.deepest), at)
	}
	c.Sizes.Add(size)
	c.Depths.Add(int64(b.deepest))
	if names := c.namesKept(); names < b.names {
		b.stale = true
		c.Settle()
		c.Root.limit(names)
	} else if b.stale {
		c.Settle()
	}
}

// at returns the position of the value at i. For a container that is its name
// if it has one, otherwise its first byte.
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

// value adds the value t at i to n. Its name is at key, or key is -1. It
// returns the number of a scalar if its path has few values, otherwise 0. path
// is the hash of the path below names that are not kept, and 0 elsewhere.
func (b *Builder) value(n *Node, t *scan.Token, i, key int, path uint64) uint8 {
	class := ClassOf(t)
	n.Count++
	if n.lastDoc != b.serial {
		n.lastDoc = b.serial
		if !n.inMap {
			n.Docs++
		}
	}
	count := &n.Types[class]
	*count++
	size := int64(t.End - t.Start)
	n.Bytes += size
	if size > n.Max || *count == 1 || b.late {
		b.note(n, class, i, key)
	}
	switch class {
	case Null:
		return 0
	case Object:
		b.object(n, i, key, path)
		return 0
	case Array:
		b.array(n, i, key, path)
		return 0
	}
	return b.scalar(n, t, i, class)
}

// note records the position of a value that is the first of its class or the
// longest of its path. It is called for every document that comes late, because
// batches of a file may reach a worker in any order.
func (b *Builder) note(n *Node, class Class, i, key int) {
	t := &b.d.Tokens[i]
	if n.Types[class] == 1 || b.before(n, class, t.Start) {
		n.see(class, b.at(i, key))
	}
	size := int64(t.End - t.Start)
	if size > n.Max || n.Max == 0 || size == n.Max && b.beforePos(n.MaxAt, t.Start) {
		n.Max, n.MaxAt = larger(n.Max, n.MaxAt, size, b.at(i, key))
	}
}

// before reports whether the value at offset start comes before the first one
// of its class.
func (b *Builder) before(n *Node, class Class, start uint32) bool {
	for i := range n.firsts {
		if n.firsts[i].class == class {
			return b.beforePos(n.firsts[i].at, start)
		}
	}
	return true
}

func (b *Builder) beforePos(p Pos, start uint32) bool {
	return b.late && (b.file < p.File || b.file == p.File && b.base+int64(start) < p.Off)
}

func (b *Builder) object(n *Node, i, key int, path uint64) {
	o := n.Object
	if o == nil {
		o = n.object()
	}
	toks, src := b.toks, b.src
	t := &toks[i]
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
	start := len(b.marks)
	var names setHash
	l := &o.first
	for k, end := i+1, int(t.A); k < end; {
		v := k + 1
		name, value := &toks[k], &toks[v]
		child := l[0]
		if child == nil || name.Flags&scan.Escaped != 0 || !child.named(src, name.A, name.B) {
			if child = b.follow(n, o, l, k, path != 0); child == nil {
				b.rest(n, o, k, path)
				k = after(value, v)
				continue
			}
		}
		l = &child.links
		below := path
		if below != 0 {
			below = joinHash(path, child.keyHash)
			b.c.paths.add(below, Null, nil)
		}
		if child.lastObj == serial {
			b.duplicate(child, k)
			b.value(child, value, v, k, below)
		} else {
			child.lastObj = serial
			number := b.value(child, value, v, k, below)
			if value.Kind != scan.Null {
				names.add(child.keyHash)
			}
			if number != 0 {
				b.marks = append(b.marks, mark{child, number})
			}
		}
		k = after(value, v)
	}
	if o.Shapes != nil {
		b.shape(n, o, names.sum(), i, key, b.marks[start:])
	}
	if n.Depth == 1 && !n.inArray {
		b.nested = append(b.nested, b.marks[start:]...)
	}
	b.marks = b.marks[:start]
}

// after returns the index of the token after the value t at i.
func after(t *scan.Token, i int) int {
	if t.Kind >= scan.Object {
		return int(t.A)
	}
	return i + 1
}

// rest adds the value of a name that has no node of its own.
func (b *Builder) rest(n *Node, o *ObjectStats, k int, path uint64) {
	if path == 0 {
		path = n.pathHash
	}
	path = max(joinHash(path, max(xxh3.Hash(b.name(k)), 1)), 1)
	b.c.paths.add(path, Null, nil)
	b.value(o.rest(n), &b.toks[k+1], k+1, k, path)
}

func (b *Builder) duplicate(child *Node, k int) {
	child.Duplicated++
	t := &b.d.Tokens[k]
	at := Pos{b.file, t.End - t.Start, b.base + int64(t.Start), b.doc, b.docLen}
	child.DuplicatedAt = Earlier(child.DuplicatedAt, at)
}

// child finds or makes the node of a name. It returns nil if the name is not
// kept.
func (b *Builder) child(n *Node, o *ObjectStats, name []byte, inRest bool) *Node {
	if c := o.fields[string(name)]; c != nil {
		return c
	}
	hash := max(xxh3.Hash(name), 1)
	if !o.keeps(hash) {
		return nil
	}
	c := newChild(n, Step{Kind: Field, Name: string(name)}, hash)
	o.fields[c.Step.Name] = c
	if !inRest {
		b.c.paths.add(c.pathHash, Null, nil)
	}
	if len(o.fields) > b.names {
		b.c.plans.flush()
		b.stale = true
		o.shrink(n, b.names)
		if !o.keeps(hash) {
			return nil
		}
	}
	return c
}

func (b *Builder) array(n *Node, i, key int, path uint64) {
	a := n.Array
	if a == nil {
		a = n.array()
	}
	if b.deepest <= n.Depth {
		b.deepest = n.Depth + 1
	}
	b.length(a, i, key)
	if n.Depth >= maxDepth {
		b.deepest = max(b.deepest, n.Depth+b.levels(i))
		return
	}
	if path != 0 {
		path = joinHash(path, elementHash)
	}
	b.elements(a.Elem, i, path)
}

// length counts the length of the array at i.
func (b *Builder) length(a *ArrayStats, i, key int) {
	t := &b.toks[i]
	length := int64(t.B)
	if length > a.Len.Max || a.Len.Count == 0 || length == a.Len.Max && b.beforePos(a.LongestAt, t.Start) {
		_, a.LongestAt = larger(a.Len.Max, a.LongestAt, length, b.at(i, key))
	}
	a.Len.Add(length)
	if t.Flags&scan.Elided != 0 {
		a.Elided++
		a.ElidedAt = Earlier(a.ElidedAt, b.at(i, key))
	}
}

// elements adds the elements of the array at i.
func (b *Builder) elements(n *Node, i int, path uint64) {
	toks := b.toks
	for v, end := i+1, int(toks[i].A); v < end; {
		value := &toks[v]
		if l := b.layout(v); l != nil && path == 0 {
			b.planned(n, l, v)
		} else {
			n.plans.unlead(b.serial)
			b.value(n, value, v, -1, path)
		}
		v = after(value, v)
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
