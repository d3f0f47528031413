package scan

import (
	"bytes"
	"fmt"
)

// state is what the tolerant parser expects next.
type state uint8

const (
	wantName  state = iota // a member's name, or the end of the object
	wantColon              // the colon after a name
	wantValue              // a member's value, an element, or the end of the array
	wantNext               // a comma, or the end of the container
	finished               // the document is complete
	cutOff                 // the text ends inside the document
	hopeless               // the meaning of the text cannot be determined
)

func (r *recovery) step(s state) state {
	if r.space(); r.elided {
		r.elided = false
		r.leftOut()
		if s == wantNext {
			s = r.wantItem()
		}
	}
	if r.damage > 10 && r.damage*3 > len(r.toks) {
		return hopeless
	}
	if r.i >= len(r.src) {
		return r.endOfText()
	}
	switch s {
	case wantName:
		return r.name()
	case wantColon:
		return r.colon()
	case wantValue:
		return r.value()
	default:
		return r.next()
	}
}

func (r *recovery) endOfText() state {
	if !r.saidCutOff {
		what := "an array"
		if r.inObject() {
			what = "an object"
		}
		r.endsInside(what, int(r.toks[r.open].Start))
	}
	return cutOff
}

func (r *recovery) inObject() bool { return r.open != none && r.toks[r.open].Kind == Object }

// wantItem returns the state in which the open container expects its next item.
func (r *recovery) wantItem() state {
	if r.inObject() {
		return wantName
	}
	return wantValue
}

// leftOut records that the author left out items of the open container.
func (r *recovery) leftOut() {
	if r.open != none {
		r.toks[r.open].Flags |= Elided
	}
	r.pending = -1
}

// dots reads an elision in place of items, and its comma. The edit removes
// both, so that the items around them stay separated.
func (r *recovery) dots(n int) state {
	d := r.say(CodeElision, r.i, r.i+n, excerpt(r.src[r.i:r.i+n])+" stands for something left out, which JSON cannot express",
		"write out what is left out, or delete this")
	d.Edit = r.withoutDots(n, r.pending, r.toks[r.open].B > 0)
	r.i += n
	r.leftOut()
	r.skipComma()
	return r.wantItem()
}

// withoutDots returns the edit that removes the n bytes of dots at r.i and
// their comma. pending is the offset of the comma before them, or -1; items
// reports whether an item precedes them.
func (r *recovery) withoutDots(n, pending int, items bool) *Edit {
	edit := &Edit{Start: r.i, End: r.i + n}
	next := skipSpace(r.src, edit.End)
	if next == len(r.src) {
		return edit
	}
	switch c := r.src[next]; {
	case c == ',':
		edit.End = next + 1
	case c == '}' || c == ']':
		if pending >= 0 {
			edit.Start = pending
		}
	case pending < 0 && items:
		edit.Text = ","
	}
	return edit
}

// skipComma skips the comma of something left out.
func (r *recovery) skipComma() {
	if r.space(); r.i < len(r.src) && r.src[r.i] == ',' {
		r.i++
	}
}

// put appends a scalar whose token lies before r.i.
func (r *recovery) put(t Token) state {
	r.toks = append(r.toks, t)
	r.last, r.pending = int(t.End), -1
	if r.open == none {
		return finished
	}
	if r.lastText = -1; t.Kind == String && t.Flags&Wrapped == 0 {
		r.lastText = len(r.toks) - 1
	}
	r.toks[r.open].B++
	return wantNext
}

// push opens the container that begins at r.i.
func (r *recovery) push(kind Kind) state {
	if r.depth >= r.maxDepth {
		r.say(CodeTooDeep, r.i, r.i+1, fmt.Sprintf("arrays and objects are nested deeper than %d levels", r.maxDepth), "")
		return hopeless
	}
	r.depth++
	r.nested[kind-Object]++
	r.toks = append(r.toks, Token{Start: uint32(r.i), A: r.open, Kind: kind})
	r.open = uint32(len(r.toks) - 1)
	r.i++
	r.last, r.pending = r.i, -1
	return r.wantItem()
}

// pop closes the open container at offset end.
func (r *recovery) pop(end int) state {
	at := r.open
	t := &r.toks[at]
	up := t.A
	t.End, t.A = uint32(end), uint32(len(r.toks))
	r.nested[t.Kind-Object]--
	r.depth--
	if t.Kind == Object && t.Flags == 0 && dollar(r.src, r.toks, at) {
		var ok bool
		if r.toks, ok = collapse(r.src, r.toks, at); !ok && up != none {
			r.strict.notWrapped(r.src, r.toks, at)
		}
	}
	r.last, r.pending, r.lastText = end, -1, -1
	if r.open = up; up == none {
		return finished
	}
	r.toks[up].B++
	return wantNext
}

// closer reads the closing bracket at r.i in state s.
func (r *recovery) closer(s state) state {
	c, kind := r.src[r.i], Object
	if c == ']' {
		kind = Array
	}
	switch {
	case r.toks[r.open].Kind == kind && r.toks[r.open].A == none && r.membersFollow(r.i+1):
		// one closing bracket too many; the document continues
	case r.toks[r.open].Kind == kind:
		r.trailingComma(r.pending)
		r.i++
		return r.pop(r.i)
	case r.nested[kind-Object] > 0, kind == Array && len(r.arrays) > 0:
		return r.popUnclosed()
	}
	r.i++
	r.unbalanced(r.i - 1)
	r.damage++
	r.brackets = true
	return s
}

// membersFollow reports whether src[i:] continues like the inside of an object:
// with a comma, a name and a colon, perhaps after more closing brackets.
func (r *recovery) membersFollow(i int) bool {
	if r.follow.from <= i && i <= r.follow.to {
		return r.follow.members
	}
	p, comma := i, false
	for p < len(r.src) && (r.src[p] <= ' ' || r.src[p] == '}' || r.src[p] == ']' && len(r.arrays) == 0) {
		p++
	}
	r.follow = following{from: i, to: p}
	if p < len(r.src) && r.src[p] == ',' {
		comma = true
		p = skipSpace(r.src, p+1)
	}
	r.follow.members = (comma || bytes.IndexByte(r.src[i:p], '\n') < 0) && isMember(r.src, p)
	return r.follow.members
}

// isMember reports whether a name in double quotes and a colon begin at
// src[i].
func isMember(src []byte, i int) bool {
	if i >= len(src) || src[i] != '"' {
		return false
	}
	end, _, err := scanString(src, i+1)
	if err != nil {
		return false
	}
	end = skipSpace(src, end)
	return end < len(src) && src[end] == ':'
}

// popUnclosed closes the open container, which lacks its closing bracket.
func (r *recovery) popUnclosed() state {
	bracket, what := "]", "this array"
	if r.inObject() {
		bracket, what = "}", "this object"
	}
	start := int(r.toks[r.open].Start)
	d := r.say(CodeMissingCloser, r.last, r.last, what+" has no closing "+bracket, "insert "+bracket)
	d.Opened = start
	d.guess(r.last, r.last, bracket)
	r.brackets = true
	return r.pop(r.last)
}

func (r *recovery) name() state {
	switch c := r.src[r.i]; {
	case c == '}' || c == ']':
		return r.closer(wantName)
	case c == ',':
		r.extraComma(r.i)
		r.i++
		return wantName
	case c == '{':
		return r.objectInObject()
	case r.quoteKind() != noQuote:
		t, ok := r.str(true)
		if !ok {
			return cutOff
		}
		t.Flags |= Key
		r.toks = append(r.toks, t)
		r.last, r.pending = int(t.End), -1
		return wantColon
	}
	if n := elision(r.src[r.i:]); n > 0 {
		return r.dots(n)
	}
	if n := lateQuote(r.src[r.i:]); n > 0 {
		start, end := r.i, r.i+n
		r.say(CodeMissingQuote, start, end+1, "the name "+excerpt(r.src[start:end])+" has no opening quote", `insert "`).guess(start, start, `"`)
		r.toks = append(r.toks, Token{uint32(start), uint32(end + 1), uint32(start), uint32(end), String, Key})
		r.i, r.last, r.pending = end+1, end+1, -1
		return wantColon
	}
	if n := r.bareName(); n > 0 {
		start, end := r.i, r.i+n
		if !r.JSON5 {
			r.say(CodeUnquotedName, start, end, "the name "+excerpt(r.src[start:end])+" is not in double quotes", "put it into double quotes").
				mend(start, end, `"`+string(r.src[start:end])+`"`)
		}
		r.toks = append(r.toks, Token{uint32(start), uint32(end), uint32(start), uint32(end), String, Key})
		r.i, r.last, r.pending = end, end, -1
		return wantColon
	}
	r.junk()
	r.skipComma()
	return wantName
}

// lateQuote returns the length of a name at the beginning of text that lacks
// its opening quote but has a closing quote and a colon after it, or 0.
func lateQuote(text []byte) int {
	n := nameLen(text)
	if n == 0 || n == len(text) || text[n] != '"' {
		return 0
	}
	if after := skipSpace(text, n+1); after == len(text) || text[after] != ':' {
		return 0
	}
	return n
}

// bareName returns the length of the unquoted name at r.i, or 0 if there is
// none with a colon after it.
func (r *recovery) bareName() int {
	n := nameLen(r.src[r.i:])
	if n == 0 {
		return 0
	}
	after := r.i + n
	for after < len(r.src) && (r.src[after] == ' ' || r.src[after] == '\t') {
		after++
	}
	if after < len(r.src) && (r.src[after] == ':' || r.src[after] == '=') {
		return n
	}
	return 0
}

// objectInObject handles an opening brace where a name is expected: the object
// was never closed. Only an enclosing array, or a new line on which another
// document can begin, shows what the brace belongs to.
func (r *recovery) objectInObject() state {
	t := r.toks[r.open]
	if t.B == 0 && t.Flags&Elided == 0 ||
		r.nested[Array-Object] == 0 && len(r.arrays) == 0 && bytes.IndexByte(r.src[r.last:r.i], '\n') < 0 {
		return hopeless
	}
	return r.popUnclosed()
}

func (r *recovery) colon() state {
	start := r.i
	switch c := r.src[start]; c {
	case ':':
		r.i++
		return wantValue
	case '=':
		if r.i++; r.i < len(r.src) && (r.src[r.i] == '>' || r.src[r.i] == '=') {
			r.i++
		}
		r.say(CodeWrongSeparator, start, r.i, "a name is followed by "+excerpt(r.src[start:r.i])+" instead of a colon", "write a colon").guess(start, r.i, ":")
		return wantValue
	case ',', '}', ']':
		if colonSoon(r.src[start:]) != 1 {
			return r.noValue()
		}
	}
	if n := colonSoon(r.src[start:]); n > 0 {
		r.i += n
		r.sayJunk(start).guess(start, r.i, "")
		return wantColon
	}
	r.say(CodeMissingColon, r.last, r.last, "the colon between a name and its value is missing", "insert a colon").guess(r.last, r.last, ":")
	return wantValue
}

// colonSoon returns the number of bytes of text before a colon, if they are few
// and nothing else can begin in them, or 0.
func colonSoon(text []byte) int {
	const most = 20
	for n := 0; n < len(text) && n < most; n++ {
		switch text[n] {
		case ':':
			return n
		case '"', '\'', '\n':
			return 0
		case '{', '}', '[', ']', ',':
			if n > 0 {
				return 0
			}
		}
	}
	return 0
}

// noValue invents the value for the name before it.
func (r *recovery) noValue() state {
	k := r.toks[len(r.toks)-1]
	r.say(CodeMissingValue, int(k.Start), int(k.End), "the name "+excerpt(r.src[k.A:k.B])+" has no value", "write a value, or delete the name")
	at := uint32(max(r.last, int(k.End)))
	return r.put(Token{at, at, at, at, Null, Opaque})
}

func (r *recovery) value() state {
	switch c := r.src[r.i]; {
	case c == '{':
		return r.push(Object)
	case c == '[':
		return r.push(Array)
	case c == '}' || c == ']':
		if r.inObject() {
			r.brackets = true // the bracket itself may be wrong
			return r.noValue()
		}
		return r.closer(wantValue)
	case c == ',':
		if r.inObject() {
			return r.noValue()
		}
		r.extraComma(r.i)
		r.i++
		return wantValue
	case c == ':':
		start := r.i
		r.i++
		r.say(CodeText, start, r.i, "there is a colon where a value should be", "delete it").guess(start, r.i, "")
		r.damage++
		return wantValue
	case r.quoteKind() != noQuote:
		t, ok := r.str(false)
		if !ok {
			return cutOff
		}
		return r.put(t)
	}
	if n := elision(r.src[r.i:]); n > 0 {
		if r.open != none && !r.inObject() {
			return r.dots(n)
		}
		start := r.i
		r.say(CodeElision, start, start+n, "there is "+excerpt(r.src[start:start+n])+" where a value should be", "write a value")
		r.i += n
		if r.open != none {
			r.toks[r.open].Flags |= Elided
		}
		return r.put(Token{uint32(start), uint32(r.i), uint32(start), uint32(r.i), Null, Opaque})
	}
	return r.put(r.bare())
}

func (r *recovery) next() state {
	start := r.i
	switch c := r.src[start]; {
	case c == ',' || c == ';':
		r.i++
		if c == ';' {
			r.say(CodeWrongSeparator, start, r.i, "two items are separated by a semicolon", "write a comma").guess(start, r.i, ",")
		}
		r.pending = start
		return r.wantItem()
	case c == '}' || c == ']':
		return r.closer(wantNext)
	case c == '{' && r.inObject():
		return r.objectInObject()
	case c == ':' && r.lastText >= 0:
		return r.missingOpener()
	case c == ':' && !r.inObject():
		r.i++
		r.say(CodeWrongSeparator, start, r.i, "two elements are separated by a colon", "write a comma, or put name and value into { }").guess(start, r.i, ",")
		return wantValue
	}
	if n := elision(r.src[r.i:]); n > 0 {
		return r.dots(n)
	}
	if r.quoteKind() != noQuote || r.inObject() && (r.bareName() > 0 || lateQuote(r.src[r.i:]) > 0) || !r.inObject() && r.beginsValue(r.i) {
		what := "two elements"
		if r.inObject() {
			what = "two members"
		}
		r.say(CodeMissingComma, r.last, r.last, "the comma between "+what+" is missing", "insert a comma").guess(r.last, r.last, ",")
		return r.wantItem()
	}
	r.junk()
	return wantNext
}

// missingOpener handles a colon after a string: the string is the name of a
// member of an object that lacks its opening brace.
func (r *recovery) missingOpener() state {
	if r.depth >= r.maxDepth {
		return hopeless
	}
	at := r.lastText
	name := r.toks[at]
	r.lastText = -1
	start := int(name.Start)
	r.say(CodeMissingOpener, start, int(name.End), "the member "+excerpt(r.src[name.A:name.B])+" is not inside an object", "insert {").guess(start, start, "{")
	r.toks[r.open].B--
	r.toks[at] = Token{Start: name.Start, A: r.open, Kind: Object}
	r.open = uint32(at)
	r.nested[0]++
	r.depth++
	name.Flags |= Key
	r.toks = append(r.toks, name)
	return wantColon
}

// members reads a document that lacks its opening brace. r.i is at the name of
// its first member.
func (r *recovery) members() state {
	r.say(CodeMissingOpener, r.i, r.i, "a member is not inside an object", "insert {").guess(r.i, r.i, "{")
	r.depth++
	r.nested[0]++
	r.toks = append(r.toks, Token{Start: uint32(r.i), A: r.open, Kind: Object})
	r.open = 0
	return wantName
}

// junk skips what makes no sense here.
func (r *recovery) junk() {
	start := r.i
	r.i = r.runEnd(start)
	r.sayJunk(start)
}

// sayJunk reports that src[start:r.i] makes no sense.
func (r *recovery) sayJunk(start int) *Diagnostic {
	r.damage++
	return r.say(CodeText, start, r.i, excerpt(r.src[start:r.i])+" makes no sense here", "delete it")
}
