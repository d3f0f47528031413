package source

import "bytes"

// A feed is the answer of Azure Cosmos DB's REST interface to a query:
// {"_rid":"…","Documents":[…],"_count":n}. The members may come in any order.

// feedNames are the members of a feed other than its documents.
var feedNames = [...]string{`"_rid"`, `"_count"`}

const documentsName = `"Documents"`

// enterFeed checks whether the object at f.pos is a feed and, if so, moves to
// the start of its documents. ok is false if it needs more data.
func (f *framer) enterFeed(data []byte, eof bool) (entered, ok bool) {
	at, known := feedDocuments(data[f.pos:min(len(data), f.pos+lookahead)], eof || len(data)-f.pos >= lookahead)
	if !known {
		return false, false
	}
	if at < 0 {
		// Only a file that starts with a feed holds feeds.
		f.feeds = f.fed
		return false, true
	}
	f.flush()
	f.outer, f.arrays, f.fed = inFeed, true, true
	f.separated, f.elements = true, false
	f.pos += at
	f.column = -1
	return true, true
}

// feedDocuments returns the offset of the first document in the feed at the
// start of data, or -1 if it is not a feed.
func feedDocuments(data []byte, whole bool) (at int, known bool) {
	l := lexer{data: data, pos: 1}
	for {
		name := l.token()
		switch {
		case name == nil:
			return -1, whole
		case string(name) == documentsName:
			if !l.expect(":") || !l.expect("[") {
				return -1, whole || l.pos < len(l.data)
			}
			at = l.pos
			first := l.token()
			if first == nil {
				return -1, whole
			}
			if first[0] == '{' || first[0] == ']' {
				return at, true
			}
			return -1, true
		case !isFeedName(name):
			return -1, true
		}
		if !l.expect(":") || l.token() == nil || !l.expect(",") {
			return -1, whole || l.pos < len(l.data)
		}
	}
}

func isFeedName(name []byte) bool {
	for _, n := range feedNames {
		if string(name) == n {
			return true
		}
	}
	return false
}

// endFeed skips the members after the documents of a feed.
func (f *framer) endFeed(data []byte, eof bool) bool {
	l := lexer{data: data[:min(len(data), f.pos+lookahead)], pos: f.pos}
	for {
		token := l.token()
		switch {
		case token == nil:
			if !eof && len(data)-f.pos < lookahead {
				return false
			}
			return f.garbage()
		case string(token) == "}":
			f.outer, f.pos, f.column = atTop, l.pos, -1
			return true
		case string(token) == ",":
			name := l.token()
			if name == nil || !l.expect(":") {
				continue
			}
			f.foreign = f.foreign || !isFeedName(name)
			if value := l.token(); value != nil && bytes.ContainsAny(value, "{[") && value[0] != '"' {
				f.foreign = true
				return f.garbage()
			}
		default:
			return f.garbage()
		}
	}
}

// A lexer reads a few tokens of JSON: punctuation, strings, and runs of
// anything else.
type lexer struct {
	data []byte
	pos  int
}

// token returns the next token, or nil if the token might continue after data.
func (l *lexer) token() []byte {
	for l.pos < len(l.data) && isSpace(l.data[l.pos]) {
		l.pos++
	}
	start := l.pos
	for l.pos < len(l.data) {
		c := l.data[l.pos]
		switch {
		case c == '"' && l.pos == start:
			end, state := skipString(l.data, l.pos+1)
			if state != complete {
				l.pos = len(l.data)
				return nil
			}
			l.pos = end
			return l.data[start:end]
		case structural[c] && l.pos == start:
			l.pos++
			return l.data[start:l.pos]
		case structural[c] || isSpace(c):
			return l.data[start:l.pos]
		}
		l.pos++
	}
	return nil
}

func (l *lexer) expect(token string) bool { return string(l.token()) == token }
