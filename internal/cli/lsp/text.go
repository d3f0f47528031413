package lsp

import (
	"bytes"
	"math"
	"slices"
	"sort"
	"unicode/utf16"
	"unicode/utf8"
)

// A text is the content of a file with the starts of its lines. It is
// immutable.
//
// The protocol ends a line at \n, \r\n and \r, a [finding.Location] at \n.
type text struct {
	content []byte
	lines   []int // as the protocol counts lines
	rows    []int // as locations count lines
}

var byteOrderMark = []byte("\ufeff")

func newText(content []byte) *text {
	t := &text{content: content, lines: []int{0}, rows: []int{0}}
	loose := false // a line ends in \r alone
	for at := 0; ; {
		n := bytes.IndexByte(content[at:], '\n')
		line := content[at:]
		if n >= 0 {
			line = content[at : at+n]
		}
		for from := 0; ; {
			r := bytes.IndexByte(line[from:], '\r')
			if r < 0 || n >= 0 && from+r == len(line)-1 {
				break
			}
			from += r + 1
			t.lines, loose = append(t.lines, at+from), true
		}
		if n < 0 {
			break
		}
		at += n + 1
		t.lines, t.rows = append(t.lines, at), append(t.rows, at)
	}
	if !loose {
		t.rows = t.lines
	}
	return t
}

// lineEnd returns the offset at which the text of a line ends.
func (t *text) lineEnd(line int) int {
	if line+1 >= len(t.lines) {
		return len(t.content)
	}
	end := t.lines[line+1] - 1
	if end > t.lines[line] && t.content[end] == '\n' && t.content[end-1] == '\r' {
		end--
	}
	return end
}

// offset returns the offset of a position. A position after the end of a line
// means its end, as the protocol defines.
func (t *text) offset(p position) int {
	if p.Line < 0 || p.Character < 0 {
		return 0
	}
	if p.Line >= len(t.lines) {
		return len(t.content)
	}
	at, end := t.lines[p.Line], t.lineEnd(p.Line)
	for units := p.Character; units > 0 && at < end; {
		r, size := utf8.DecodeRune(t.content[at:end])
		if units -= utf16Length(r); units < 0 {
			break // within a surrogate pair
		}
		at += size
	}
	return at
}

// position returns the position of an offset.
func (t *text) position(offset int) position {
	offset = min(max(offset, 0), len(t.content))
	line := sort.Search(len(t.lines), func(i int) bool { return t.lines[i] > offset }) - 1
	p := position{Line: line}
	end := min(offset, t.lineEnd(line))
	for at := t.lines[line]; at < end; {
		r, size := utf8.DecodeRune(t.content[at:])
		if at+size > end {
			break // within a character
		}
		p.Character += utf16Length(r)
		at += size
	}
	return p
}

func (t *text) rangeOf(start, end int) textRange {
	return textRange{Start: t.position(start), End: t.position(end)}
}

func utf16Length(r rune) int { return max(1, utf16.RuneLen(r)) }

// at returns the offset of a 1-based line and byte column. A byte order mark
// does not count as a column.
func (t *text) at(line, column int) int {
	if line < 1 {
		return 0
	}
	if line > len(t.rows) {
		return len(t.content)
	}
	start := t.rows[line-1]
	if line == 1 && bytes.HasPrefix(t.content, byteOrderMark) {
		start = len(byteOrderMark)
	}
	end := len(t.content)
	if line < len(t.rows) {
		end = t.rows[line] - 1
	}
	return min(start+max(0, column-1), end)
}

// changed returns the text after changes, each relative to the result of the
// ones before.
func (t *text) changed(changes []contentEvent) *text {
	for _, change := range changes {
		content := []byte(change.Text)
		if change.Range != nil {
			start := t.offset(change.Range.Start)
			end := max(start, t.offset(change.Range.End))
			content = slices.Concat(t.content[:start], content, t.content[end:])
		}
		t = newText(content)
	}
	return t
}

// A move maps the parts of a text to a later version: everything up to the
// first change, and everything from the last one on. Repeated text belongs to
// both.
type move struct {
	head int // bytes that are the same at the start
	tail int // offset in the old text from which everything is the same
	by   int
}

func moveOf(before, after *text) move {
	if before == after {
		return move{head: math.MaxInt}
	}
	a, b := before.content, after.content
	shared := min(len(a), len(b))
	head := 0
	for head < shared && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < shared && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	if head == len(a) && head == len(b) {
		head = math.MaxInt
	}
	return move{head: head, tail: len(a) - tail, by: len(b) - len(a)}
}

// changed returns the range of the old text that was replaced.
func (m move) changed() (start, end int) { return m.head, max(m.tail, m.head, m.head-m.by) }

// span maps a range of the old text. ok is false if the range was changed.
func (m move) span(start, end int) (newStart, newEnd int, ok bool) {
	switch {
	case end <= m.head:
		return start, end, true
	case start >= m.tail:
		return start + m.by, end + m.by, true
	}
	return 0, 0, false
}

// wholeCharacters widens a range to whole characters and line ends.
func (t *text) wholeCharacters(start, end int) (int, int) {
	for start > 0 && start < len(t.content) && (!utf8.RuneStart(t.content[start]) || t.content[start] == '\n') {
		start--
	}
	for end < len(t.content) && end > 0 && (!utf8.RuneStart(t.content[end]) || t.content[end-1] == '\r') {
		end++
	}
	return start, end
}
