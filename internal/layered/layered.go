// Package layered lays out boxes and the arrows between them in columns, so
// that arrows run from left to right unless there are cycles. It follows the
// steps of Sugiyama, Tagawa and Toda, "Methods for Visual Understanding of
// Hierarchical System Structures" (1981): break cycles, assign layers, order
// each layer to cross few arrows, place.
//
// The result depends only on the input.
package layered

import (
	"cmp"
	"math"
	"slices"
)

// A Box is a box to lay out. Sizes are in pixels.
type Box struct{ Width, Height float64 }

// An Arrow leads from one box to another, by index.
type Arrow struct {
	From, To   int
	FromY, ToY float64 // where it is attached, relative to the top of each box
}

// A Point is a place in pixels from the upper left.
type Point struct{ X, Y float64 }

// A Route is the path of an arrow: pairs of points. The points of a pair are
// joined by a curve, pairs by straight lines.
type Route struct{ Points []Point }

// A Layout says where boxes and arrows are.
type Layout struct {
	Width, Height float64
	Boxes         []Point // upper left corners
	Routes        []Route
}

// Options configures [Arrange]. Sizes are in pixels.
type Options struct {
	MaxWidth  float64 // unconnected boxes beyond this go to the next row
	LayerGap  float64 // between columns, where arrows run
	BoxGap    float64 // between the boxes of a column
	GroupGaps float64 // between unconnected groups of boxes
}

// vertex is a box, or a bend of an arrow where it passes a layer.
type vertex struct {
	box    int // -1 for a bend
	layer  int
	height float64
	width  float64
	y      float64
	in     []link
	out    []link
}

// link connects a vertex to one in the next or the previous layer.
type link struct {
	to      int     // index of the vertex
	y, farY float64 // offsets of the ends
}

// Arrange lays out boxes. Arrows from a box to itself get a loop.
func Arrange(boxes []Box, arrows []Arrow, o Options) Layout {
	l := Layout{Boxes: make([]Point, len(boxes)), Routes: make([]Route, len(arrows))}
	groups := components(len(boxes), arrows)
	var lone []int
	shelf, left := 0.0, 0.0 // height of the current row of groups, and left end of its free space
	for _, group := range groups {
		if len(group) == 1 {
			lone = append(lone, group[0])
			continue
		}
		c := newComponent(group, boxes, arrows)
		c.order()
		c.place(o)
		width, height := c.size(o)
		if left > 0 && left+width > o.MaxWidth {
			l.Height, shelf, left = l.Height+shelf+o.GroupGaps, 0, 0
		}
		c.draw(&l, Point{left, l.Height}, boxes, o)
		l.Width = max(l.Width, left+width)
		shelf, left = max(shelf, height), left+width+o.LayerGap
	}
	if shelf > 0 {
		l.Height += shelf + o.GroupGaps
	}
	l.flow(lone, boxes, o)
	for i, a := range arrows {
		if a.From == a.To {
			l.Routes[i] = loop(l.Boxes[a.From], boxes[a.From], a)
		}
	}
	l.Height = max(0, l.Height-o.GroupGaps)
	return l
}

// flow arranges boxes without arrows in columns below the rest. Each box goes
// into the shortest column.
func (l *Layout) flow(lone []int, boxes []Box, o Options) {
	if len(lone) == 0 {
		return
	}
	width := 0.0
	for _, b := range lone {
		width = max(width, boxes[b].Width)
	}
	gap := o.BoxGap
	columns := max(1, min(len(lone), int((max(o.MaxWidth, l.Width)+gap)/(width+gap))))
	tops := make([]float64, columns)
	for i := range tops {
		tops[i] = l.Height
	}
	for _, b := range lone {
		column := 0
		for i := range tops {
			if tops[i] < tops[column] {
				column = i
			}
		}
		l.Boxes[b] = Point{float64(column) * (width + gap), tops[column]}
		tops[column] += boxes[b].Height + gap
		l.Width = max(l.Width, l.Boxes[b].X+boxes[b].Width)
	}
	l.Height = slices.Max(tops) - gap + o.GroupGaps
}

// loop leaves a box on its right and returns to it.
func loop(at Point, b Box, a Arrow) Route {
	right := at.X + b.Width
	from, to := Point{right, at.Y + a.FromY}, Point{right, at.Y + a.ToY}
	return Route{[]Point{from, to}}
}

// components groups the boxes connected by arrows, ordered by their first box.
// A box without arrows is a group too.
func components(n int, arrows []Arrow) [][]int {
	leader := make([]int, n)
	for i := range leader {
		leader[i] = i
	}
	var find func(int) int
	find = func(i int) int {
		if leader[i] != i {
			leader[i] = find(leader[i])
		}
		return leader[i]
	}
	for _, a := range arrows {
		x, y := find(a.From), find(a.To)
		leader[max(x, y)] = min(x, y)
	}
	members := make([][]int, n)
	for i := range n {
		root := find(i)
		members[root] = append(members[root], i)
	}
	members = slices.DeleteFunc(members, func(m []int) bool { return len(m) == 0 })
	slices.SortStableFunc(members, func(a, b []int) int { return cmp.Compare(len(b), len(a)) })
	return members
}

// A component is a group of boxes being laid out.
type component struct {
	vertices []vertex
	layers   [][]int
	chains   []chain
}

// A chain is an arrow as a sequence of vertices in the order of layers.
type chain struct {
	arrow    int
	vertices []int
	ys       []float64 // offset at each vertex
	reversed bool      // it runs from right to left
}

func newComponent(group []int, boxes []Box, arrows []Arrow) *component {
	c := &component{}
	index := map[int]int{} // vertex of each box
	for _, b := range group {
		index[b] = len(c.vertices)
		c.vertices = append(c.vertices, vertex{box: b, height: boxes[b].Height, width: boxes[b].Width})
	}
	type edge struct {
		arrow, from, to int
		reversed        bool
	}
	var edges []edge
	next := make([][]int, len(group))
	for i, a := range arrows {
		from, tied := index[a.From]
		to := index[a.To]
		if !tied || from == to {
			continue
		}
		next[from] = append(next[from], to)
		edges = append(edges, edge{arrow: i, from: from, to: to})
	}
	finished := finish(next)
	for i := range edges {
		if e := &edges[i]; finished[e.from] < finished[e.to] { // it closes a cycle
			e.from, e.to, e.reversed = e.to, e.from, true
		}
	}
	// The longest path to each box. Start with the boxes that the search left
	// last.
	order := make([]int, len(group))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(finished[b], finished[a]) })
	for _, v := range order {
		for _, e := range edges {
			if e.from == v {
				c.vertices[e.to].layer = max(c.vertices[e.to].layer, c.vertices[v].layer+1)
			}
		}
	}
	// Put a box without incoming arrows next to the boxes it leads to.
	for i := len(order) - 1; i >= 0; i-- {
		v, nearest, entered := order[i], math.MaxInt, false
		for _, e := range edges {
			entered = entered || e.to == v
			if e.from == v {
				nearest = min(nearest, c.vertices[e.to].layer)
			}
		}
		if !entered && nearest != math.MaxInt {
			c.vertices[v].layer = nearest - 1
		}
	}
	for _, e := range edges {
		a := arrows[e.arrow]
		fromY, toY := a.FromY, a.ToY
		if e.reversed {
			fromY, toY = toY, fromY
		}
		c.chain(e.arrow, e.from, e.to, fromY, toY, e.reversed)
	}
	c.fill()
	return c
}

// finish returns the order in which a depth-first search leaves the vertices.
func finish(next [][]int) []int {
	finished := make([]int, len(next))
	seen := make([]bool, len(next))
	clock := 0
	var visit func(int)
	visit = func(v int) {
		seen[v] = true
		for _, w := range next[v] {
			if !seen[w] {
				visit(w)
			}
		}
		clock++
		finished[v] = clock
	}
	entered := make([]int, len(next))
	for _, to := range next {
		for _, w := range to {
			entered[w]++
		}
	}
	order := make([]int, len(next))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(entered[a], entered[b]) }) // sources first
	for _, v := range order {
		if !seen[v] {
			visit(v)
		}
	}
	return finished
}

// bend is the height of an arrow where it passes a layer.
const bend = 18

// chain adds the bends of an arrow.
func (c *component) chain(arrow, from, to int, fromY, toY float64, reversed bool) {
	ch := chain{arrow: arrow, vertices: []int{from}, ys: []float64{fromY}, reversed: reversed}
	for layer := c.vertices[from].layer + 1; layer < c.vertices[to].layer; layer++ {
		ch.vertices = append(ch.vertices, len(c.vertices))
		ch.ys = append(ch.ys, bend/2)
		c.vertices = append(c.vertices, vertex{box: -1, layer: layer, height: bend})
	}
	ch.vertices, ch.ys = append(ch.vertices, to), append(ch.ys, toY)
	for i := 1; i < len(ch.vertices); i++ {
		a, b := ch.vertices[i-1], ch.vertices[i]
		c.vertices[a].out = append(c.vertices[a].out, link{b, ch.ys[i-1], ch.ys[i]})
		c.vertices[b].in = append(c.vertices[b].in, link{a, ch.ys[i], ch.ys[i-1]})
	}
	c.chains = append(c.chains, ch)
}

// fill puts the vertices into their layers.
func (c *component) fill() {
	for v := range c.vertices {
		layer := c.vertices[v].layer
		for len(c.layers) <= layer {
			c.layers = append(c.layers, nil)
		}
		c.layers[layer] = append(c.layers[layer], v)
	}
	c.layers = slices.DeleteFunc(c.layers, func(l []int) bool { return len(l) == 0 })
	for i, layer := range c.layers {
		for _, v := range layer {
			c.vertices[v].layer = i
		}
	}
}
