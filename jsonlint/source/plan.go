package source

import (
	"bytes"
	"encoding/json"
)

// A plan is how a file is cut into documents, decided from its first bytes.
type plan struct {
	refused *refusal
	spans   []Span     // with whole: the spans of the file
	whole   bool       // the first bytes are the file
	stream  spanFramer // else: frames the file from its start
	single  bool       // the file is one object, or looks so as far as it was seen
	tooLong []int      // with whole: where documents beyond the limit start
}

// A spanFramer cuts windows of a stream into spans, see [framer.frame].
type spanFramer interface {
	frame(data []byte, eof bool) int
	take() []Span
	shift(n int)
	use(spans []Span)
}

// planFile decides from head, the first bytes of the decoded file: all of them
// if whole is set, which may have been cut off.
func planFile(head []byte, name string, whole, cut bool, limit int) plan {
	if refused := sniff(head, name, whole); refused != nil {
		return plan{refused: refused, whole: whole}
	}
	p := plan{whole: whole}
	if whole && string(bytes.TrimSpace(head)) == "null" {
		return p // so the Realtime Database and others write that there are no documents
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

// planStream decides how to frame a file of which f has framed the head.
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

// planDamaged cuts a damaged file, head being all of it, at its lines if these
// are documents, and else leaves it to recovery as one region.
func (p *plan) planDamaged(head []byte, name string, cut bool, limit int) {
	p.tooLong = nil
	if linelike(head, true) && !captioned(head) {
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

// trimmed returns the range of data without the white space around it.
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

// ownLines reports whether each of the documents has a line to itself. A
// document whose line data does not show to its end says nothing: the next may
// follow right after it.
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

// scalars reports whether text is JSON all the same: one scalar, or one a line.
func scalars(text []byte) bool {
	line, _, _ := bytes.Cut(text, []byte{'\n'})
	return json.Valid(text) || json.Valid(line)
}
