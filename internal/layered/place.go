package layered

import (
	"cmp"
	"math"
	"slices"
)

const (
	orderSweeps = 12
	placeSweeps = 16
)

// order permutes each layer so that few arrows cross. It moves every vertex to
// the mean position of its neighbours, layer by layer, back and forth, and
// keeps the best order seen.
func (c *component) order() {
	best, fewest := cloneLayers(c.layers), c.crossings()
	for sweep := range orderSweeps {
		for i := range c.layers {
			layer := i
			if sweep%2 == 1 {
				layer = len(c.layers) - 1 - i
			}
			c.sortLayer(layer, sweep%2 == 0)
		}
		if n := c.crossings(); n < fewest {
			best, fewest = cloneLayers(c.layers), n
		}
	}
	c.layers = best
}

func cloneLayers(layers [][]int) [][]int {
	out := make([][]int, len(layers))
	for i, layer := range layers {
		out[i] = slices.Clone(layer)
	}
	return out
}

// ends returns the links of a vertex to the previous or to the next layer.
func (v *vertex) ends(before bool) []link {
	if before {
		return v.in
	}
	return v.out
}

func (c *component) sortLayer(layer int, before bool) {
	near := layer + 1
	if before {
		near = layer - 1
	}
	if near < 0 || near >= len(c.layers) {
		return
	}
	places := c.places(near)
	mean := map[int]float64{}
	for i, v := range c.layers[layer] {
		mean[v] = float64(i)
		if links := c.vertices[v].ends(before); len(links) > 0 {
			sum := 0.0
			for _, l := range links {
				sum += float64(places[l.to]) + l.farY/1e5 // keeps the order of rows in one box
			}
			mean[v] = sum / float64(len(links))
		}
	}
	slices.SortStableFunc(c.layers[layer], func(a, b int) int { return cmp.Compare(mean[a], mean[b]) })
}

// places returns the position of each vertex in its layer.
func (c *component) places(layer int) map[int]int {
	places := make(map[int]int, len(c.layers[layer]))
	for i, v := range c.layers[layer] {
		places[v] = i
	}
	return places
}

// crossings counts the pairs of arrows that cross between layers.
func (c *component) crossings() int {
	n := 0
	for layer := 0; layer+1 < len(c.layers); layer++ {
		type tie struct{ from, to float64 }
		var ties []tie
		near := c.places(layer + 1)
		for i, v := range c.layers[layer] {
			for _, l := range c.vertices[v].out {
				ties = append(ties, tie{float64(i) + l.y/1e5, float64(near[l.to]) + l.farY/1e5})
			}
		}
		for i, a := range ties {
			for _, b := range ties[:i] {
				if (a.from-b.from)*(a.to-b.to) < 0 {
					n++
				}
			}
		}
	}
	return n
}

// place sets the height of every vertex on the page: near its neighbours, in
// the order of its layer, without overlap.
func (c *component) place(o Options) {
	for _, layer := range c.layers {
		y := 0.0
		for _, v := range layer {
			c.vertices[v].y = y
			y += c.vertices[v].height + o.BoxGap
		}
	}
	for sweep := range placeSweeps {
		for i := range c.layers {
			layer := i
			if sweep%2 == 1 {
				layer = len(c.layers) - 1 - i
			}
			c.settle(layer, sweep%2 == 0, o.BoxGap)
		}
	}
	top := math.Inf(1)
	for i := range c.vertices {
		top = min(top, c.vertices[i].y)
	}
	for i := range c.vertices {
		c.vertices[i].y -= top
	}
}

// settle moves the vertices of a layer to where their arrows would be level. It
// moves those that would overlap as a block to the mean of their targets: the
// pool-adjacent-violators method, which minimises the squares of the moves.
func (c *component) settle(layer int, before bool, gap float64) {
	type block struct {
		first, last  int // positions in the layer
		wants, count float64
	}
	vertices := c.layers[layer]
	offsets := make([]float64, len(vertices)) // of each vertex if all were packed with gaps
	var blocks []block
	for i, v := range vertices {
		vertex := &c.vertices[v]
		if i > 0 {
			offsets[i] = offsets[i-1] + c.vertices[vertices[i-1]].height + gap
		}
		want := vertex.y
		if links := vertex.ends(before); len(links) > 0 {
			sum := 0.0
			for _, l := range links {
				sum += c.vertices[l.to].y + l.farY - l.y
			}
			want = sum / float64(len(links))
		}
		blocks = append(blocks, block{i, i, want - offsets[i], 1})
		for n := len(blocks); n > 1 && blocks[n-2].wants/blocks[n-2].count > blocks[n-1].wants/blocks[n-1].count; n = len(blocks) {
			a, b := blocks[n-2], blocks[n-1]
			blocks = append(blocks[:n-2], block{a.first, b.last, a.wants + b.wants, a.count + b.count})
		}
	}
	for _, b := range blocks {
		for i := b.first; i <= b.last; i++ {
			c.vertices[vertices[i]].y = b.wants/b.count + offsets[i]
		}
	}
}

// columns returns the positions and widths of the layers.
func (c *component) columns(o Options) (lefts, widths []float64) {
	lefts, widths = make([]float64, len(c.layers)), make([]float64, len(c.layers))
	for i, layer := range c.layers {
		if i > 0 {
			lefts[i] = lefts[i-1] + widths[i-1] + o.LayerGap
		}
		for _, v := range layer {
			widths[i] = max(widths[i], c.vertices[v].width)
		}
	}
	return lefts, widths
}

func (c *component) size(o Options) (width, height float64) {
	lefts, widths := c.columns(o)
	for _, v := range c.vertices {
		height = max(height, v.y+v.height)
	}
	last := len(lefts) - 1
	return lefts[last] + widths[last], height
}

// draw writes the positions of a component whose upper left corner is at from.
func (c *component) draw(l *Layout, from Point, boxes []Box, o Options) {
	lefts, widths := c.columns(o)
	for _, v := range c.vertices {
		if v.box >= 0 {
			l.Boxes[v.box] = Point{from.X + lefts[v.layer], math.Round(from.Y + v.y)}
		}
	}
	for _, ch := range c.chains {
		var points []Point
		for i, v := range ch.vertices {
			vertex := &c.vertices[v]
			y := math.Round(from.Y+vertex.y) + ch.ys[i]
			left := from.X + lefts[vertex.layer]
			right := left + widths[vertex.layer]
			if vertex.box >= 0 {
				right = left + boxes[vertex.box].Width
			}
			if i > 0 {
				points = append(points, Point{left, y})
			}
			if i < len(ch.vertices)-1 {
				points = append(points, Point{right, y})
			}
		}
		if ch.reversed {
			slices.Reverse(points)
		}
		l.Routes[ch.arrow] = Route{points}
	}
}
