package scan

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

func isLiteral(word []byte) bool {
	switch string(word) {
	case "true", "false", "null":
		return true
	}
	return false
}

func isStrictNumber(word []byte) bool {
	if len(word) == 0 || word[0] != '-' && !isDigit(word[0]) {
		return false
	}
	end, _, err := scanNumber(word, 0)
	return err == nil && end == len(word)
}

// nameLen returns the length of the text's prefix that can be an unquoted name.
func nameLen(text []byte) int {
	n := 0
	for n < len(text) {
		c, size := rune(text[n]), 1
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRune(text[n:])
		}
		if !isWord(c) && (c >= utf8.RuneSelf || bytes.IndexByte([]byte("$-.@"), byte(c)) < 0) {
			break
		}
		n += size
	}
	if elision(text[:n]) > 0 {
		return 0
	}
	return n
}

// word returns the offset after the word at src[i].
func (r *recovery) word(i int) int {
	for i < len(r.src) && r.src[i] > ' ' && bytes.IndexByte([]byte(`,:;(){}[]"'`), r.src[i]) < 0 {
		i++
	}
	return i
}

// runEnd returns the offset after the run of text at src[i], where the next
// item can begin. The run has at least one character and stays on the line.
func (r *recovery) runEnd(i int) int {
	start, depth := i, 0
	for ; i < len(r.src) && r.src[i] != '\n'; i++ {
		switch c := r.src[i]; c {
		case '(', '[', '{':
			depth++
			continue
		case ')', ']', '}':
			if depth > 0 {
				depth--
				continue
			}
			if c == ')' {
				continue
			}
		case ',', '"':
			if depth > 0 {
				continue
			}
		default:
			continue
		}
		break
	}
	if i == start && i < len(r.src) {
		_, n := utf8.DecodeRune(r.src[i:])
		return i + n
	}
	for i > start+1 && (r.src[i-1] == ' ' || r.src[i-1] == '\t' || r.src[i-1] == '\r') {
		i--
	}
	return i
}

// beginsValue reports whether a readable value begins at src[i].
func (r *recovery) beginsValue(i int) bool {
	switch c := r.src[i]; {
	case c == '{', c == '[', c == '"', c == '\'':
		return true
	}
	end := r.word(i)
	word := r.src[i:end]
	if end < len(r.src) && r.src[end] == '(' {
		return len(word) > 0 && isShellName(word)
	}
	kind, _, _ := classify(word)
	return kind != Invalid
}

// classify returns the kind of an unquoted scalar, the code of its diagnostic,
// and its JSON form if it has one. The kind is Invalid if the word is not a
// scalar.
func classify(word []byte) (kind Kind, code, mended string) {
	switch string(word) {
	case "null":
		return Null, "", ""
	case "true":
		return True, "", ""
	case "false":
		return False, "", ""
	case "None", "undefined", "nil":
		return Null, CodeLiteral, "null"
	case "MinKey", "MaxKey":
		return Special, CodeMongoShell, ""
	}
	if len(word) == 0 {
		return Invalid, "", ""
	}
	switch lower(string(word[:min(len(word), 10)])) {
	case "null":
		return Null, CodeLiteral, "null"
	case "true":
		return True, CodeLiteral, "true"
	case "false":
		return False, CodeLiteral, "false"
	case "nan", "-nan", "+nan", "infinity", "-infinity", "+infinity", "inf", "-inf", "+inf":
		return Number, CodeNotFinite, ""
	}
	if isStrictNumber(word) {
		return Number, "", ""
	}
	if isHexNumber(word) {
		return Null, CodeNumber, ""
	}
	if finite, ok := isDecimal(word); ok && finite {
		return Number, CodeNumber, jsonNumber(word)
	}
	return Invalid, "", ""
}

func isHexNumber(word []byte) bool {
	word = bytes.TrimLeft(word, "+-")
	return len(word) > 2 && word[0] == '0' && word[1]|0x20 == 'x' && allHex(word[2:])
}

// bare reads the unquoted scalar that begins at r.i.
func (r *recovery) bare() Token {
	start := r.i
	if n := r.lateQuote(); n > 0 {
		r.say(CodeMissingQuote, start, start+n+1, "the string "+excerpt(r.src[start:start+n])+" has no opening quote", `insert "`).guess(start, start, `"`)
		r.i = start + n + 1
		return Token{uint32(start), uint32(r.i), uint32(start), uint32(r.i - 1), String, 0}
	}
	if t, ok := r.shellValue(); ok {
		return t
	}
	end := r.word(start)
	word := r.src[start:end]
	kind, code, mended := classify(word)
	if kind == Invalid || !r.endsScalar(end) {
		return r.opaque()
	}
	r.i = end
	t := Token{uint32(start), uint32(end), uint32(start), uint32(end), kind, 0}
	if word[0] == '+' {
		t.A++
	}
	switch kind {
	case Null:
		if code == CodeNumber {
			t.Flags = Opaque
		}
	case Number:
		if code == CodeNotFinite || bytes.ContainsAny(word, ".eE") {
			t.Flags = Float
		}
	}
	r.sayScalar(code, mended, start, end)
	return t
}

// lateQuote returns the length of a text at r.i that lacks its opening quote
// but has a closing quote and the end of a value after it, or 0.
func (r *recovery) lateQuote() int {
	const most = 4096
	q := r.quoteAfter(double, r.i)
	if q <= r.i || q-r.i > most || bytes.ContainsAny(r.src[r.i:q], "\n{[(\\") {
		return 0
	}
	after := q + 1
	for after < len(r.src) && (r.src[after] == ' ' || r.src[after] == '\t' || r.src[after] == '\r') {
		after++
	}
	if after < len(r.src) && bytes.IndexByte([]byte("\n,}]"), r.src[after]) < 0 {
		return 0
	}
	return q - r.i
}

func (r *recovery) sayScalar(code, mended string, start, end int) {
	word := excerpt(r.src[start:end])
	switch code {
	case CodeMongoShell:
		r.sawShell(start, end)
	case CodeLiteral:
		r.say(code, start, end, word+" is written "+mended+" in JSON", "write "+mended).mend(start, end, mended)
	case CodeNotFinite:
		if !r.JSON5 {
			r.say(code, start, end, "JSON has no number "+word, `write null, or {"$numberDouble": "NaN"} where Extended JSON is read`).guess(start, end, "null")
		}
	case CodeNumber:
		if r.JSON5 {
			return
		}
		d := r.say(code, start, end, word+" is not a number in JSON", "write it in decimal, without a leading zero or plus sign")
		if mended != "" {
			d.guess(start, end, mended)
			d.Safe = !leadingZero(r.src[start:end])
			d.Hint = "write " + mended
		}
	}
}

// endsScalar reports whether a scalar can end before src[i:]: the rest of the
// line does not continue it.
func (r *recovery) endsScalar(i int) bool {
	for i < len(r.src) && (r.src[i] == ' ' || r.src[i] == '\t' || r.src[i] == '\r') {
		i++
	}
	if i == len(r.src) || r.src[i] < ' ' {
		return true
	}
	switch r.src[i] {
	case ',', '}', ']', '"', '{', '[', ':', ';', '#', '\'', '`':
		return true
	case '/':
		return i+1 < len(r.src) && (r.src[i+1] == '/' || r.src[i+1] == '*')
	}
	if elision(r.src[i:]) > 0 || curlyQuote(r.src, i) || r.open == none {
		return true
	}
	c, _ := utf8.DecodeRune(r.src[i:])
	if unicode.IsSpace(c) || c == '\uFEFF' {
		return true
	}
	if !r.inObject() {
		return r.beginsValue(i)
	}
	n := nameLen(r.src[i:])
	i = skipSpace(r.src, i+n)
	return n > 0 && i < len(r.src) && r.src[i] == ':'
}

// opaque consumes a scalar that cannot be read.
func (r *recovery) opaque() Token {
	start := r.i
	r.i = r.runEnd(start)
	r.say(CodeOpaqueValue, start, r.i, excerpt(r.src[start:r.i])+" is not a JSON value", "write a value; text goes in double quotes")
	if r.open != none && r.inObject() {
		r.damage++
	}
	return Token{uint32(start), uint32(r.i), uint32(start), uint32(r.i), Null, Opaque}
}

func leadingZero(word []byte) bool {
	word = bytes.TrimLeft(word, "+-")
	return len(word) > 1 && word[0] == '0' && isDigit(word[1])
}

// jsonNumber writes a decimal number as JSON does.
func jsonNumber(word []byte) string {
	sign := ""
	if word[0] == '-' {
		sign = "-"
	}
	word = bytes.TrimLeft(word, "+-")
	end := 0
	for end < len(word) && isDigit(word[end]) {
		end++
	}
	whole, rest := bytes.TrimLeft(word[:end], "0"), word[end:]
	if len(whole) == 0 {
		whole = []byte("0")
	}
	if len(rest) > 0 && rest[0] == '.' && (len(rest) == 1 || !isDigit(rest[1])) {
		rest = append([]byte(".0"), rest[1:]...)
	}
	return sign + string(whole) + string(rest)
}
