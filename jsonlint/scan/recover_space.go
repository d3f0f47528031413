package scan

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// space skips white space, comments, and characters used as white space.
func (r *recovery) space() {
	for r.i < len(r.src) {
		r.i = skipSpace(r.src, r.i)
		if r.i >= len(r.src) || !r.comment() && !r.oddSpace() {
			return
		}
	}
}

// comment skips a comment, if there is one. A comment of only dots means that
// something is left out.
func (r *recovery) comment() bool {
	start, end := r.i, 0
	rest := r.src[start:]
	text := rest
	switch {
	case bytes.HasPrefix(rest, []byte("/*")):
		n := bytes.Index(rest[2:], []byte("*/"))
		if n < 0 {
			r.i = len(r.src)
			r.endsInside("a comment", start)
			return true
		}
		text, end = rest[2:2+n], start+2+n+2
	case bytes.HasPrefix(rest, []byte("//")), rest[0] == '#' && r.inside():
		n := bytes.IndexByte(rest, '\n')
		if n < 0 {
			n = len(rest)
		}
		text, end = rest[:n], start+n
	default:
		return false
	}
	r.i = end
	text = bytes.Trim(text, "/# \t\r\n")
	if n := elision(text); n > 0 && n == len(text) {
		r.elided = true
		r.say(CodeElision, start, end, "a comment stands for something left out, which JSON cannot express", "").guess(start, end, "")
	} else if !r.JSON5 {
		r.say(CodeComment, start, end, "JSON has no comments", "delete the comment").guess(start, end, "")
	}
	return true
}

// inside reports whether r.i is in a document or an array of documents, rather
// than where a line of text may be a heading.
func (r *recovery) inside() bool { return r.rep == &r.doc || len(r.arrays) > 0 }

// oddSpace skips a run of invisible characters that are not JSON white space.
func (r *recovery) oddSpace() bool {
	start, control := r.i, false
	for r.i < len(r.src) {
		c, n := utf8.DecodeRune(r.src[r.i:])
		switch {
		case c < ' ' && c != '\n' && c != '\t' && c != '\r' || c == 0x7F:
			control = true
		case c == '\uFEFF', c >= 0x80 && unicode.IsSpace(c), c >= 0x200B && c <= 0x200D, c == 0x2060:
		default:
			n = 0
		}
		if n == 0 {
			break
		}
		r.i += n
	}
	if r.i == start {
		return false
	}
	if control {
		r.say(CodeControl, start, r.i, "there are control characters between values: "+describe(r.src, start), "delete them").mend(start, r.i, "")
	} else if !r.JSON5 {
		r.say(CodeSpace, start, r.i, "JSON does not allow this white space: "+describe(r.src, start), "write a space").mend(start, r.i, " ")
	}
	return true
}

// elision returns the length of the dots at the beginning of text that stand
// for something left out, or 0.
func elision(text []byte) int {
	n, found := 0, false
	for n < len(text) {
		switch {
		case bytes.HasPrefix(text[n:], []byte("…")):
			n, found = n+len("…"), true
		case bytes.HasPrefix(text[n:], []byte("...")):
			n, found = n+3, true
		case text[n] == '.' && found:
			n++
		default:
			return n
		}
	}
	return n
}

// endsInside reports that the text ends before something opened is closed.
func (r *recovery) endsInside(what string, opened int) {
	end := len(bytes.TrimRightFunc(r.src, unicode.IsSpace))
	d := r.say(CodeCutOff, end, len(r.src), "the text ends inside "+what, "the text is cut off, or a closing bracket or quote is missing")
	d.Opened = opened
	r.saidCutOff = true
}
