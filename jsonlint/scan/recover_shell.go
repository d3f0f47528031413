package scan

import "bytes"

// sawShell notes a value in mongo shell syntax. The document gets one
// diagnostic for all of them.
func (r *recovery) sawShell(start, end int) {
	if r.shell[1] == 0 {
		r.shell = [2]int{start, end}
	}
}

// shellKind returns the kind of value that a shell function makes, or Invalid
// for other functions. Null stands for a shell value without a kind of its own
// here.
func shellKind(name []byte) Kind {
	switch string(name) {
	case "ObjectId", "ObjectID":
		return ObjectID
	case "ISODate", "Date":
		return Date
	case "NumberLong", "NumberInt", "NumberDouble", "Long", "Int32", "Double", "Long.fromString", "Number":
		return Number
	case "NumberDecimal", "Decimal128", "Decimal128.fromString":
		return Decimal
	case "UUID", "LUUID", "CSUUID", "JUUID", "PYUUID", "BinData", "HexData", "MD5", "Binary", "Binary.createFromBase64":
		return Binary
	case "Timestamp":
		return Timestamp
	case "MinKey", "MaxKey", "RegExp", "BSONRegExp":
		return Special
	case "Symbol", "BSONSymbol", "Code":
		return String
	case "DBRef", "DBPointer":
		return Null
	}
	return Invalid
}

func isShellName(name []byte) bool { return shellKind(name) != Invalid }

// shellValue reads a value such as ObjectId("…"), new Date(…) or /regex/ at
// r.i, if there is one.
func (r *recovery) shellValue() (Token, bool) {
	start := r.i
	if r.src[start] == '/' {
		return r.regex()
	}
	i := start
	if bytes.HasPrefix(r.src[i:], []byte("new ")) {
		i = skipSpace(r.src, i+len("new "))
	}
	end := r.word(i)
	kind := shellKind(r.src[i:end])
	if kind == Invalid || end >= len(r.src) || r.src[end] != '(' {
		return Token{}, false
	}
	stop := r.closingParen(end + 1)
	if stop < 0 {
		return Token{}, false
	}
	t := Token{Start: uint32(start), End: uint32(stop + 1), Kind: kind, Flags: Wrapped}
	a, b := r.argument(end+1, stop, kind == Binary)
	t.A, t.B = uint32(a), uint32(b)
	if !shellPayload(&t, r.src[a:b], r.src[i:end]) {
		t.Kind, t.Flags, t.A, t.B = Null, Opaque, t.Start, t.End
	}
	r.i = stop + 1
	r.sawShell(start, r.i)
	return t, true
}

// shellPayload checks that the text suits the kind of t.
func shellPayload(t *Token, text, name []byte) bool {
	if bytes.IndexByte(text, '\\') >= 0 {
		t.Flags |= Escaped
	}
	switch t.Kind {
	case ObjectID:
		return len(text) == 24 && allHex(text)
	case Date:
		return isISODate(text) || isInteger(text)
	case Number, Decimal:
		finite, ok := isDecimal(text)
		if ok && (!finite || !isInteger(text)) {
			t.Flags |= Float
		}
		return ok
	case Null:
		return false
	case Special:
		if string(name) == "MinKey" || string(name) == "MaxKey" {
			t.A, t.B = t.Start, t.End
		}
	}
	return true
}

// closingParen returns the offset of the parenthesis that ends the arguments at
// src[i] on the same line, or -1.
func (r *recovery) closingParen(i int) int {
	if i < r.noParen {
		return -1
	}
	var quote byte
	depth := 0 // as in DBRef("books", NumberInt(1))
	for ; i < len(r.src) && r.src[i] != '\n'; i++ {
		switch c := r.src[i]; {
		case c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '(':
			depth++
		case c == ')' && depth == 0:
			return i
		case c == ')':
			depth--
		}
	}
	r.noParen = i
	return -1
}

// argument returns the range of the argument in src[i:end] that matters. For a
// binary that is the last one, which holds the data; for a timestamp, both
// together.
func (r *recovery) argument(i, end int, last bool) (int, int) {
	if last {
		if n := bytes.LastIndexByte(r.src[i:end], ','); n >= 0 {
			i += n + 1
		}
	}
	for i < end && r.src[i] == ' ' {
		i++
	}
	for i < end && r.src[end-1] == ' ' {
		end--
	}
	if i < end && (r.src[i] == '"' || r.src[i] == '\'') {
		if n := bytes.IndexByte(r.src[i+1:end], r.src[i]); n >= 0 {
			return i + 1, i + 1 + n
		}
	}
	return i, end
}

// regex reads a regular expression between slashes at r.i.
func (r *recovery) regex() (Token, bool) {
	start := r.i
	for i := start + 1; i < len(r.src) && r.src[i] != '\n'; i++ {
		switch r.src[i] {
		case '\\':
			i++
		case '/':
			end := i + 1
			for end < len(r.src) && 'a' <= r.src[end] && r.src[end] <= 'z' {
				end++
			}
			r.i = end
			r.sawShell(start, end)
			return Token{uint32(start), uint32(end), uint32(start + 1), uint32(i), Special, Wrapped}, true
		}
	}
	return Token{}, false
}
