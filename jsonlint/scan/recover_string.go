package scan

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// A quoteKind is a kind of quotation mark around strings.
type quoteKind uint8

const (
	noQuote quoteKind = iota
	double
	single
	backtick
	curly // “…”, as word processors write it
)

func (k quoteKind) ends(c byte) bool {
	switch k {
	case double:
		return c == '"'
	case single:
		return c == '\''
	case backtick:
		return c == '`'
	}
	return false
}

// quoteKind returns the kind of the quote at r.i.
func (r *recovery) quoteKind() quoteKind {
	switch r.src[r.i] {
	case '"':
		return double
	case '\'':
		return single
	case '`':
		return backtick
	case "“"[0]:
		if curlyQuote(r.src, r.i) {
			return curly
		}
	}
	return noQuote
}

const curlyLen = len("“")

func curlyQuote(src []byte, i int) bool {
	if len(src)-i < curlyLen {
		return false
	}
	switch string(src[i : i+curlyLen]) {
	case "“", "”", "„", "‟":
		return true
	}
	return false
}

// text is a string being read.
type text struct {
	name  bool // the string is a member's name
	kind  quoteKind
	start int // offset of its quote
	body  int // offset of its text
	flags Flags

	ascii   bool
	control bool // a control character has been reported
	inner   bool // a quote inside has been reported
}

// str reads the string at r.i; ok is false if the text ends inside it.
func (r *recovery) str(name bool) (tok Token, ok bool) {
	t := text{name: name, kind: r.quoteKind(), start: r.i, body: r.i + 1, ascii: true}
	if t.kind == curly {
		t.body = r.i + curlyLen
	}
	for j := t.body; ; {
		if t.kind == double {
			j = r.skipPlain(&t, j)
		}
		if j >= len(r.src) {
			return r.unclosed(&t, j)
		}
		switch c := r.src[j]; {
		case t.kind.ends(c):
			if tok, done := r.quote(&t, j, 1); done {
				return tok, true
			}
			j++
		case t.kind == curly && (c == '"' || curlyQuote(r.src, j)):
			n := 1
			if c != '"' {
				n = curlyLen
			}
			if tok, done := r.quote(&t, j, n); done {
				return tok, true
			}
			j += n
		case c == '\\':
			j = r.escape(&t, j)
		case c == '\n' || c == '\r' && j+1 < len(r.src) && r.src[j+1] == '\n':
			if !r.continues(&t, j) {
				return r.unclosed(&t, j)
			}
			j = r.control(&t, j)
		case c < ' ':
			j = r.control(&t, j)
		default:
			t.ascii = t.ascii && c < utf8.RuneSelf
			j++
		}
	}
}

// skipPlain skips characters of a double-quoted string that need no attention.
func (r *recovery) skipPlain(t *text, j int) int {
	for len(r.src)-j >= 8 {
		w := binary.LittleEndian.Uint64(r.src[j:])
		t.ascii = t.ascii && w&highs == 0
		if m := stops(w); m != 0 {
			return j + bits.TrailingZeros64(m)>>3
		}
		j += 8
	}
	return j
}

// finish returns the token of the string whose text ends at end. Reading
// continues at r.i.
func (r *recovery) finish(t *text, end, after int) Token {
	r.i = after
	if !t.ascii && !utf8.Valid(r.src[t.body:end]) {
		bad := invalidUTF8(r.src, t.body, end).Offset
		r.say(CodeInvalidUTF8, bad, bad+1, "a string contains "+describe(r.src, bad), "save the text as UTF-8")
	}
	return Token{uint32(t.start), uint32(after), uint32(t.body), uint32(end), String, t.flags}
}

// quote decides whether the quote at src[j:j+n] ends the string, begins the
// next one, or is part of the text.
func (r *recovery) quote(t *text, j, n int) (tok Token, done bool) {
	if r.canEnd(t, j+n) && !r.opensNext(t, j, n) {
		r.style(t, j, j+n)
		return r.finish(t, j, j+n), true
	}
	if tok, ok := r.split(t, j); ok {
		return tok, true
	}
	if t.kind == curly || !r.endsLater(t, j) && !r.runsOn(t, j) {
		r.style(t, j, j+n)
		return r.finish(t, j, j+n), true
	}
	if !t.inner {
		t.inner = true
		if t.kind == double {
			r.say(CodeUnescapedQuote, j, j+1, "a quote inside a string is not escaped", "write a backslash before it").guess(j, j, `\`)
		} else {
			r.say(CodeUnescapedQuote, j, j+1, "a quote inside a string is not escaped", "put the string into double quotes")
		}
	}
	return tok, false
}

// style reports a string in quotes other than double quotes.
func (r *recovery) style(t *text, end, after int) {
	if t.kind == double || r.JSON5 && t.kind != curly {
		return
	}
	body := r.src[t.body:end]
	d := r.say(CodeSingleQuotes, t.start, after, "a string is in "+string(r.src[t.start:t.body])+" quotes", "write double quotes")
	if len(body) < 200 && !bytes.ContainsAny(body, "\"\\\n\r\t") {
		d.mend(t.start, after, `"`+string(body)+`"`)
	}
}

// canEnd reports whether what follows allows a string to end before src[k:].
func (r *recovery) canEnd(t *text, k int) bool {
	p := k
	for p < len(r.src) && (r.src[p] == ' ' || r.src[p] == '\t' || r.src[p] == '\r') {
		p++
	}
	if p == len(r.src) {
		return true
	}
	switch r.src[p] {
	case '\n':
		return !r.runsOn(t, p)
	case ',', '}', ']', ':', ';', '"', '\'', '{', '[', '/', '#':
		return true
	case '=':
		return t.name
	}
	if t.name && r.colonAfter(t.body) >= k && colonSoon(r.src[p:]) > 0 {
		return true
	}
	if p == k {
		return r.src[p] < ' ' // a control character between values
	}
	if elision(r.src[p:]) > 0 {
		return true
	}
	// After a space, a name may lack its colon and a value its comma.
	if t.name {
		return true
	}
	if n := nameLen(r.src[p:]); n > 0 {
		q := skipSpace(r.src, p+n)
		if q < len(r.src) && r.src[q] == ':' {
			return true
		}
	}
	return !r.inObject() && r.beginsValue(p) || curlyQuote(r.src, p)
}

// colonAfter returns the offset of the next colon in src[i:].
func (r *recovery) colonAfter(i int) int {
	if i < r.colonFrom || i > r.colonAt {
		r.colonFrom, r.colonAt = i, len(r.src)
		if n := bytes.IndexByte(r.src[i:], ':'); n >= 0 {
			r.colonAt = i + n
		}
	}
	return r.colonAt
}

// opensNext reports whether the quote at src[j:j+n], which another quote
// follows directly, opens the next string because this one lacks its closing
// quote: {"email: "", …}, ["b1, "", …].
func (r *recovery) opensNext(t *text, j, n int) bool {
	if j+n >= len(r.src) || !t.kind.ends(r.src[j+n]) {
		return false
	}
	body := bytes.TrimRight(r.src[t.body:j], " \t")
	last := byte(',')
	if t.name {
		last = ':'
	}
	return len(body) > 1 && len(body) < j-t.body && body[len(body)-1] == last
}

// split ends the string before a colon or comma inside it if its closing quote
// seems to be forgotten. The text must stop at end.
func (r *recovery) split(t *text, end int) (Token, bool) {
	body := r.src[t.body:end]
	at := -1
	if t.inner {
		return Token{}, false
	}
	if t.name {
		at = bytes.IndexByte(body, ':')
		if at > 0 && nameLen(body) < len(bytes.TrimRight(body[:at], " \t")) {
			at = -1
		}
	} else if trimmed := bytes.TrimRight(body, " \t"); bytes.HasSuffix(trimmed, []byte(",")) {
		at = len(trimmed) - 1
	}
	if at <= 0 {
		return Token{}, false
	}
	return r.missingQuote(t, t.body+len(bytes.TrimRight(body[:at], " \t"))), true
}

func (r *recovery) missingQuote(t *text, end int) Token {
	what := "the string "
	if t.name {
		what = "the name "
	}
	quote := string(r.src[t.start:t.body])
	if t.kind == curly {
		quote = "”"
	}
	d := r.say(CodeMissingQuote, t.start, end, what+excerpt(r.src[t.body:end])+" has no closing quote", "insert "+quote)
	d.Opened = t.start
	d.guess(end, end, quote)
	return r.finish(t, end, end)
}

// endsLater reports whether a quote after j on the same line can end the
// string.
func (r *recovery) endsLater(t *text, j int) bool {
	known := &r.aheadOf[t.kind]
	if j < known.goodEnd {
		return true
	}
	if j < known.noEnd {
		return false
	}
	for k := j + 1; ; k++ {
		if k >= len(r.src) || r.src[k] == '\n' {
			known.noEnd = k
			return false
		}
		if r.src[k] == '\\' {
			k++
		} else if t.kind.ends(r.src[k]) && r.canEnd(t, k+1) {
			known.goodEnd = k
			return true
		}
	}
}

// continues reports whether the string continues after the line break at j:
// whether the next quote can end it.
func (r *recovery) continues(t *text, j int) bool {
	if t.name || t.kind == curly {
		return false
	}
	q := r.quoteAfter(t.kind, j)
	if q < 0 {
		return false
	}
	p := q + 1
	for p < len(r.src) && (r.src[p] == ' ' || r.src[p] == '\t' || r.src[p] == '\r') {
		p++
	}
	return p == len(r.src) || bytes.IndexByte([]byte("\n,}]"), r.src[p]) >= 0 || r.prose(t, j)
}

// runsOn reports whether a string of several lines continues in the line after src[j].
func (r *recovery) runsOn(t *text, j int) bool {
	if !t.control || t.name {
		return false
	}
	end := bytes.IndexByte(r.src[j:], '\n')
	return end >= 0 && r.prose(t, j+end)
}

// prose reports whether the next line with text is not JSON but continues the
// string. It begins with a word that is not a name; if the string already has several
// lines, the word may look like one.
func (r *recovery) prose(t *text, j int) bool {
	p := skipSpace(r.src, j)
	c, _ := utf8.DecodeRune(r.src[p:])
	if !unicode.IsLetter(c) || r.quoteAfter(t.kind, p) < 0 {
		return false
	}
	n := nameLen(r.src[p:])
	switch string(r.src[p : p+n]) {
	case "true", "false", "null":
		return false
	}
	after := skipSpace(r.src, p+n)
	return t.control || after < len(r.src) && r.src[after] != ':'
}

// quoteAfter returns the offset of the next quote after src[j] without a
// backslash before it, or -1.
func (r *recovery) quoteAfter(kind quoteKind, j int) int {
	known := &r.aheadOf[kind]
	if known.known && known.from <= j && (known.quote < 0 || j <= known.quote) {
		return known.quote
	}
	known.from, known.quote, known.known = j, -1, true
	for k := j; k < len(r.src); k++ {
		if r.src[k] == '\\' {
			k++
		} else if kind.ends(r.src[k]) {
			known.quote = k
			break
		}
	}
	return known.quote
}

// unclosed ends the string at j, where the line or the text ends.
func (r *recovery) unclosed(t *text, j int) (Token, bool) {
	if t.name {
		if tok, ok := r.split(t, j); ok {
			return tok, true
		}
	}
	line := bytes.TrimRight(r.src[t.body:j], " \t\r")
	// Commas and closing brackets at the end of the line are unlikely to be text.
	rest := bytes.TrimRight(line, " \t,]}")
	if tail := bytes.TrimLeft(line[len(rest):], " \t"); len(tail) > 0 && tail[0] != ',' && r.open != none {
		if (tail[0] == '}') != r.inObject() {
			rest = bytes.TrimRight(line, " \t,")
		}
	}
	if len(rest) == len(line) && skipSpace(r.src, j) == len(r.src) || t.name && j == len(r.src) {
		r.i = len(r.src)
		r.endsInside("a string", t.start)
		return Token{}, false
	}
	return r.missingQuote(t, t.body+len(rest)), true
}

// escape checks the escape at j and returns the offset after it.
func (r *recovery) escape(t *text, j int) int {
	t.flags |= Escaped
	if n := escapeLen(r.src, j); n > 0 {
		return j + n
	}
	if j+1 >= len(r.src) {
		return j + 1
	}
	_, n := utf8.DecodeRune(r.src[j+1:])
	end := j + 1 + n
	switch c := r.src[j+1]; {
	case c < ' ':
		end = j + 1
		r.say(CodeBadEscape, j, end, "a line of a string ends in a backslash", "delete it").guess(j, end, "")
	case c == '\'':
		if !r.JSON5 || t.kind == double {
			r.say(CodeBadEscape, j, end, `\' is not an escape in JSON`, "delete the backslash").mend(j, j+1, "")
		}
	case c == 'u':
		r.say(CodeBadEscape, j, end, `\u is not followed by four hexadecimal digits`, "write the digits, or two backslashes").guess(j, j, `\`)
	case c >= utf8.RuneSelf:
		t.ascii = false
		fallthrough
	default:
		r.say(CodeBadEscape, j, end, excerpt(r.src[j:end])+" is not an escape in JSON", "write two backslashes, or none").guess(j, j, `\`)
	}
	return end
}

// control reports the control characters at j and returns the offset after
// them.
func (r *recovery) control(t *text, j int) int {
	end := j
	for end < len(r.src) && r.src[end] < ' ' && (end == j || r.src[end] != '\n') {
		end++
	}
	if t.control {
		return end
	}
	t.control = true
	d := r.say(CodeControl, j, end, describe(r.src, j)+" must be escaped in a string", "write it as an escape")
	if end-j <= 8 {
		var escaped []byte
		for _, c := range r.src[j:end] {
			switch c {
			case '\n':
				escaped = append(escaped, `\n`...)
			case '\r':
				escaped = append(escaped, `\r`...)
			case '\t':
				escaped = append(escaped, `\t`...)
			default:
				escaped = append(escaped, `\u00`...)
				if c < 0x10 {
					escaped = append(escaped, '0')
				}
				escaped = strconv.AppendInt(escaped, int64(c), 16)
			}
		}
		d.mend(j, end, string(escaped))
	}
	return end
}
