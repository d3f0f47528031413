package profile

import (
	"cmp"
	"slices"

	"github.com/shapevet/shapevet/jsonlint/scan"
)

// Shapes counts the objects at a path by their set of names. A member that is
// null counts as absent. If there are very many shapes, it keeps a sample,
// chosen by hash as in [Sample].
type Shapes struct {
	byHash   map[uint64]*Shape
	recent   [recentShapes]*Shape // by the lowest bits of the hash
	capacity int
	shift    uint8
}

// A Shape is one set of names.
type Shape struct {
	Count  int64
	First  Pos     // the first object of the shape
	Fields []*Node // in order of first appearance

	hash   uint64
	own    []column // of scalars in the objects
	nested []column // of scalars one level down
}

// A column counts the values of a field by their number in [Scalars.table].
type column struct {
	node   *Node
	counts []int64
}

// A mark is a scalar, one of the few values of its path, in an object that is
// being walked.
type mark struct {
	node   *Node
	number uint8
}

// tableValues is the largest number of distinct values with which a field can
// distinguish kinds of document.
const tableValues = 64

const recentShapes = 8

func newShapes(owner *Node) *Shapes {
	capacity := 128
	if owner.Depth == 0 {
		capacity = 1024
	}
	return &Shapes{byHash: map[uint64]*Shape{}, capacity: capacity}
}

// A setHash hashes a set of names, whatever their order.
type setHash struct{ names, n uint64 }

func (h *setHash) add(name uint64) {
	h.names += name
	h.n++
}

func (h *setHash) sum() uint64 { return max(joinHash(h.names, h.n), 1) }

func (s *Shapes) keeps(hash uint64) bool { return s.shift == 0 || hash < 1<<(64-s.shift) }

// shape counts the object at i, whose names have the given hash.
func (b *Builder) shape(n *Node, o *ObjectStats, hash uint64, i, key int, marks []mark) {
	s := o.Shapes
	recent := &s.recent[hash%recentShapes]
	shape := *recent
	if shape == nil || shape.hash != hash {
		if !s.keeps(hash) {
			return
		}
		if shape = s.byHash[hash]; shape == nil {
			shape = &Shape{hash: hash, First: b.at(i, key), Fields: b.fields(o, i)}
			s.byHash[hash] = shape
			s.shrink()
			if !s.keeps(hash) {
				return
			}
		}
		*recent = shape
	}
	shape.Count++
	if b.late {
		shape.First = Earlier(shape.First, b.at(i, key))
	}
	if len(marks) > 0 {
		shape.own = tabulate(shape.own, marks)
	}
	if n.Depth == 0 && len(b.nested) > 0 {
		shape.nested = tabulate(shape.nested, b.nested)
	}
}

// fields returns the nodes of the members of the object at i that are not null,
// without repeats.
func (b *Builder) fields(o *ObjectStats, i int) []*Node {
	var fields []*Node
	seen := make(map[*Node]bool, b.d.Len(i))
	for k, v := range b.d.Members(i) {
		f := o.fields[string(b.name(k))]
		if !seen[f] && b.d.Tokens[v].Kind != scan.Null {
			fields = append(fields, f)
		}
		seen[f] = true
	}
	return fields
}

// tabulate counts the values in the columns of their nodes. Objects of a shape
// repeat the order of their names, so columns are in that order too.
func tabulate(columns []column, marks []mark) []column {
	at := 0
	for _, m := range marks {
		if at == len(columns) || columns[at].node != m.node {
			at = slices.IndexFunc(columns, func(c column) bool { return c.node == m.node })
			if at < 0 {
				at = len(columns)
				columns = append(columns, column{node: m.node})
			}
		}
		columns[at].add(m.number, 1)
		at++
	}
	return columns
}

// add counts the value with the number the given number of times.
func (c *column) add(number uint8, times int64) {
	if int(number) > len(c.counts) {
		c.counts = append(c.counts, make([]int64, int(number)-len(c.counts))...)
	}
	c.counts[number-1] += times
}

func (s *Shapes) shrink() {
	for len(s.byHash) > s.capacity {
		s.raise(s.shift + 1)
	}
}

func (s *Shapes) raise(shift uint8) {
	s.shift, s.recent = shift, [recentShapes]*Shape{}
	for hash := range s.byHash {
		if !s.keeps(hash) {
			delete(s.byHash, hash)
		}
	}
}

// merge adds the shapes at the same path in another profile. owner is the node
// of s; its fields have already been merged.
func (s *Shapes) merge(owner *Node, o *Shapes) {
	if o.shift > s.shift {
		s.raise(o.shift)
	}
	for hash, theirs := range o.byHash {
		if !s.keeps(hash) {
			continue
		}
		mine := s.byHash[hash]
		if mine == nil {
			mine = &Shape{hash: hash, First: theirs.First, Fields: make([]*Node, len(theirs.Fields))}
			for i, f := range theirs.Fields {
				mine.Fields[i] = owner.Object.fields[f.Step.Name]
			}
			s.byHash[hash] = mine
		}
		mine.Count += theirs.Count
		mine.First = Earlier(mine.First, theirs.First)
		mine.own = mergeColumns(owner, mine.own, theirs.own)
		mine.nested = mergeColumns(owner, mine.nested, theirs.nested)
	}
	s.shrink()
}

func mergeColumns(owner *Node, columns, theirs []column) []column {
	for _, from := range theirs {
		node := owner.at(from.node)
		if node == nil || !node.tabulated() {
			continue
		}
		at := slices.IndexFunc(columns, func(c column) bool { return c.node == node })
		if at < 0 {
			at = len(columns)
			columns = append(columns, column{node: node})
		}
		c := &columns[at]
		for number, count := range from.counts {
			if count == 0 {
				continue
			}
			to := int(node.Scalars.Values.find(from.node.Scalars.table[number]).number)
			if to > len(c.counts) {
				c.counts = append(c.counts, make([]int64, to-len(c.counts))...)
			}
			c.counts[to-1] += count
		}
	}
	return columns
}

// at returns the node below owner that corresponds to a node one or two steps
// below the same path in another profile.
func (n *Node) at(o *Node) *Node {
	if n.Depth+1 == o.Depth {
		return n.Object.Field(o.Step.Name)
	}
	if middle := n.Object.Field(o.Parent.Step.Name); middle != nil {
		return middle.Object.Field(o.Step.Name)
	}
	return nil
}

// Exact reports whether all shapes are kept. None are if the names of the
// fields are data.
func (s *Shapes) Exact() bool { return s != nil && s.shift == 0 }

// All returns the kept shapes, most frequent first, then by first position.
func (s *Shapes) All() []*Shape {
	out := make([]*Shape, 0, len(s.byHash))
	for _, shape := range s.byHash {
		out = append(out, shape)
	}
	slices.SortFunc(out, func(a, b *Shape) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), a.First.Compare(b.First), cmp.Compare(a.hash, b.hash))
	})
	return out
}

// Together returns how many objects of the kept shapes have both of two fields.
func (s *Shapes) Together(a, b *Node) (n int64) {
	for _, shape := range s.byHash {
		if slices.Contains(shape.Fields, a) && slices.Contains(shape.Fields, b) {
			n += shape.Count
		}
	}
	return n
}

// Values returns how often each value of a scalar field, directly in the
// objects or one level down, occurs in objects of the shape, by the hash of the
// value. It returns nil for a field that is not [Tabulated].
func (s *Shape) Values(field *Node) map[uint64]int64 {
	if !field.tabulated() {
		return nil
	}
	out := map[uint64]int64{}
	for _, c := range slices.Concat(s.own, s.nested) {
		if c.node != field {
			continue
		}
		for number, count := range c.counts {
			if count > 0 {
				out[field.Scalars.table[number]] = count
			}
		}
	}
	return out
}

// Tabulated returns the fields, directly in the objects or one level down,
// whose values are counted per shape: those with at most 64 distinct values.
func (s *Shapes) Tabulated() []*Node {
	seen := map[*Node]bool{}
	var out []*Node
	for _, shape := range s.byHash {
		for _, c := range slices.Concat(shape.own, shape.nested) {
			if !seen[c.node] && c.node.tabulated() {
				out = append(out, c.node)
			}
			seen[c.node] = true
		}
	}
	slices.SortFunc(out, func(a, b *Node) int {
		return cmp.Or(cmp.Compare(a.Depth, b.Depth), cmp.Compare(a.Path().String(), b.Path().String()))
	})
	return out
}

// tabulated reports whether all values of the node are counted by shape: there
// are few, and neither the node nor its siblings were sampled.
func (n *Node) tabulated() bool {
	o := n.Parent.Object
	return n.Scalars != nil && n.Scalars.few() &&
		!o.Sampled() && o.fields[n.Step.Name] == n
}

// Hash identifies the shape; see [RootShape].
func (s *Shape) Hash() uint64 { return s.hash }
