package source

import "bytes"

// attemptSize bounds how far the framer follows a line that is not a document
// to see whether it begins a document of several lines.
const attemptSize = 256 << 10

// A lineFramer cuts JSON Lines into spans, one document per line. It examines
// only the first and the last byte of a line, so a damaged line costs only
// itself. It follows a line that opens a document without closing it, because
// concatenated files can hold both layouts.
type lineFramer struct {
	cut     bool // the stream ends early
	max     int  // bytes of one line
	most    int  // as in framer
	tooLong func(start int)

	pos, seen int // start of the line, and how far its end has been searched for
	following bool
	closed    int  // end of the document followed, or 0 while it is open
	dropping  bool // skipping the rest of a line that is too long
	m         matcher
	spans     []Span
}

func (l *lineFramer) take() []Span {
	spans := l.spans
	l.spans = l.spans[len(l.spans):]
	return spans
}

func (l *lineFramer) use(spans []Span) { l.spans = spans }

func (l *lineFramer) shift(n int) {
	l.pos -= n
	l.seen -= n
	if l.closed > 0 {
		l.closed -= n
	}
	l.m.shift(n)
}

func (l *lineFramer) frame(data []byte, eof bool) int {
	for {
		if l.most > 0 && len(l.spans) >= l.most {
			return l.pos
		}
		end, next := len(data), len(data)
		if i := bytes.IndexByte(data[l.seen:], '\n'); i >= 0 {
			end = l.seen + i
			next = end + 1
		} else if !eof {
			l.seen = len(data)
			l.passSpace(data)
			if !l.dropping && len(data)-l.pos > l.max {
				l.tooLong(l.pos)
				l.dropping = true
			}
			if l.dropping {
				l.pos = len(data)
			}
			return l.pos
		}
		switch {
		case l.dropping:
			l.dropping = false
		case end-l.pos > l.max:
			l.tooLong(l.pos)
		default:
			after, known := l.line(data, end, eof)
			if !known {
				l.seen = end // cheap to find again
				return l.pos
			}
			next = max(next, after)
		}
		if next >= len(data) && eof {
			return len(data)
		}
		l.pos, l.seen = next, next
	}
}

// passSpace avoids buffering a long run of white space: it drops white space
// before a document, and ends the line of a document before white space.
func (l *lineFramer) passSpace(data []byte) {
	if l.dropping || l.following {
		return
	}
	text := bytes.TrimRight(data[l.pos:], " \t\r")
	if len(data)-l.pos-len(text) < maxGap {
		return
	}
	start := 0
	for start < len(text) && isSpace(text[start]) {
		start++
	}
	switch {
	case start == len(text):
	case text[start] == '{' && text[len(text)-1] == '}':
		l.spans = append(l.spans, Span{Start: l.pos + start, End: l.pos + len(text)})
	default:
		return
	}
	l.pos = len(data)
}

// line frames the line that ends at end. If framing continues beyond the line,
// it returns where. known is false if it needs more data.
func (l *lineFramer) line(data []byte, end int, eof bool) (after int, known bool) {
	start := l.pos
	for start < end && isSpace(data[start]) {
		start++
	}
	last := end - 1
	for last > start && isSpace(data[last]) {
		last--
	}
	switch {
	case start == end:
		return 0, true
	case data[start] == '{' && data[last] == '}' && (!l.cut || end < len(data)):
		l.spans = append(l.spans, Span{Start: start, End: last + 1})
		return 0, true
	case data[start] == '{':
		if after, known = l.follow(data, start, eof); after > 0 || !known {
			return after, known
		}
	}
	if !l.cut || end < len(data) {
		l.spans = append(l.spans, Span{Start: start, End: last + 1, Suspect: true})
	}
	return 0, true
}

// follow checks whether a document of several lines starts at start. It returns
// the start of the line after it, or 0 if there is none.
func (l *lineFramer) follow(data []byte, start int, eof bool) (after int, known bool) {
	if !l.following {
		l.m.reset(start, start-l.pos)
		l.m.impose = true
		l.following, l.closed = true, 0
	}
	if l.closed == 0 {
		switch state := l.m.run(data); {
		case state == complete && l.m.pos-start <= min(attemptSize, l.max):
			l.closed = l.m.pos
		case state == unfinished && !eof && l.m.pos-start <= attemptSize:
			return 0, false
		}
	}
	end := l.closed
	for i := end; end > 0 && i < end+lookahead; i++ {
		if i == len(data) {
			if !eof {
				return 0, false
			}
			after = i
			break
		}
		if data[i] == '\n' {
			after = i + 1
			break
		}
		if !isSpace(data[i]) {
			break
		}
	}
	l.following = false
	if after > 0 {
		l.spans = append(l.spans, Span{Start: start, End: end})
	}
	return after, true
}

// linelike reports whether the lines of a damaged text look like documents
// rather than parts of documents.
func linelike(data []byte, eof bool) bool {
	documents, others := 0, 0
	for len(data) > 0 {
		line, rest, found := bytes.Cut(data, []byte{'\n'})
		if !found && !eof {
			break
		}
		data = rest
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		// In a document of several lines, members follow a brace and a comma follows
		// a member's value.
		last := line[len(line)-1]
		switch {
		case bytes.IndexByte([]byte("[]}"), line[0]) >= 0, bytes.IndexByte([]byte(",{[]"), last) >= 0:
			others += 2
		case line[0] == '{':
			documents++
		default:
			others++
		}
	}
	return documents > 0 && documents >= others
}

// bracketed reports whether the first and the last line are the brackets of an
// array.
func bracketed(text []byte) bool {
	text = bytes.TrimSpace(text)
	first, _, _ := bytes.Cut(text, []byte{'\n'})
	return string(bytes.TrimSpace(first)) == "[" && string(bytes.TrimSpace(text[bytes.LastIndexByte(text, '\n')+1:])) == "]"
}

// captioned reports whether text has lines that name the documents below them,
// such as "Post documents:". Recovery needs them together with those documents.
func captioned(text []byte) bool {
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if bytes.HasSuffix(line, []byte{':'}) && line[0] != '{' && line[0] != '"' {
			return true
		}
	}
	return false
}
