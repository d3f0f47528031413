package profile

import (
	"cmp"
	"slices"
)

// Shapes counts the objects at a path by the set of names that they have;
// a member that is null counts as absent. Of very many shapes a sample is
// kept, chosen by hash as in [Sample].
type Shapes struct {
	byHash   map[uint64]*Shape
	last     *Shape
	capacity int
	shift    uint8
}

// A Shape is one set of names.
type Shape struct {
	Count  int64
	First  Pos     // the first object of the shape
	Fields []*Node // in order of their first appearance

	hash   uint64
	values map[valueKey]int64
}

type valueKey struct {
	node *Node
	hash uint64
}

// tableValues is the number of distinct values up to which a field can tell
// kinds of document apart.
const tableValues = 64

func newShapes(owner *Node) *Shapes {
	capacity := 128
	if owner.Depth == 0 {
		capacity = 1024
	}
	return &Shapes{byHash: map[uint64]*Shape{}, capacity: capacity}
}

func shapeHash(members []member) (h uint64) {
	for _, m := range members {
		h += m.node.keyHash
	}
	return max(joinHash(h, uint64(len(members))), 1)
}

func (s *Shapes) keeps(hash uint64) bool { return s.shift == 0 || hash < 1<<(64-s.shift) }

// add counts an object with these members.
func (s *Shapes) add(members, nested []member, at Pos) {
	hash := shapeHash(members)
	shape := s.last
	if shape == nil || shape.hash != hash {
		if !s.keeps(hash) {
			return
		}
		if shape = s.byHash[hash]; shape == nil {
			shape = &Shape{hash: hash, First: at, Fields: make([]*Node, len(members))}
			for i, m := range members {
				shape.Fields[i] = m.node
			}
			s.byHash[hash] = shape
			s.shrink()
		}
		s.last = shape
	}
	shape.Count++
	shape.First = earlier(shape.First, at)
	shape.tabulate(members)
	shape.tabulate(nested)
}

func (s *Shape) tabulate(members []member) {
	for _, m := range members {
		if m.hash == 0 || !m.node.Scalars.Values.Exact() || m.node.Scalars.Values.used > tableValues {
			continue
		}
		if s.values == nil {
			s.values = map[valueKey]int64{}
		}
		s.values[valueKey(m)]++
	}
}

func (s *Shapes) shrink() {
	for len(s.byHash) > s.capacity {
		s.raise(s.shift + 1)
	}
}

func (s *Shapes) raise(shift uint8) {
	s.shift, s.last = shift, nil
	for hash := range s.byHash {
		if !s.keeps(hash) {
			delete(s.byHash, hash)
		}
	}
}

// merge adds the shapes of the same path of another profile; owner is the
// node of s, whose fields have been merged before.
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
		mine.First = earlier(mine.First, theirs.First)
		for key, count := range theirs.values {
			node := owner.at(key.node)
			if node == nil {
				continue
			}
			if mine.values == nil {
				mine.values = map[valueKey]int64{}
			}
			mine.values[valueKey{node, key.hash}] += count
		}
	}
	s.shrink()
}

// at finds the node below owner that has the name, or the two names, of a
// node one or two steps below the same path of another profile.
func (n *Node) at(o *Node) *Node {
	if n.Depth+1 == o.Depth {
		return n.Object.Field(o.Step.Name)
	}
	if middle := n.Object.Field(o.Parent.Step.Name); middle != nil {
		return middle.Object.Field(o.Step.Name)
	}
	return nil
}

// Exact reports whether all shapes are kept.
func (s *Shapes) Exact() bool { return s.shift == 0 }

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

// Values returns, for a scalar field directly in the objects or one level
// down, how often each value occurred in objects of the shape, by the hash of
// the value; nil for a field that is not [Tabulated].
func (s *Shape) Values(field *Node) map[uint64]int64 {
	if !field.tabulated() {
		return nil
	}
	out := map[uint64]int64{}
	for key, count := range s.values {
		if key.node == field {
			out[key.hash] = count
		}
	}
	return out
}

// Tabulated returns the fields, directly in the objects or one level down,
// whose values are counted for each shape: those with at most 64 distinct
// values.
func (s *Shapes) Tabulated() []*Node {
	seen := map[*Node]bool{}
	var out []*Node
	for _, shape := range s.byHash {
		for key := range shape.values {
			if !seen[key.node] && key.node.tabulated() {
				out = append(out, key.node)
			}
			seen[key.node] = true
		}
	}
	slices.SortFunc(out, func(a, b *Node) int {
		return cmp.Or(cmp.Compare(a.Depth, b.Depth), cmp.Compare(a.Path().String(), b.Path().String()))
	})
	return out
}

// tabulated reports whether all values of the node have been counted by
// shape: it has few enough, and neither it nor its siblings were sampled.
func (n *Node) tabulated() bool {
	o := n.Parent.Object
	return n.Scalars != nil && n.Scalars.Values.Exact() && n.Scalars.Values.used <= tableValues &&
		!o.Sampled() && o.fields[n.Step.Name] == n
}

// Hash identifies the shape; see [RootShape].
func (s *Shape) Hash() uint64 { return s.hash }
