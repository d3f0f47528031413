package scan

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf8"
)

var lfsPointer = []byte("version https://git-lfs.github.com/spec/")

// sequence reads everything: documents side by side, arrays of documents,
// captions, and other text.
func (r *recovery) sequence() {
	r.i = len(r.src) - len(bytes.TrimPrefix(r.src, []byte("\uFEFF")))
	if rest := bytes.TrimSpace(r.src[r.i:]); len(rest) == 0 {
		r.say(CodeEmpty, 0, len(r.src), "the text is empty", "")
		return
	} else if bytes.HasPrefix(rest, lfsPointer) {
		r.say(CodeGitLFS, 0, len(r.src), "this is a git-lfs pointer, not the file itself", "fetch the file with git lfs pull")
		return
	}
	if bom := r.src[:min(2, len(r.src))]; string(bom) == "\xFF\xFE" || string(bom) == "\xFE\xFF" {
		r.say(CodeEncoding, 0, 2, "the text is in UTF-16 and not in UTF-8", "save the text as UTF-8")
		return
	}
	for r.gap() {
		r.separated()
		switch c := r.src[r.i]; {
		case c == '{':
			r.besideArray()
			r.document()
			r.read()
		case c == '"' && isMember(r.src, r.i):
			r.besideArray()
			r.fallsApart()
			r.tolerant(r.i, (*recovery).members)
			r.read()
		case c == '[':
			r.openArray()
		case c == ']' && len(r.arrays) > 0:
			r.closeArray()
		case c == ']' || c == '}':
			r.strayClosers()
		case c == ',':
			r.topComma()
		default:
			if n := elision(r.src[r.i:]); n > 0 {
				r.leftOutDocuments(n)
				break
			}
			if len(r.arrays) > 0 {
				r.loneValue()
			} else {
				r.textLine()
			}
			continue
		}
		r.text = -1
	}
	if n := len(r.arrays); n > 0 && !r.saidCutOff {
		r.endsInside("an array of documents", r.arrays[n-1].opened)
	}
}

// fallsApart notes that the members at r.i belong to the document before them.
func (r *recovery) fallsApart() {
	if r.seen == 0 || r.stray {
		return
	}
	r.stray = true
	if n := len(r.out); n > 0 {
		r.out[n-1].Doc.Tokens[0].Flags |= Elided
	}
}

// leftOutDocuments reads dots in place of documents.
func (r *recovery) leftOutDocuments(n int) {
	d := r.say(CodeElision, r.i, r.i+n, excerpt(r.src[r.i:r.i+n])+" stands for documents left out, which JSON cannot express", "delete it")
	if d.Edit = (&Edit{Start: r.i, End: r.i + n}); len(r.arrays) > 0 {
		d.Edit = r.withoutDots(n, r.comma, r.seen > 0)
	}
	r.i += n
	r.comma, r.loose = -1, true
}

// read records that a value ends at r.i.
func (r *recovery) read() {
	r.seen++
	r.last, r.comma, r.loose = r.i, -1, false
}

// gap skips what may be between documents and reports whether anything follows.
func (r *recovery) gap() bool {
	r.space()
	r.elided = false
	return r.i < len(r.src)
}

// separated handles the comma between two elements of an array of documents.
func (r *recovery) separated() {
	if len(r.arrays) == 0 || r.seen == 0 || r.loose {
		return
	}
	c := r.src[r.i]
	if c == ',' || c == ']' || c == '}' || r.comma >= 0 || elision(r.src[r.i:]) > 0 {
		return
	}
	r.say(CodeElementComma, r.last, r.last, "the comma between two elements is missing", "insert a comma").guess(r.last, r.last, ",")
}

// besideArray reports a value next to an array of documents.
func (r *recovery) besideArray() {
	if !r.afterArray || len(r.arrays) > 0 || r.saidSecond {
		return
	}
	r.saidSecond = true
	r.say(CodeSecondValue, r.i, r.i+1, "there is another value next to the array of documents", "put all documents into one array, or write one a line")
}

func (r *recovery) openArray() {
	if len(r.arrays) == 0 {
		r.afterArray = r.afterArray || r.seen > 0
		r.besideArray()
	} else if !r.saidNested {
		r.saidNested = true
		r.say(CodeNotADocument, r.i, r.i+1, "element "+r.position()+" is an array, not a document", "take the inner arrays out of the outer one")
	}
	if len(r.arrays) >= r.maxDepth {
		r.say(CodeTooDeep, r.i, r.i+1, fmt.Sprintf("arrays are nested deeper than %d levels", r.maxDepth), "")
		r.i = len(r.src)
		return
	}
	r.arrays = append(r.arrays, level{r.i, r.seen})
	r.i++
	r.seen, r.comma, r.loose = 0, -1, false
}

func (r *recovery) position() string { return fmt.Sprint(r.seen) }

func (r *recovery) closeArray() {
	r.trailingComma(r.comma)
	r.seen = r.arrays[len(r.arrays)-1].seen
	r.arrays = r.arrays[:len(r.arrays)-1]
	r.i++
	r.afterArray = true
	r.read()
}

func (r *recovery) trailingComma(at int) {
	if at >= 0 && !r.JSON5 {
		r.say(CodeTrailingComma, at, at+1, "there is a comma after the last element", "delete the comma").mend(at, at+1, "")
	}
}

func (r *recovery) strayClosers() {
	start := r.i
	for r.i < len(r.src) && (r.src[r.i] == '}' || r.src[r.i] == ']' && len(r.arrays) == 0) {
		r.i++
	}
	r.unbalanced(start)
}

func (r *recovery) unbalanced(start int) {
	r.say(CodeUnbalanced, start, r.i, excerpt(r.src[start:r.i])+" closes nothing", "delete it").guess(start, r.i, "")
}

func (r *recovery) topComma() {
	at := r.i
	r.i++
	switch {
	case r.loose:
		r.loose = false
		r.comma = at
	case r.seen == 0 || len(r.arrays) > 0 && r.comma >= 0:
		r.extraComma(at)
	case len(r.arrays) > 0:
		r.comma = at
	case !r.saidComma:
		r.saidComma = true
		r.say(CodeDocumentComma, at, at+1, "documents outside an array are separated by a comma", "write the documents one after the other, or put them all in [ ]").guess(at, at+1, "")
	}
}

func (r *recovery) extraComma(at int) {
	r.say(CodeExtraComma, at, at+1, "there is a comma with nothing before it", "delete the comma").mend(at, at+1, "")
}

// loneValue reads an element that is neither document nor array.
func (r *recovery) loneValue() {
	start := r.i
	before := len(r.between.list) + r.between.dropped
	if !r.loneScalar() {
		return
	}
	if before == len(r.between.list)+r.between.dropped {
		value := excerpt(bytes.Trim(r.src[start:r.last], `"`))
		r.say(CodeLoneValue, start, r.last, "element "+r.position()+" is not a document but the value "+value, "")
	}
	r.i = max(r.i, r.last)
	r.read()
	r.text = -1
}

// loneScalar reads a scalar outside any document, and reports whether it is
// complete.
func (r *recovery) loneScalar() bool {
	r.toks, r.open, r.depth, r.pending, r.shell = r.toks[:0], none, 0, -1, [2]int{}
	if r.src[r.i] == ':' {
		r.junk()
		r.last = r.i
		return true
	}
	return r.value() != cutOff
}

// textLine reads a line, or its part before a document, that is not JSON: a
// caption, a scalar, or anything else.
func (r *recovery) textLine() {
	start, end := r.i, r.proseEnd()
	if r.seen > 0 && bytes.IndexByte(r.src[r.last:start], '\n') < 0 {
		end = r.lineEnd // do not search for another document after one
	}
	line := bytes.TrimRightFunc(r.src[start:end], unicode.IsSpace)
	stop := start + len(line)

	if r.scalarLine(line, start) {
		r.text = -1
		return
	}
	r.i = end
	if label, ok := caption(line); ok {
		r.label, r.text = label, -1
		r.seen, r.comma, r.afterArray, r.loose = 0, -1, false, false
		r.say(CodeCaption, start, stop, "JSON has no captions such as "+excerpt(line), "put these documents into a file of their own, or delete the line").guess(start, stop, "")
		return
	}
	if line[0] == '#' {
		r.text = -1
		r.say(CodeComment, start, stop, "JSON has no comments", "delete the comment").guess(start, stop, "")
		return
	}
	if r.text >= 0 && r.text < len(r.between.list) {
		r.between.list[r.text].End = stop
		return
	}
	r.say(CodeText, start, stop, excerpt(line)+" is not JSON", "delete it")
	r.text = len(r.between.list) - 1
}

// proseEnd returns the end of the line or the place before it where a document
// seems to begin. It scans each line once, however many values it has.
func (r *recovery) proseEnd() int {
	if r.i >= r.lineEnd {
		r.lineEnd = len(r.src)
		if n := bytes.IndexByte(r.src[r.i:], '\n'); n >= 0 {
			r.lineEnd = r.i + n
		}
		r.lineDoc = r.i - 1
	}
	if r.i > r.lineDoc {
		if r.lineDoc = documentStart(r.src, r.i, r.lineEnd); r.lineDoc < 0 {
			r.lineDoc = r.lineEnd
		}
	}
	return r.lineDoc
}

// scalarLine reads a line that is one JSON scalar, or begins as a string.
func (r *recovery) scalarLine(line []byte, start int) bool {
	word := line
	if n := bytes.IndexAny(line, " \t,"); n >= 0 && line[0] != '"' {
		word = line[:n]
	}
	var end int
	switch {
	case line[0] == '"':
		n, _, err := scanString(line, 1)
		if err != nil {
			return false
		}
		end = n
	case isLiteral(word), isStrictNumber(word):
		end = len(word)
	default:
		return false
	}
	if rest := bytes.TrimSpace(line[end:]); len(rest) > 0 && rest[0] != ',' {
		return false
	}
	r.besideArray()
	r.say(CodeNotADocument, start, start+end, excerpt(line[:end])+" is JSON but not a document", "write an object, { }")
	r.i = start + end
	r.read()
	return true
}

// documentStart returns the offset in src[i:end] of the first bracket where a
// document seems to begin, or -1.
func documentStart(src []byte, i, end int) int {
	for ; i < end; i++ {
		switch src[i] {
		case '{':
			next := skipSpace(src, i+1)
			if next >= len(src) || bytes.IndexByte([]byte(`"'}`), src[next]) >= 0 || elision(src[next:]) > 0 {
				return i
			}
			if n := nameLen(src[next:]); n > 0 {
				if n = skipSpace(src, next+n); n < len(src) && src[n] == ':' {
					return i
				}
			}
		case '[':
			if next := skipSpace(src, i+1); next < len(src) && src[next] == '{' {
				return i
			}
		}
	}
	return -1
}

// caption returns the name that a line such as "Post documents:" gives the
// documents after it, and whether the line is a caption.
func caption(line []byte) (label string, ok bool) {
	line = bytes.Trim(line, " \t#*_>`~-=")
	if !bytes.HasSuffix(line, []byte(":")) {
		return "", false
	}
	line = bytes.TrimRight(line, ": \t*_`")
	var words []string
	for w := range bytes.FieldsFuncSeq(line, func(c rune) bool { return c == ' ' || c == '-' || c == '_' || c == '/' }) {
		word := string(w)
		for _, c := range word {
			if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
				return "", false
			}
		}
		if words = append(words, word); len(words) > 5 {
			return "", false
		}
	}
	if len(words) == 0 {
		return "", false
	}
	all := len(words)
	for len(words) > 0 && (isFiller[lower(words[len(words)-1])] || isNumber(words[len(words)-1])) {
		words = words[:len(words)-1]
	}
	for len(words) > 0 && isArticle[lower(words[0])] {
		words = words[1:]
	}
	if len(words) > 3 || all == len(words) && all > 2 {
		return "", false
	}
	for n, w := range words {
		first, size := utf8.DecodeRuneInString(w)
		if n == 0 {
			first = unicode.ToLower(first)
		} else {
			first = unicode.ToUpper(first)
		}
		label += string(first) + w[size:]
	}
	return label, true
}

func lower(s string) string { return string(bytes.ToLower([]byte(s))) }

func isNumber(s string) bool { return isInteger([]byte(s)) }

// isFiller holds words that say that documents follow, but not which.
var isFiller = map[string]bool{
	"document": true, "documents": true, "doc": true, "docs": true, "item": true, "items": true,
	"record": true, "records": true, "row": true, "rows": true, "entry": true, "entries": true,
	"object": true, "objects": true, "collection": true, "container": true, "json": true,
	"example": true, "examples": true, "sample": true, "samples": true,
}

var isArticle = map[string]bool{"a": true, "an": true, "the": true, "each": true, "example": true, "sample": true}
