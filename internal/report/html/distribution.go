package html

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Distribution shows values along an axis with their limits. Positions and
// sizes are percentages of the plot.
type Distribution struct {
	Caption string
	Log     bool // the axis is logarithmic
	Ticks   []Tick
	Bins    []BinBar
	Marks   []Mark // of measured values
	Limits  []Mark
	Above   int // pixels for labels above the plot
	Below   int // pixels for labels below it
}

// A Tick is a labelled position on the axis.
type Tick struct {
	At    float64
	Label string
}

// A BinBar is a bar of the histogram.
type BinBar struct {
	Left, Width, Height float64
	Title               string
}

// A Mark is a labelled value.
type Mark struct {
	At     float64
	Name   string
	Value  string
	Offset int  // of its label from the plot, in pixels
	Behind bool // the label is to the left of the mark
}

// A Measure is a named value to mark.
type Measure struct {
	Name  string
	Value float64
}

// A Bin counts values in [From, To].
type Bin struct{ From, To, Count int64 }

// logFrom is the ratio of the largest to the typical value from which the axis
// is logarithmic.
const logFrom = 20

// NewDistribution plots measures, limits and any bins. It returns nil if there
// is nothing to plot.
func NewDistribution(caption string, measures, limits []Measure, bins []Bin) *Distribution {
	if len(measures) == 0 {
		return nil
	}
	top, typical := 0.0, math.Inf(1)
	for _, m := range slices.Concat(measures, limits) {
		if math.IsNaN(m.Value) || math.IsInf(m.Value, 0) || m.Value < 0 {
			return nil
		}
		top = max(top, m.Value)
		if m.Value > 0 {
			typical = min(typical, m.Value)
		}
	}
	if top == 0 {
		return nil
	}
	d := &Distribution{Caption: caption, Log: top/typical >= logFrom}
	a := axis{log: d.Log, top: top * 1.06}
	if d.Log {
		a.top = top * 1.6
	}
	d.Ticks = a.ticks()
	d.Bins = a.bins(bins)
	d.Marks, d.Above = a.marks(measures)
	d.Limits, d.Below = a.marks(limits)
	return d
}

type axis struct {
	log bool
	top float64
}

// at returns the position of a value in percent of the width. The logarithmic
// axis starts at 0, using log(1+v).
func (a axis) at(v float64) float64 {
	if a.log {
		return 100 * math.Log1p(v) / math.Log1p(a.top)
	}
	return 100 * v / a.top
}

func (a axis) ticks() []Tick {
	ticks := []Tick{{0, "0"}}
	if a.log {
		last := 0.0
		for v := 1.0; v <= a.top; v *= 10 {
			if at := a.at(v); at-last > 6 {
				ticks = append(ticks, Tick{at, Short(v)})
				last = at
			}
		}
		return ticks
	}
	step := math.Pow(10, math.Floor(math.Log10(a.top)))
	for _, parts := range []float64{1, 2, 5, 10} {
		if a.top/(step/parts) >= 4 {
			step /= parts
			break
		}
	}
	for v := step; v <= a.top; v += step {
		ticks = append(ticks, Tick{a.at(v), Short(v)})
	}
	return ticks
}

func (a axis) bins(bins []Bin) []BinBar {
	most := int64(0)
	for _, b := range bins {
		most = max(most, b.Count)
	}
	if most == 0 {
		return nil
	}
	var out []BinBar
	for _, b := range bins {
		if b.Count == 0 || float64(b.From) > a.top {
			continue
		}
		left, right := a.at(float64(b.From)), min(100, a.at(float64(b.To)+1))
		label := Short(float64(b.From))
		if b.To > b.From {
			label += "–" + Short(float64(b.To))
		}
		out = append(out, BinBar{
			Left: round(left), Width: round(max(0.4, right-left-0.15)),
			Height: round(max(2, 100*float64(b.Count)/float64(most))), Title: label + ": " + strconv.FormatInt(b.Count, 10),
		})
	}
	return out
}

// labelCell is the width of a label's character in percent of the narrowest
// plot, on a phone.
const (
	labelCell   = 2.2
	labelHeight = 18 // pixels
)

// marks places each label in the first row in which it touches no other.
func (a axis) marks(measures []Measure) (marks []Mark, height int) {
	sorted := slices.Clone(measures)
	slices.SortStableFunc(sorted, func(x, y Measure) int { return cmp.Compare(x.Value, y.Value) })
	// Equal values share a label.
	for i := 1; i < len(sorted); {
		if sorted[i].Value != sorted[i-1].Value {
			i++
			continue
		}
		sorted[i-1].Name += ", " + sorted[i].Name
		sorted = slices.Delete(sorted, i, i+1)
	}
	var ends []float64 // of the last label, by row
	for _, m := range sorted {
		mark := Mark{At: round(a.at(m.Value)), Name: m.Name, Value: Short(m.Value)}
		width := labelCell * float64(utf8.RuneCountInString(m.Name+" "+mark.Value)+2)
		from := mark.At
		if mark.Behind = from+width > 100; mark.Behind {
			from -= width
		}
		row := slices.IndexFunc(ends, func(end float64) bool { return end <= from })
		if row < 0 {
			row = len(ends)
			ends = append(ends, 0)
		}
		ends[row] = from + width
		mark.Offset = row * labelHeight
		marks = append(marks, mark)
	}
	return marks, len(ends) * labelHeight
}

// Short returns a number in few characters: 950, 1.2k, 42k, 3.1M.
func Short(v float64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e4, "k"}} {
		if v >= unit.size {
			size := unit.size
			if unit.name == "k" {
				size = 1e3
			}
			text := strconv.FormatFloat(v/size, 'f', 1, 64)
			if v/size >= 100 {
				text = strconv.FormatFloat(v/size, 'f', 0, 64)
			}
			return strings.TrimSuffix(text, ".0") + unit.name
		}
	}
	if v == math.Trunc(v) {
		text := strconv.FormatFloat(v, 'f', 0, 64)
		if len(text) > 3 {
			text = text[:len(text)-3] + "," + text[len(text)-3:]
		}
		return text
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

func round(v float64) float64 { return math.Round(v*100) / 100 }
