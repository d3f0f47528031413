package html

import (
	"fmt"
	"math"
	"strings"

	"github.com/shapevet/shapevet/internal/layered"
)

// A Diagram shows collections as boxes and references as arrows, in pixels.
type Diagram struct {
	Width, Height int
	Boxes         []*Box
	Arrows        []*Arrow
}

// A Box is a collection.
type Box struct {
	X, Y, Width, Height int

	Name     string
	Size     string   // number and size of the documents
	Kinds    []string // of document, if there are several
	Join     bool     // the documents only connect others: crossed out
	Severity string   // of the worst finding
	Marks    []Link   // findings on whole documents
	Findings int
	Rows     []Row
	More     int // number of fields not shown
}

// A Row is a field.
type Row struct {
	Depth    int
	Name     string
	Path     string
	Key      bool
	Type     string
	Detail   string // lengths of an array, or share of the documents
	Target   string // collection that a reference leads to
	Severity string
	Marks    []Link
}

// A Link leads to a finding.
type Link struct{ ID, Severity, Label string }

// An Arrow is a reference.
type Arrow struct {
	From, To int // indexes of boxes
	Row      int // of From; -1 for the header

	Field, Target      string // collection and path
	FromCount, ToCount string // how many documents hold one key, and how many keys one document holds
	Text               string // the same in words
	Severity           string
	Weak               bool // some values are not keys of the target

	D      string // the path in SVG notation
	Tip    string // points of the arrowhead
	FromAt Label
	ToAt   Label
}

// A Label is the position of a text.
type Label struct {
	X, Y   int
	Anchor string // start or end
}

// The dimensions of boxes. The style sheet repeats them.
const (
	boxWidth   = 272
	headHeight = 52
	kindHeight = 20
	rowHeight  = 22
	boxPadding = 6
)

var spacing = layered.Options{MaxWidth: 1180, LayerGap: 132, BoxGap: 34, GroupGaps: 56}

// margin is the space for loops and labels around the boxes.
const margin = 24

// Arrange places everything in the diagram.
func (d *Diagram) Arrange() {
	boxes := make([]layered.Box, len(d.Boxes))
	for i, b := range d.Boxes {
		b.Width, b.Height = boxWidth, headHeight+len(b.Kinds)*kindHeight+len(b.Rows)*rowHeight+boxPadding
		if b.More > 0 {
			b.Height += rowHeight
		}
		boxes[i] = layered.Box{Width: float64(b.Width), Height: float64(b.Height)}
	}
	arrows := make([]layered.Arrow, len(d.Arrows))
	arrived := make([]int, len(d.Boxes))
	for i, a := range d.Arrows {
		// Spread arrows that arrive at one box over its header.
		arrows[i] = layered.Arrow{From: a.From, To: a.To, FromY: d.rowY(a.From, a.Row), ToY: 12 + float64(arrived[a.To]%3)*15}
		arrived[a.To]++
	}
	l := layered.Arrange(boxes, arrows, spacing)
	for i, b := range d.Boxes {
		b.X, b.Y = int(l.Boxes[i].X)+margin, int(l.Boxes[i].Y)+margin
	}
	for i, a := range d.Arrows {
		a.draw(l.Routes[i].Points)
	}
	d.Width, d.Height = int(math.Ceil(l.Width))+2*margin, int(math.Ceil(l.Height))+2*margin
}

// rowY returns the middle of a row, relative to the top of its box.
func (d *Diagram) rowY(box, row int) float64 {
	if row < 0 {
		return headHeight / 2
	}
	return float64(headHeight + len(d.Boxes[box].Kinds)*kindHeight + row*rowHeight + rowHeight/2)
}

// draw turns a route into a path. A pair of points is a curve that starts and
// ends horizontally; pairs are joined by straight lines.
func (a *Arrow) draw(points []layered.Point) {
	for i := range points {
		points[i].X += margin
		points[i].Y += margin
	}
	var b strings.Builder
	fmt.Fprintf(&b, "M%.0f %.0f", points[0].X, points[0].Y)
	first, last := points[0], points[len(points)-1]
	direction := 1.0
	if last.X < first.X {
		direction = -1
	}
	loop := a.From == a.To
	for i := 0; i+1 < len(points); i += 2 {
		p, q := points[i], points[i+1]
		if i > 0 {
			fmt.Fprintf(&b, "L%.0f %.0f", p.X, p.Y)
		}
		bow := math.Abs(q.X-p.X) / 2 * direction
		if loop {
			fmt.Fprintf(&b, "C%.0f %.0f %.0f %.0f %.0f %.0f", p.X+40, p.Y, q.X+40, q.Y, q.X, q.Y)
		} else {
			fmt.Fprintf(&b, "C%.0f %.0f %.0f %.0f %.0f %.0f", p.X+bow, p.Y, q.X-bow, q.Y, q.X, q.Y)
		}
	}
	a.D = b.String()
	inward := direction
	if loop {
		inward = -1
	}
	a.Tip = fmt.Sprintf("%.0f,%.0f %.0f,%.0f %.0f,%.0f", last.X, last.Y, last.X-9*inward, last.Y-4.5, last.X-9*inward, last.Y+4.5)
	a.FromAt = label(first, direction)
	a.ToAt = label(last, -inward)
}

// label places a label at an end of an arrow, on the arrow's side of the point.
func label(at layered.Point, outward float64) Label {
	l := Label{X: int(at.X + 7*outward), Y: int(at.Y) - 5, Anchor: "start"}
	if outward < 0 {
		l.Anchor = "end"
		l.X -= 4
	}
	return l
}
