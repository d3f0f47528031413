package report

import (
	"strconv"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/term"
)

// tabStop is the distance between tab stops in a code frame.
const tabStop = 4

// A cell is one printed character of a line.
type cell struct {
	text   string
	offset int // of its first byte in the snippet
	at     int // cells before it
	width  int
}

// frame renders the line of a location, with a line number in the gutter and
// carets under the range, at most width cells wide. It is empty if the text of
// the line is unknown.
func frame(l finding.Location, width int, style term.Style) []string {
	snippet := strings.TrimRight(l.Snippet, "\r\n")
	if l.Line <= 0 || strings.TrimSpace(snippet) == "" {
		return nil
	}
	number := strconv.Itoa(l.Line)
	gutter := strings.Repeat(" ", len(number))
	cells, total := layOut(snippet)
	from, to := marked(l, snippet, cells, total)
	left, right := window(from, to, total, max(20, width-len(number)-7))

	var line strings.Builder
	indent := 0
	if left > 0 || l.SnippetColumn > 1 {
		line.WriteString("…")
		indent = 1
	}
	for _, c := range cells {
		if c.at >= left && c.at+c.width <= right {
			line.WriteString(c.text)
		}
	}
	if right < total {
		line.WriteString("…")
	}
	carets := strings.Repeat(" ", indent+from-left) + style.Red(strings.Repeat("^", max(1, min(to, right)-from)))
	return []string{
		"  " + style.Dim(number+" │ ") + strings.TrimRight(line.String(), " "),
		"  " + style.Dim(gutter+" │ ") + carets,
	}
}

// layOut turns a line into cells and returns its width. Tabs become spaces;
// control characters become pictures.
func layOut(line string) (cells []cell, total int) {
	offset := 0
	for clusters := uniseg.NewGraphemes(line); clusters.Next(); {
		raw := clusters.Str()
		c := cell{offset: offset, at: total}
		if raw == "\t" {
			c.width = tabStop - total%tabStop
			c.text = strings.Repeat(" ", c.width)
		} else {
			c.text = term.Clean(raw)
			c.width = term.Width(c.text)
		}
		cells = append(cells, c)
		offset += len(raw)
		total += c.width
	}
	return cells, total
}

// marked returns the range of the location in cells.
func marked(l finding.Location, snippet string, cells []cell, total int) (from, to int) {
	start, end := bytesOf(l, snippet)
	from, to = total, total
	for _, c := range cells {
		if c.offset <= start {
			from = c.at
		}
		if c.offset < end {
			to = c.at + c.width
		}
	}
	if start >= len(snippet) { // just after the line: something is missing there
		return total, total + 1
	}
	return from, max(to, from+1)
}

// window chooses the cells of a long line to show: all if they fit, otherwise
// those around the range.
func window(from, to, total, width int) (left, right int) {
	if total <= width {
		return 0, max(total, to)
	}
	left = max(0, min(from-width/3, total-width))
	if to-left > width { // show the start of a long range
		left = max(0, from-width/6)
	}
	return left, min(total, left+width)
}

// bytesOf returns the range of a location in its line's snippet.
func bytesOf(l finding.Location, snippet string) (start, end int) {
	first := max(1, l.SnippetColumn)
	start = min(max(0, l.Column-first), len(snippet))
	switch {
	case l.EndLine > l.Line:
		return start, len(snippet)
	case l.EndColumn > l.Column:
		return start, min(l.EndColumn-first, len(snippet))
	}
	return start, start + 1
}
