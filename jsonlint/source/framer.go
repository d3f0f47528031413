package source

import (
	"bytes"
)

const (
	// headSize is how much of a file decides its layout. A file that fits is
	// framed as a whole: exactly if it is sound, otherwise as one region for
	// recovery.
	headSize = 1 << 20

	// maxGap is the most white space after a document for which the document and
	// what follows are still examined together.
	maxGap = 64 << 10

	// regionSize bounds a damaged region in a larger file.
	regionSize = 1 << 20
)

// outer is what surrounds the place between two documents.
type outer uint8

const (
	atTop    outer = iota // nothing: documents follow one another
	inArray               // an array of documents
	inFeed                // the Documents of a feed
	feedTail              // the rest of a feed after its Documents
)

type frameState uint8

const (
	between    frameState = iota // documents
	inside                       // a document
	inRegion                     // in a damaged region, looking for the next document
	skipping                     // in a document that is too long
	atStandoff                   // damage found by a framer that does not recover
)

// A framer cuts a stream of documents, arrays of documents and feeds into
// spans. It receives the stream in windows and remembers what it needs between
// them. The spans do not depend on where windows end.
//
// If local is set, it confines damage to regions. Otherwise it stops at the
// first damage.
type framer struct {
	local bool
	cut   bool // the stream ends early, so its last document may be incomplete
	feeds bool // top-level objects may be feeds
	max   int  // bytes of one document
	most  int  // bound on spans found before they are taken; 0 means none
	// tooLong is called for each document longer than max, which is skipped.
	tooLong func(start int)

	state     frameState
	outer     outer
	pos       int
	column    int  // column of pos if only white space precedes it on its line, else -1
	separated bool // in an array: a value may come next
	elements  bool // in an array: it has an element
	nested    int  // arrays around the documents within the array
	commas    bool // commas separate the documents at the top
	arrays    bool // an array or a feed was seen
	fed       bool // a feed was seen
	regions   bool // a damaged region was seen
	foreign   bool // a feed has members that feeds do not have
	rows      bool // an array of values stood for a document; only the first is a span

	pending    Span // a complete document whose surroundings are not yet known
	hasPending bool
	joining    bool // what follows joins pending in one region
	joinEnd    int  // end of the region if nothing follows

	region int // start of the region

	m         matcher
	docColumn int    // column of the last document that starts a line, else -1
	firstKey  []byte // the first name in the first document, in quotes
	rescanned int    // bytes read again, to limit the work on damaged input
	consumed  int    // bytes shifted out
	spans     []Span
}

func newFramer(local bool, limit int) *framer {
	return &framer{local: local, feeds: true, max: limit, docColumn: -1}
}

// frame continues through data. It returns how many bytes from the start of
// data are finished; the caller may drop them after taking the spans.
func (f *framer) frame(data []byte, eof bool) int {
	for {
		var more bool
		switch f.state {
		case between:
			more = f.betweenDocuments(data, eof)
		case inside:
			more = f.insideDocument(data, eof)
		case inRegion:
			more = f.insideRegion(data, eof)
		case skipping:
			more = f.skip(data, eof)
		case atStandoff:
			return len(data)
		}
		if !more {
			return f.done(len(data))
		}
	}
}

// damaged reports whether a framer that does not recover has met damage.
func (f *framer) damaged() bool { return f.state == atStandoff }

func (f *framer) done(end int) int {
	keep := f.pos
	switch f.state {
	case inside:
		keep = f.m.start
	case inRegion:
		keep = f.region
	case skipping:
		keep = f.m.pos
	}
	if f.hasPending {
		keep = min(keep, f.pending.Start)
	}
	return min(keep, end)
}

// take returns the spans found since the last call. They are valid until the
// next call of frame.
func (f *framer) take() []Span {
	spans := f.spans
	f.spans = f.spans[len(f.spans):]
	return spans
}

// use provides memory for the next spans.
func (f *framer) use(spans []Span) { f.spans = spans }

// shift adjusts offsets after the first n bytes of data were dropped.
func (f *framer) shift(n int) {
	f.pos -= n
	f.region -= n
	f.joinEnd -= n
	f.pending.Start -= n
	f.pending.End -= n
	f.m.shift(n)
	f.consumed += n
}

// betweenDocuments looks for the next document. Like the other states, it
// reports whether more can be done with the data read so far.
func (f *framer) betweenDocuments(data []byte, eof bool) bool {
	for f.pos < len(data) {
		if f.most > 0 && len(f.spans) >= f.most {
			return false
		}
		c := data[f.pos]
		if isSpace(c) {
			f.skipSpace(c)
			continue
		}
		if f.outer == feedTail {
			return f.endFeed(data, eof)
		}
		switch {
		case c == '{':
			if done, more := f.atObject(data, eof); done {
				return more
			}
			continue
		case c == '[' && f.mayOpen():
			if !f.startArray(data, eof) {
				return false
			}
		case c == ']' && f.outer != atTop:
			if !f.endArray() {
				return false
			}
		case c == ',' && f.outer == atTop && f.hasPending && !f.joining:
			// Commas separate documents without brackets around them. One region reports
			// that; the other documents are accepted.
			if !f.commas && !f.join(f.pos+1) {
				return false
			}
			f.commas = true
			f.flushPlain()
		case c == ',' && f.outer != atTop && !f.separated:
			f.separated = true
		default:
			return f.garbage()
		}
		f.pos++
		f.column = -1
	}
	if eof {
		f.flush()
	}
	return false
}

func (f *framer) skipSpace(c byte) {
	if c == '\n' {
		f.column = 0
	} else if f.column >= 0 {
		f.column++
	}
	f.pos++
	if f.hasPending && f.pos-f.pending.End == maxGap {
		f.flush() // what follows is unrelated
	}
}

// atObject handles an object between documents: it opens a document, enters a
// feed, or is a document without members. Unless the search continues after the
// object, done is true and more is the result of the step.
func (f *framer) atObject(data []byte, eof bool) (done, more bool) {
	if f.outer != atTop && !f.separated && !f.join(f.pending.End) {
		return true, false
	}
	if f.outer == atTop && f.feeds {
		entered, ok := f.enterFeed(data, eof)
		if !ok || entered {
			return !ok, false
		}
	}
	f.openDocument()
	if f.pos+1 < len(data) && data[f.pos+1] == '}' { // empty objects can be very many
		f.m.pos += 2
		f.closeDocument(data)
		return false, false
	}
	return true, true
}

// mayOpen reports whether an array may start here.
func (f *framer) mayOpen() bool { return f.outer == atTop || f.outer == inArray && f.separated }

// startArray enters an array of documents, or an array inside one, unless that is a
// row. It returns false if the row may go on after data.
func (f *framer) startArray(data []byte, eof bool) bool {
	if f.outer == inArray {
		if end, more := f.row(data, eof); more || end > 0 {
			return !more && f.passRow(end)
		}
		f.nested++
	} else {
		f.nested = 0
	}
	f.flush()
	f.outer, f.arrays, f.separated, f.elements = inArray, true, true, false
	return true
}

// passRow passes over the row that ends at end.
func (f *framer) passRow(end int) bool {
	f.flush()
	if !f.rows {
		f.spans = append(f.spans, Span{Start: f.pos, End: end, Row: true})
	}
	f.rows, f.pos, f.separated, f.elements = true, end-1, false, true
	return true
}

// row returns the end of the array at pos if it is a row of a table, which holds
// nothing but texts, numbers and the like, or -1. More is true if the array may go on
// after data.
func (f *framer) row(data []byte, eof bool) (end int, more bool) {
	l := lexer{data: data[:min(len(data), f.pos+regionSize)], pos: f.pos + 1}
	for values := 0; ; {
		switch t := l.token(); {
		case t == nil:
			return -1, !eof && len(data) < f.pos+regionSize
		case t[0] == ']' && values > 0:
			return l.pos, false
		case t[0] == ',':
		case bytes.IndexByte([]byte(`"-0123456789tfn`), t[0]) < 0:
			return -1, false
		default:
			values++
		}
	}
}

// endArray leaves the array of documents. It returns false, and stops, if
// something is missing before its end and the framer does not recover.
func (f *framer) endArray() bool {
	if f.separated && f.elements && !f.join(f.pos) {
		return false
	}
	f.flush()
	switch {
	case f.nested > 0: // an array in the array, with more of the documents
		f.nested, f.separated, f.elements = f.nested-1, false, true
	case f.outer == inFeed:
		f.outer = feedTail
	default:
		f.outer = atTop
	}
	return true
}

// join makes a region of the pending document and what follows it, at least up
// to end. It returns false, and stops, if the framer does not recover.
func (f *framer) join(end int) bool {
	if !f.local {
		f.state = atStandoff
		return false
	}
	if f.pending.Suspect {
		f.flush() // it has shown damage: keep regions from merging
	} else {
		f.joining, f.joinEnd = true, end
	}
	return true
}

// flush emits the pending document.
func (f *framer) flush() {
	if f.hasPending {
		if f.joining {
			f.pending.End, f.pending.Suspect = max(f.pending.End, f.joinEnd), true
			f.regions = true
		}
		f.spans = append(f.spans, f.pending)
	}
	f.hasPending, f.joining = false, false
}

func (f *framer) flushPlain() {
	if !f.joining {
		f.flush()
	}
}

func (f *framer) openDocument() {
	f.flushPlain()
	f.m.reset(f.pos, f.column)
	if f.column >= 0 {
		f.docColumn = f.column
	}
	f.state = inside
}

func (f *framer) insideDocument(data []byte, eof bool) bool {
	state := f.m.run(data)
	if f.m.pos-f.m.start > f.max {
		if f.local && f.m.restart-f.m.start <= f.max && f.goBack(data, f.m.start+f.max) {
			return true
		}
		f.flush()
		f.tooLong(f.m.start)
		f.m.restart, f.m.column = -1, -1
		f.state = skipping
		return f.skipped(state, eof)
	}
	switch state {
	case complete:
		f.closeDocument(data)
		return true
	case broken:
		if !f.local {
			f.state = atStandoff
			return false
		}
		return f.restart(data)
	}
	switch {
	case !eof:
		return false
	case f.cut:
		f.flush()
		f.state, f.pos, f.outer = between, len(data), atTop
		return false
	case !f.local:
		f.state = atStandoff
		return false
	}
	return f.restart(data)
}

func (f *framer) closeDocument(data []byte) {
	span := Span{Start: f.m.start, End: f.m.pos}
	if f.firstKey == nil {
		f.firstKey = bytes.Clone(firstKey(data[span.Start:span.End]))
	}
	if f.hasPending && f.joining {
		span.Start, span.Suspect = f.pending.Start, true
		f.regions = true
	}
	f.pending, f.hasPending, f.joining = span, true, false
	f.state, f.pos, f.column = between, f.m.pos, -1
	f.separated, f.elements = false, true
}

// skip drops the rest of a document that is too long.
func (f *framer) skip(data []byte, eof bool) bool { return f.skipped(f.m.run(data), eof) }

func (f *framer) skipped(state verdict, eof bool) bool {
	switch state {
	case complete:
		f.state, f.pos, f.column = between, f.m.pos, -1
		f.separated, f.elements = false, true
		return true
	case broken:
		f.beginRegion(f.m.pos, f.m.pos)
		return true
	}
	if eof {
		f.state, f.pos, f.outer = between, f.m.pos, atTop
	}
	return false
}

// garbage begins a region at something that is neither a document nor a
// separator.
func (f *framer) garbage() bool {
	if !f.local {
		f.state = atStandoff
		return false
	}
	f.beginRegion(f.pos, f.pos)
	return true
}

func (f *framer) beginRegion(start, from int) {
	if f.hasPending && f.joining {
		start = f.pending.Start
		f.hasPending, f.joining = false, false
	}
	f.flush()
	f.state, f.region, f.pos = inRegion, start, from
	f.regions = true
}

// restart leaves the damaged document and continues at the first place inside
// it that looks like the start of another, or else at the first such place
// after the damage.
func (f *framer) restart(data []byte) bool {
	if !f.goBack(data, f.m.pos) {
		f.beginRegion(f.m.start, f.m.pos)
	}
	return true
}

// goBack makes a region of the document up to the first place that looks like
// the start of another, if there is one. What has been read pays for going back
// from seen, which keeps the work on damaged input linear.
func (f *framer) goBack(data []byte, seen int) bool {
	again := seen - f.m.restart
	if f.m.restart < 0 || f.rescanned+again > 16*headSize+8*(f.consumed+seen) {
		return false
	}
	f.rescanned += again
	f.beginRegion(f.m.start, f.m.restart)
	f.endRegion(data, f.m.restart, f.docColumn)
	return true
}

// endRegion ends the region before at, where a document starts.
func (f *framer) endRegion(data []byte, at, column int) {
	f.emitRegion(data, at, false)
	f.state, f.pos, f.column = between, at, column
	f.separated, f.elements = true, true
	if f.outer == feedTail {
		f.outer = inFeed // its end was not where it seemed to be
	}
}

// emitRegion emits the region up to end, without the separators around it.
func (f *framer) emitRegion(data []byte, end int, eof bool) {
	text := bytes.TrimRight(data[f.region:end], " \t\r\n")
	if len(text) > 1 && f.outer != atTop {
		switch {
		case bytes.HasSuffix(text, []byte{','}):
			text = bytes.TrimRight(text[:len(text)-1], " \t\r\n")
		case eof && bytes.HasSuffix(text, []byte{']'}):
			// Drop the end of the array, unless it belongs to the damaged document.
			if inner := bytes.TrimRight(text[:len(text)-1], " \t\r\n"); bytes.HasSuffix(inner, []byte{'}'}) {
				text = inner
			}
		}
	}
	if len(text) > 0 {
		f.spans = append(f.spans, Span{Start: f.region, End: f.region + len(text), Suspect: true})
	}
}

// insideRegion looks for a place to continue: a brace at the start of a line,
// in the column where documents start, or a brace followed by the first
// document's first name.
func (f *framer) insideRegion(data []byte, eof bool) bool {
	i := f.pos
	for ; i < len(data); i++ {
		if i-f.region >= regionSize {
			f.emitRegion(data, i, false)
			f.region = i
		}
		switch data[i] {
		case '\n':
			brace, column, known := lineBrace(data, i+1, eof)
			if !known {
				f.pos = i
				return false
			}
			if brace && (column == max(f.docColumn, 0) || f.firstKey == nil && f.docColumn < 0) {
				f.endRegion(data, i+1+column, column)
				return true
			}
		case '{':
			if f.firstKey == nil || i <= f.region || !isSpace(data[i-1]) && data[i-1] != ',' && data[i-1] != '[' {
				continue
			}
			same, known := startsWithKey(data[i:], f.firstKey, eof)
			if !known {
				f.pos = i
				return false
			}
			if same {
				f.endRegion(data, i, -1)
				return true
			}
		}
	}
	f.pos = i
	if eof {
		f.emitRegion(data, len(data), true)
		f.state, f.region, f.outer = between, len(data), atTop
	}
	return false
}

// lookahead bounds how far to look beyond a possible start of a document.
const lookahead = 1 << 12

// lineBrace reports whether the line at data[i] begins with a brace, and in
// which column. known is false if it needs more data.
func lineBrace(data []byte, i int, eof bool) (brace bool, column int, known bool) {
	for j := i; j < len(data) && j < i+lookahead; j++ {
		switch data[j] {
		case ' ', '\t':
		case '{':
			return true, j - i, true
		default:
			return false, 0, true
		}
	}
	return false, 0, eof || len(data)-i >= lookahead
}

// startsWithKey reports whether the object at the start of data has key as its
// first name. known is false if it needs more data.
func startsWithKey(data, key []byte, eof bool) (same, known bool) {
	for j := 1; j < len(data) && j < lookahead; j++ {
		if isSpace(data[j]) {
			continue
		}
		if rest := data[j:]; len(rest) >= len(key) {
			return bytes.HasPrefix(rest, key), true
		}
		return false, eof || !bytes.HasPrefix(key, data[j:])
	}
	return false, eof || len(data) >= lookahead
}

// firstKey returns the first name in an object, quotes included.
func firstKey(doc []byte) []byte {
	for i := 1; i < len(doc) && i < lookahead; i++ {
		switch {
		case isSpace(doc[i]):
		case doc[i] == '"':
			if end, state := skipString(doc[:min(len(doc), i+lookahead)], i+1); state == complete {
				return doc[i:end]
			}
			return nil
		default:
			return nil
		}
	}
	return nil
}
