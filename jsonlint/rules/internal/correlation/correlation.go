// Package correlation uses the shapes of objects to determine which fields come
// and go together.
package correlation

import (
	"math"

	"github.com/shapevet/shapevet/jsonlint/profile"
)

// A Table shows which members of the objects at one path come and go together.
type Table struct {
	counts  []float64 // number of objects of each shape
	objects float64
	members map[*profile.Node]*presence
}

// A presence lists the shapes that have a member.
type presence struct {
	shapes  []int    // numbers, in order
	in      []uint64 // the same as a bit set
	objects float64
}

func (m *presence) has(shape int) bool {
	return shape/64 < len(m.in) && m.in[shape/64]>>(shape%64)&1 != 0
}

func New(shapes *profile.Shapes) *Table {
	c := &Table{members: map[*profile.Node]*presence{}}
	for i, s := range shapes.All() {
		c.counts = append(c.counts, float64(s.Count))
		c.objects += float64(s.Count)
		for _, f := range s.Fields {
			m := c.members[f]
			if m == nil {
				m = &presence{}
				c.members[f] = m
			}
			for len(m.in) <= i/64 {
				m.in = append(m.in, 0)
			}
			m.in[i/64] |= 1 << (i % 64)
			m.shapes = append(m.shapes, i)
			m.objects += float64(s.Count)
		}
	}
	return c
}

// Phi returns the phi coefficient of the presence of two members: 1 if they
// come and go together, -1 if each object has exactly one.
func (c *Table) Phi(a, b *profile.Node) float64 {
	inA, inB := c.members[a], c.members[b]
	if inA == nil || inB == nil {
		return 0
	}
	both := 0.0
	for _, shape := range inA.shapes {
		if inB.has(shape) {
			both += c.counts[shape]
		}
	}
	onlyA, onlyB := inA.objects-both, inB.objects-both
	neither := c.objects - both - onlyA - onlyB
	spread := math.Sqrt((both + onlyA) * (onlyB + neither) * (both + onlyB) * (onlyA + neither))
	if spread == 0 {
		return 0
	}
	return (both*neither - onlyA*onlyB) / spread
}
