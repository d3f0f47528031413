// Package profile turns documents into statistics of a collection: one node for
// each path, with counts, types, lengths and samples of distinct values.
//
// A profile is a commutative monoid: merging the profiles of two sets of
// documents gives the profile of both, whatever the order and the split. It is
// exact while small; sampled parts say so (see [Sample], [Histogram]). Memory
// depends on the number of distinct paths, not on the bytes read, and the
// number of paths kept is bounded too (see [ObjectStats.Sampled]).
package profile

import (
	"cmp"
	"slices"
	"strings"
	"sync/atomic"
)

// A Pos is a range of bytes in an input file, a name or a scalar value, and the
// document that holds it.
type Pos struct {
	File   uint32
	Len    uint32
	Off    int64
	Doc    int64 // where the document starts
	DocLen uint32
}

// Known reports whether the position has been set.
func (p Pos) Known() bool { return p.DocLen != 0 }

// Compare orders positions by file and offset. Unknown positions come last.
func (p Pos) Compare(q Pos) int {
	if p.File == q.File && p.Off != q.Off && p.Known() && q.Known() { // the usual case
		return cmp.Compare(p.Off, q.Off)
	}
	if p.Known() != q.Known() {
		if p.Known() {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Off, q.Off), cmp.Compare(p.Len, q.Len))
}

// Earlier returns the position that comes first.
func Earlier(p, q Pos) Pos {
	if p.File == q.File && p.Off < q.Off && p.Known() {
		return p // found in reading order
	}
	if q.Compare(p) < 0 {
		return q
	}
	return p
}

// A Node holds the statistics of the values at one path. The fields that every
// value updates come first, so that they share few cache lines.
type Node struct {
	links    links // members that follow this one
	nameHead uint64
	nameLen  uint32
	inArray  bool
	inMap    bool
	lastObj  uint64
	lastDoc  uint64

	Count int64             // values, null included
	Types [NumClasses]int64 // values by class
	Bytes int64             // length of the values as written
	Max   int64             // length of the longest
	Docs  int64             // documents with at least one value; 0 at and below the values of a map

	Scalars *Scalars     // nil without scalars
	Array   *ArrayStats  // nil without arrays
	Object  *ObjectStats // nil without objects

	keyHash  uint64
	pathHash uint64

	Step   Step
	Parent *Node // nil at the document
	Depth  int   // steps below the document
	MaxAt  Pos

	Duplicated   int64 // objects in which the name occurs more than once
	DuplicatedAt Pos

	firsts []firstSeen

	plans *planTable // of the objects at the root and in arrays; may be nil
}

type firstSeen struct {
	class Class
	at    Pos
}

// Scalars are the statistics of the scalar values at a path, null excluded.
type Scalars struct {
	Values Sample // distinct values by canonical text
	Ints   int64
	MinInt int64 // of integers that fit 64 bits; valid if Ints > 0
	MaxInt int64

	Fractions   int64 // doubles that are not 64-bit integers
	Decimals    int64 // 128-bit decimals; they count as doubles too
	Imprecise   int64 // numbers that a double cannot hold: integers beyond 2^53, more than 17 digits, overflow
	ImpreciseAt Pos

	Blobs   int64 // base64 strings and data URIs of 16 KB and more, and binary values as large
	BlobMax int64 // length of the longest one's text
	BlobAt  Pos   // the first of that length

	addresses *addresses // of values that are URLs or paths; nil without
	forms     []formSeen
	table     []uint64 // hashes of the values, by number, while there are few
	cuts      []cut
}

// addresses are the parts of values that are URLs or paths.
type addresses struct {
	tails    Sample // last segments
	prefixes Sample // text before those segments
}

var noAddresses addresses // never written to

// Tails returns the last segments of values that are URLs or paths.
func (s *Scalars) Tails() *Sample { return &cmp.Or(s.addresses, &noAddresses).tails }

// Prefixes returns the text before those segments.
func (s *Scalars) Prefixes() *Sample { return &cmp.Or(s.addresses, &noAddresses).prefixes }

// parts returns the samples that [Scalars.Tails] and [Scalars.Prefixes] show, to add to.
func (s *Scalars) parts() *addresses {
	if s.addresses == nil {
		s.addresses = &addresses{newSample(min(s.Values.capacity, 4*nestedCapacity)), newSample(64)}
	}
	return s.addresses
}

type formSeen struct {
	form  Form
	count int64
	at    Pos
}

// ArrayStats are the statistics of the arrays at a path.
type ArrayStats struct {
	Len       Histogram
	LongestAt Pos   // the first one of that length
	Elided    int64 // arrays in which the author left elements out
	ElidedAt  Pos
	Elem      *Node
}

// ObjectStats are the statistics of the objects at a path.
type ObjectStats struct {
	Keys   Histogram // members per object
	Shapes *Shapes   // nil once the names have been sampled

	// Rest takes the values of all names without a node of their own. It is nil
	// while every name has one.
	Rest *Node

	fields map[string]*Node
	order  atomic.Pointer[fieldOrder] // of fields, or nil
	first  links                      // the members that objects begin with
	shift  uint8                      // names with a hash below 2^(64-shift) are kept
}

// Path returns the path from the document to the node.
func (n *Node) Path() Path {
	if n.Parent == nil {
		return nil
	}
	p := make(Path, n.Depth)
	for m := n; m.Parent != nil; m = m.Parent {
		p[m.Depth-1] = m.Step
	}
	return p
}

// First returns the position of the first value of the class: of its name for a
// container with a name, otherwise of the value.
func (n *Node) First(c Class) Pos {
	for _, f := range n.firsts {
		if f.class == c {
			return f.at
		}
	}
	return Pos{}
}

// FirstAny returns where the path first occurs.
func (n *Node) FirstAny() (p Pos) {
	for _, f := range n.firsts {
		p = Earlier(p, f.at)
	}
	return p
}

// Present returns the number of values that are not null.
func (n *Node) Present() int64 { return n.Count - n.Types[Null] }

// Documents returns how many documents have a value here. The values of a map are
// not counted by document; for them it returns how many documents have the map.
func (n *Node) Documents() int64 {
	for n.Docs == 0 && n.Parent != nil {
		n = n.Parent
	}
	return n.Docs
}

// ScalarCount returns the number of scalar values that are not null.
func (n *Node) ScalarCount() int64 { return n.Present() - n.Types[Object] - n.Types[Array] }

// TypeClasses returns the counts by type class, most frequent first. All
// numbers are one class; null is excluded.
func (n *Node) TypeClasses() []ClassCount {
	var out []ClassCount
	for c := Bool; c < NumClasses; c++ {
		k := n.Types[c]
		if c == Double || k == 0 && c != Int {
			continue
		}
		at := n.First(c)
		if c == Int {
			k += n.Types[Double]
			at = Earlier(at, n.First(Double))
		}
		if k > 0 {
			out = append(out, ClassCount{c, k, at})
		}
	}
	slices.SortStableFunc(out, func(a, b ClassCount) int { return cmp.Compare(b.Count, a.Count) })
	return out
}

// A ClassCount says how often a type class occurred, and where first.
type ClassCount struct {
	Class Class
	Count int64
	At    Pos
}

// Inside reports whether the node is below an array.
func (n *Node) Inside() bool { return n.inArray }

// FormCount returns how many strings have the form, and the position of the
// first.
func (s *Scalars) FormCount(f Form) (int64, Pos) {
	for i := range s.forms {
		if s.forms[i].form == f {
			return s.forms[i].count, s.forms[i].at
		}
	}
	return 0, Pos{}
}

// Distinct estimates the number of distinct names.
func (o *ObjectStats) Distinct() float64 { return float64(len(o.fields)) * float64(uint64(1)<<o.shift) }

// Sampled reports whether there were too many names to give each a node. The
// nodes kept are a sample chosen by hash, and Rest holds the others.
func (o *ObjectStats) Sampled() bool { return o.shift != 0 }

// A fieldOrder is the order of the fields of a number of objects.
type fieldOrder struct {
	objects int64
	fields  []*Node
}

// Fields returns the nodes kept, in order of first appearance. The slice must not
// be changed.
func (o *ObjectStats) Fields() []*Node {
	if known := o.order.Load(); known != nil && known.objects == o.Keys.Count && len(known.fields) == len(o.fields) {
		return known.fields
	}
	fields := o.inOrder()
	o.order.Store(&fieldOrder{o.Keys.Count, fields})
	return fields
}

func (o *ObjectStats) inOrder() []*Node {
	type field struct {
		*Node
		at Pos
	}
	fields := make([]field, 0, len(o.fields))
	for _, f := range o.fields {
		fields = append(fields, field{f, f.FirstAny()})
	}
	slices.SortFunc(fields, func(a, b field) int {
		return cmp.Or(a.at.Compare(b.at), strings.Compare(a.Step.Name, b.Step.Name))
	})
	out := make([]*Node, len(fields))
	for i, f := range fields {
		out[i] = f.Node
	}
	return out
}

// Field returns the node of a name, or nil.
func (o *ObjectStats) Field(name string) *Node {
	if o == nil {
		return nil
	}
	return o.fields[name]
}

// At returns the node at a path below n, or nil.
func (n *Node) At(p Path) *Node {
	for _, s := range p {
		if n == nil {
			return nil
		}
		switch s.Kind {
		case Field:
			n = n.Object.Field(s.Name)
		case Element:
			if n.Array == nil {
				return nil
			}
			n = n.Array.Elem
		case MapValues:
			if n.Object == nil {
				return nil
			}
			n = n.Object.Rest
		}
	}
	return n
}

// Walk calls visit in order for n and every node below it. If visit returns
// false, Walk skips the nodes below.
func (n *Node) Walk(visit func(*Node) bool) {
	if n == nil || !visit(n) {
		return
	}
	if n.Object != nil {
		for _, f := range n.Object.Fields() {
			f.Walk(visit)
		}
		n.Object.Rest.Walk(visit)
	}
	if n.Array != nil {
		n.Array.Elem.Walk(visit)
	}
}

func newChild(parent *Node, step Step, keyHash uint64) *Node {
	n := &Node{
		Step: step, Parent: parent, Depth: parent.Depth + 1, keyHash: keyHash,
		pathHash: joinHash(parent.pathHash, keyHash), inArray: parent.inArray || step.Kind == Element,
		inMap: parent.inMap || step.Kind == MapValues,
	}
	n.nameHead, n.nameLen = headOf(step.Name), uint32(len(step.Name))
	return n
}

// joinHash combines the hash of a path with that of a step below it.
func joinHash(path, step uint64) uint64 {
	h := (path ^ step) * 0x9e3779b97f4a7c15
	return (h ^ h>>29) * 0xbf58476d1ce4e5b9
}

const (
	elementHash = 0x5bd1e995a7c3f1b1
	valuesHash  = 0x27d4eb2f165667c5
)

// Sample capacities. Samples near the top of a document are larger, because
// values there may be ids that other documents refer to.
const (
	nestedCapacity = 256
	topCapacity    = 1 << 11
	idCapacity     = 1 << 16
)

// IsDocumentID reports whether n has the name under which databases keep the
// id of a document.
func (n *Node) IsDocumentID() bool {
	return n.Depth == 1 && (n.Step.Name == "id" || n.Step.Name == "_id")
}

// AlwaysTrue reports whether all values are true.
func (n *Node) AlwaysTrue() bool {
	if n.Scalars == nil || n.Types[Bool] != n.Count {
		return false
	}
	values := n.Scalars.Values.Values()
	return len(values) == 1 && values[0].Hash == HashText([]byte("true"))
}

func (n *Node) scalars() *Scalars {
	if n.Scalars == nil {
		capacity := nestedCapacity
		if !n.inArray && n.Depth <= 2 {
			capacity = topCapacity
			if n.IsDocumentID() {
				capacity = idCapacity
			}
		}
		n.Scalars = &Scalars{Values: newSample(capacity)}
	}
	return n.Scalars
}

func (n *Node) array() *ArrayStats {
	if n.Array == nil {
		n.Array = &ArrayStats{}
		n.Array.Elem = newChild(n, Step{Kind: Element}, elementHash)
	}
	return n.Array
}

func (n *Node) object() *ObjectStats {
	if n.Object == nil {
		n.Object = &ObjectStats{fields: map[string]*Node{}, Shapes: newShapes(n)}
	}
	return n.Object
}

func (o *ObjectStats) rest(parent *Node) *Node {
	if o.Rest == nil {
		o.Rest = newChild(parent, Step{Kind: MapValues}, valuesHash)
		o.Shapes = nil
	}
	return o.Rest
}

func (o *ObjectStats) keeps(keyHash uint64) bool {
	return o.shift == 0 || keyHash < 1<<(64-o.shift)
}

// shrink keeps at most limit names.
func (o *ObjectStats) shrink(owner *Node, limit int) {
	for len(o.fields) > limit {
		o.raise(owner, o.shift+1)
	}
}

// raise moves the names that the new threshold drops to Rest.
func (o *ObjectStats) raise(owner *Node, shift uint8) {
	if shift <= o.shift {
		return
	}
	o.shift, o.first, o.Shapes = shift, links{}, nil
	rest := o.rest(owner)
	for name, f := range o.fields {
		f.links = links{}
		if !o.keeps(f.keyHash) {
			rest.merge(f)
			delete(o.fields, name)
		}
	}
}

func (n *Node) see(c Class, at Pos) {
	for i := range n.firsts {
		if n.firsts[i].class == c {
			n.firsts[i].at = Earlier(n.firsts[i].at, at)
			return
		}
	}
	n.firsts = append(n.firsts, firstSeen{c, at})
}

func (s *Scalars) form(f Form, count int64, at Pos) {
	for i := range s.forms {
		if e := &s.forms[i]; e.form == f {
			e.count += count
			e.at = Earlier(e.at, at)
			return
		}
	}
	s.forms = append(s.forms, formSeen{f, count, at})
}
