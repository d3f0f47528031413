package source

import (
	"bytes"
	"encoding/json"
)

// A plan says how to cut a file into documents. It is made from the file's
// first bytes.
type plan struct {
	refused *refusal
	spans   []Span     // if whole: the spans of the file
	whole   bool       // the first bytes are the whole file
	stream  spanFramer // otherwise: frames the file from its start
	single  bool       // the file is one object, as far as it was read
	tooLong []int      // if whole: where documents beyond the limit start
}

// A spanFramer cuts windows of a stream into spans; see [framer.frame].
type spanFramer interface {
	frame(data []byte, eof bool) int
	take() []Span
	shift(n int)
	use(spans []Span)
}

// planFile makes a plan from head, the first bytes of the decoded file. If
// whole is set, head is the whole file; cut says that it may have been cut off.
func planFile(head []byte, name string, whole, cut bool, limit int) plan {
	if refused := sniff(head, name, whole); refused != nil {
		return plan{refused: refused, whole: whole}
	}
	p := plan{whole: whole}
	if whole && string(bytes.TrimSpace(head)) == "null" {
		return p // the Realtime Database and others write this for no documents
	}
	probe := func(feeds bool) *framer {
		f := newFramer(false, limit)
		f.feeds, f.cut = feeds, cut
		p.tooLong = p.tooLong[:0]
		f.tooLong = p.addTooLong
		f.frame(head, whole)
		return f
	}
	f := probe(true)
	if f.fed && (f.foreign || f.damaged()) {
		if g := probe(false); !g.damaged() {
			f = g
		}
	}
	switch {
	case !whole:
		p.planStream(f, head, name, limit)
	case f.damaged() || f.outer != atTop && !cut:
		p.planDamaged(head, name, cut, limit)
	default:
		p.spans = f.take()
		p.single = !f.arrays && len(p.spans) == 1 && len(p.tooLong) == 0
	}
	return p
}

func (p *plan) addTooLong(start int) { p.tooLong = append(p.tooLong, start) }

// planStream decides how to frame a file whose head f has framed.
func (p *plan) planStream(f *framer, head []byte, name string, limit int) {
	spans := f.take()
	p.single = !f.arrays && len(spans) == 0 && f.state == inside
	if f.hasPending {
		spans = append(spans, f.pending)
	}
	lines := !f.arrays && ownLines(head, spans)
	if f.damaged() {
		lines = linelike(head, false)
	}
	switch {
	case lines:
		p.stream = &lineFramer{max: limit, most: mostSpans}
	case firstByte(head) != 0 && !bytes.ContainsAny(head, "{["):
		p.refused = refuseText(name)
	default:
		g := newFramer(true, limit)
		g.feeds, g.most = f.feeds || f.fed, mostSpans
		p.stream = g
	}
}

// planDamaged cuts a damaged file, all of which is in head, into lines if these
// are documents without an array around them. Otherwise it makes it one region
// for recovery.
func (p *plan) planDamaged(head []byte, name string, cut bool, limit int) {
	p.tooLong = nil
	if linelike(head, true) && !captioned(head) && !bracketed(head) {
		l := lineFramer{max: limit, cut: cut, tooLong: p.addTooLong}
		l.frame(head, true)
		p.spans = l.take()
		return
	}
	start, end := trimmed(head)
	text := head[start:end]
	if text[0] != '{' && text[0] != '[' && bytes.IndexByte(text, '{') < 0 && !scalars(text) {
		p.refused = refuseText(name)
		return
	}
	p.single = text[0] == '{'
	p.spans = []Span{{Start: start, End: end, Suspect: true}}
}

// trimmed returns the range of data without its surrounding white space.
func trimmed(data []byte) (start, end int) {
	start, end = 0, len(data)
	for start < end && isSpace(data[start]) {
		start++
	}
	for end > start && isSpace(data[end-1]) {
		end--
	}
	return start, end
}

// ownLines reports whether each document has its line to itself. A document
// whose line ends beyond data does not show it, because another may follow.
func ownLines(data []byte, spans []Span) bool {
	blank := func(text []byte) bool { return firstByte(text) == 0 && bytes.IndexByte(text, 0) < 0 }
	line, seen := 0, 0
	for _, s := range spans {
		end := len(data)
		if n := bytes.IndexByte(data[s.End:], '\n'); n >= 0 {
			end = s.End + n
			seen++
		}
		if s.Start < line || !blank(data[line:s.Start]) || !blank(data[s.End:end]) ||
			bytes.IndexByte(data[s.Start:s.End], '\n') >= 0 {
			return false
		}
		line = end
	}
	return seen > 0
}

// scalars reports whether text is JSON after all: one scalar, or one per line.
func scalars(text []byte) bool {
	line, _, _ := bytes.Cut(text, []byte{'\n'})
	return json.Valid(text) || json.Valid(line)
}
