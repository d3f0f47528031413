package layered_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/shapevet/shapevet/internal/layered"
)

var options = layered.Options{MaxWidth: 1000, LayerGap: 100, BoxGap: 20, GroupGaps: 40}

func boxes(n int) []layered.Box {
	out := make([]layered.Box, n)
	for i := range out {
		out[i] = layered.Box{Width: 200, Height: float64(60 + 20*(i%4))}
	}
	return out
}

func TestArrowsRunFromLeftToRight(t *testing.T) {
	t.Parallel()
	// A diamond with a long side: 0 → 1 → 3, 0 → 2 → 3, 0 → 3.
	arrows := []layered.Arrow{{From: 0, To: 1}, {From: 0, To: 2}, {From: 1, To: 3}, {From: 2, To: 3}, {From: 0, To: 3}}
	l := layered.Arrange(boxes(4), arrows, options)
	for i, a := range arrows {
		assert.Less(t, l.Boxes[a.From].X, l.Boxes[a.To].X, "arrow %d", i)
	}
	assert.Equal(t, l.Boxes[1].X, l.Boxes[2].X)
	assert.Len(t, l.Routes[0].Points, 2)
	assert.Len(t, l.Routes[4].Points, 4, "it passes the layer between")
}

func TestArrowsStartAndEndAtTheirBoxes(t *testing.T) {
	t.Parallel()
	arrows := []layered.Arrow{{From: 0, To: 1, FromY: 30, ToY: 10}, {From: 1, To: 2, FromY: 50, ToY: 12}, {From: 2, To: 0, FromY: 7, ToY: 9}, {From: 1, To: 1, FromY: 40, ToY: 5}}
	sizes := boxes(3)
	l := layered.Arrange(sizes, arrows, options)
	sides := func(box int) []float64 { return []float64{l.Boxes[box].X, l.Boxes[box].X + sizes[box].Width} }
	for i, a := range arrows {
		points := l.Routes[i].Points
		require.NotEmpty(t, points, "arrow %d", i)
		first, last := points[0], points[len(points)-1]
		assert.Contains(t, sides(a.From), first.X, "arrow %d", i)
		assert.Contains(t, sides(a.To), last.X, "arrow %d", i)
		assert.InDelta(t, l.Boxes[a.From].Y+a.FromY, first.Y, 0.01, "arrow %d", i)
		assert.InDelta(t, l.Boxes[a.To].Y+a.ToY, last.Y, 0.01, "arrow %d", i)
	}
}

func TestOrderAvoidsCrossings(t *testing.T) {
	t.Parallel()
	// Given in an order in which both arrows would cross.
	arrows := []layered.Arrow{{From: 0, To: 3}, {From: 1, To: 2}, {From: 0, To: 4}, {From: 1, To: 4}}
	l := layered.Arrange(boxes(5), arrows, options)
	assert.Equal(t, l.Boxes[0].Y < l.Boxes[1].Y, l.Boxes[3].Y < l.Boxes[2].Y)
}

func TestBoxesWithoutArrowsFlow(t *testing.T) {
	t.Parallel()
	l := layered.Arrange(boxes(9), nil, options)
	assert.LessOrEqual(t, l.Width, options.MaxWidth)
	columns := map[float64]int{}
	for _, b := range l.Boxes {
		columns[b.X]++
	}
	assert.Len(t, columns, 4)
	assert.Equal(t, layered.Layout{Boxes: []layered.Point{}, Routes: []layered.Route{}}, layered.Arrange(nil, nil, options))
}

// TestBoxesNeverOverlap lays out graphs of any kind, cycles, loops and
// repeated arrows among them.
func TestBoxesNeverOverlap(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 14).Draw(t, "boxes")
		sizes := boxes(n)
		var arrows []layered.Arrow
		for range rapid.IntRange(0, 24).Draw(t, "arrows") {
			arrows = append(arrows, layered.Arrow{From: rapid.IntRange(0, n-1).Draw(t, "from"), To: rapid.IntRange(0, n-1).Draw(t, "to"), FromY: 30, ToY: 20})
		}
		l := layered.Arrange(sizes, arrows, options)
		for i, a := range l.Boxes {
			assert.GreaterOrEqual(t, a.X, 0.0)
			assert.GreaterOrEqual(t, a.Y, 0.0)
			assert.LessOrEqual(t, a.X+sizes[i].Width, l.Width+0.01)
			assert.LessOrEqual(t, a.Y+sizes[i].Height, l.Height+1)
			for j, b := range l.Boxes[:i] {
				apart := a.X+sizes[i].Width <= b.X || b.X+sizes[j].Width <= a.X || a.Y+sizes[i].Height <= b.Y || b.Y+sizes[j].Height <= a.Y
				assert.True(t, apart, "boxes %d and %d", i, j)
			}
		}
		for i := range arrows {
			assert.NotEmpty(t, l.Routes[i].Points)
			assert.Zero(t, len(l.Routes[i].Points)%2)
		}
		assert.Equal(t, l, layered.Arrange(sizes, arrows, options), "the same input gives the same layout")
	})
}
