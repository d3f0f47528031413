package scan

import (
	"bytes"
	"math"
	"slices"
)

// Recovered is one document read by [Recover].
type Recovered struct {
	// Doc has its own tape. Its offsets count from the beginning of the whole
	// text, which all documents share.
	Doc Document

	// Label is the name that the caption above gives the document, in lower camel
	// case and without words such as "documents": "post" under a line "Post
	// documents:". It is empty without a caption.
	Label string
}

// Recover reads documents from a text that is not JSON, or not only JSON. See
// [Recoverer.Recover].
func Recover(src []byte) ([]Recovered, []Diagnostic) {
	return Recoverer{}.Recover(src)
}

// A Recoverer reads what a [Parser] rejects. The zero value is ready to use.
type Recoverer struct {
	// JSON5 allows comments, single quotes, unquoted names, trailing commas and
	// the numbers of JSON5 without a diagnostic.
	JSON5 bool

	// Dialect is the dialect of the documents.
	Dialect Dialect

	// MaxDepth is as in [Parser].
	MaxDepth int
}

// Recover returns all documents in src and what is wrong with them, in text
// order. A document is an object: for an array of documents, Recover returns
// the elements. It drops documents that are cut off or too damaged to make
// sense. Correct text has no diagnostics, and its documents are the same as
// from [Parser.Parse].
//
// The time is linear in the length of src, and values may nest as deep as in a
// Parser.
func (o Recoverer) Recover(src []byte) ([]Recovered, []Diagnostic) {
	if uint64(len(src)) > math.MaxUint32 {
		return nil, []Diagnostic{{Code: CodeText, Message: "the text is larger than 4 GB", Opened: -1}}
	}
	r := newRecovery(o, src)
	r.sequence()
	r.all = r.between.appendTo(r.all, len(src))
	if len(r.all) > 0 {
		if first := o.doubled(src); first >= 0 {
			return nil, []Diagnostic{{
				Code: CodeDoubledEscape, Start: first, End: first + 2, Opened: -1,
				Message: "each backslash is written twice, as PostgreSQL's COPY does, so the strings end too early",
				Hint:    `export with psql -At, or undo it with sed 's/\\\\/\\/g'`,
			}}
		}
	}
	sortDiagnostics(r.all)
	return r.out, r.all
}

// doubled returns the offset of the first backslash of a text in which each one is
// doubled: with half of them it is correct. It returns -1 for other texts.
func (o Recoverer) doubled(src []byte) int {
	twice, once := []byte(`\\`), []byte(`\`)
	if !bytes.Contains(src, []byte(`\\"`)) || bytes.Count(src, once) != 2*bytes.Count(src, twice) {
		return -1
	}
	r := newRecovery(o, bytes.ReplaceAll(src, twice, once))
	r.sequence()
	if len(r.all) > 0 || len(r.between.list) > 0 || len(r.out) == 0 {
		return -1
	}
	return bytes.Index(src, twice)
}

// recovery is one run of a Recoverer. It reads a sequence of documents
// (recover_sequence.go), each with a tolerant parser (recover_document.go) over
// tolerant tokens (recover_string.go, recover_scalar.go, recover_space.go).
type recovery struct {
	Recoverer
	strict Parser

	src []byte
	i   int // how far src has been read

	out     []Recovered
	all     []Diagnostic
	between report  // for the text between documents
	rep     *report // where diagnostics currently go
	scratch Diagnostic

	// The sequence.
	label      string
	arrays     []level // the arrays around the documents
	seen       int     // number of values before this one
	afterArray bool    // one of them was an array
	comma      int     // offset of a comma that nothing follows yet, or -1
	loose      bool    // after an elision, where a comma is optional
	saidComma  bool    // reported commas between documents
	saidNested bool    // reported that arrays are nested
	saidCutOff bool    // reported that the text ends too early
	saidSecond bool    // reported something next to an array
	indent     int     // indentation of the first document, plus one; 0 without one
	stray      bool    // something that belongs inside an object was found outside
	text       int     // index in between.list of the text that a following line continues, or -1

	// The document being read.
	doc      report
	toks     []Token
	open     uint32 // innermost open container, or none
	depth    int
	nested   [2]int // how many objects and arrays are open
	pending  int    // offset of a comma that nothing follows yet, or -1
	last     int    // where the last token ends
	lastText int    // index of the last value if it is a string, or -1
	damage   int    // number of things that made no sense at all
	brackets bool   // a bracket was missing or superfluous
	elided   bool   // a comment stands for something left out
	shell    [2]int // the first value in shell syntax; empty without one

	// Results of look-ahead, so that none is repeated.
	aheadOf            [curly]lookahead // by kind of quote
	follow             following
	noParen            int // no parenthesis before this offset ends arguments
	colonFrom, colonAt int // the next colon after colonFrom is at colonAt
	lineEnd            int // end of the line that contained r.i when it was last determined
	lineDoc            int // where a document begins in that line, or its end

	maxDepth int
}

// following describes what follows a document: members reports whether closing
// brackets and members follow every offset from from to to.
type following struct {
	from, to int
	members  bool
}

// level is an array around documents.
type level struct {
	opened int // its offset
	seen   int // number of values before it
}

// lookahead is what is known about quotes of one kind.
type lookahead struct {
	known       bool
	from, quote int // the next quote after from is at quote; -1 if there is none
	noEnd       int // no quote before this offset can end a string
	goodEnd     int // the quote at this offset can
}

const none = math.MaxUint32

func newRecovery(o Recoverer, src []byte) *recovery {
	r := &recovery{Recoverer: o, src: src, comma: -1, text: -1, pending: -1, open: none, follow: following{from: -1, to: -1}, colonAt: -1}
	r.strict = Parser{MaxDepth: o.MaxDepth, Dialect: o.Dialect}
	r.between.most, r.doc.most = maxBetween, maxPerDocument
	r.rep = &r.between
	if r.maxDepth = o.MaxDepth; r.maxDepth <= 0 {
		r.maxDepth = DefaultMaxDepth
	}
	return r
}

// say adds a diagnostic and returns it so that an edit can be added.
func (r *recovery) say(code string, start, end int, message, hint string) *Diagnostic {
	r.scratch = Diagnostic{Code: code, Start: start, End: end, Message: message, Hint: hint, Opened: -1}
	if at := r.rep.add(r.scratch); at != nil {
		return at
	}
	return &r.scratch
}

// guess adds an edit that may not be what the author meant.
func (d *Diagnostic) guess(start, end int, text string) {
	d.Edit = &Edit{Start: start, End: end, Text: text}
}

// mend adds an edit that is safe.
func (d *Diagnostic) mend(start, end int, text string) {
	d.guess(start, end, text)
	d.Safe = true
}

// document reads the document that begins at r.i.
func (r *recovery) document() {
	start := r.i
	if doc, end, err := r.strict.ParseNext(r.src, start); err == nil && !r.membersFollow(end) {
		r.i = end
		for _, d := range doc.Malformed {
			r.rep.add(d)
		}
		r.keep(*doc, start)
		return
	}
	r.tolerant(start, (*recovery).value) // value opens the object
}

// keep adds the document, unless it is a scalar in an Extended JSON wrapper. It
// drops the layouts, which are not comparable with those of other parsers.
func (r *recovery) keep(doc Document, start int) {
	if doc.Tokens[0].Kind != Object {
		r.say(CodeNotADocument, start, r.i, excerpt(r.src[start:r.i])+" is JSON but not a document", "put it into a field of a document")
		return
	}
	if r.fragment(start) {
		return
	}
	doc.Tokens, doc.Records = slices.Clone(doc.Tokens), nil
	r.out = append(r.out, Recovered{Doc: doc, Label: r.label})
}

// fragment reports whether a broken document continues at start: it is indented
// further than the first document, after something that belongs inside an
// object.
func (r *recovery) fragment(start int) bool {
	if r.indent > 0 && (!r.stray || len(r.arrays) > 0) {
		return false
	}
	blank := r.src[max(0, start-deepest):start]
	blank = blank[len(bytes.TrimRight(blank, " \t")):]
	if r.indent == 0 {
		r.indent = len(blank) + 1
		return false
	}
	before := start - len(blank) - 1
	return len(blank)+1 > r.indent && before >= 0 && r.src[before] == '\n'
}

// deepest bounds the indentation of a line.
const deepest = 200

// tolerant reads the document that begins at start, with its own report. first
// opens it.
func (r *recovery) tolerant(start int, first func(*recovery) state) {
	r.doc = report{most: maxPerDocument, list: r.doc.list[:0], style: r.doc.style[:0]}
	r.rep = &r.doc
	r.toks, r.open, r.depth, r.nested = r.toks[:0], none, 0, [2]int{}
	r.lastText, r.brackets = -1, false
	r.pending, r.last, r.damage, r.elided, r.shell = -1, start, 0, false, [2]int{}
	r.strict.malformed, r.strict.judged = report{}, 0
	r.i = start

	whole := first(r)
	for whole < finished {
		whole = r.step(whole)
	}
	if r.shell[1] > 0 {
		r.doc.style, r.doc.styleMissed = r.doc.style[:0], 0
		name, _, _ := bytes.Cut(r.src[r.shell[0]:r.shell[1]], []byte("("))
		r.say(CodeMongoShell, r.shell[0], r.shell[1],
			excerpt(bytes.TrimSpace(name))+" is mongo shell syntax, not JSON",
			"export with mongoexport, or print with EJSON.stringify in the shell")
	}
	if whole == finished && r.brackets && r.goesOn() {
		whole = hopeless
	}
	switch whole {
	case finished:
		doc := Document{Src: r.src, Tokens: r.toks, Dialect: r.Dialect}
		if r.Dialect != Plain {
			doc.normalize(r.Dialect)
		}
		r.keep(doc, start)
	case hopeless:
		r.skipDocument(start)
		end := start + len(bytes.TrimRight(r.src[start:r.i], " \t\r\n"))
		r.say(CodeUnreadable, start, end, "this document is too damaged to read and was left out", "")
	}
	for _, d := range r.strict.malformed.list {
		within := func(other Diagnostic) bool { return d.Start <= other.Start && other.End <= d.End }
		if !slices.ContainsFunc(r.doc.list, within) { // otherwise that diagnostic says what is wrong
			r.doc.add(d)
		}
	}
	r.all = r.doc.appendTo(r.all, r.i)
	r.rep = &r.between
}

// goesOn reports whether more objects follow the document on its last line.
// After a missing bracket, they are more likely part of the document than
// documents of their own.
func (r *recovery) goesOn() bool {
	if len(r.arrays) > 0 {
		return false
	}
	i := r.last
	for i < len(r.src) && (r.src[i] == ' ' || r.src[i] == ',') {
		i++
	}
	return i < len(r.src) && (r.src[i] == '{' || r.src[i] == '[')
}

// skipDocument skips to the next line that could begin a document like the one
// at start: it opens with a brace and is not indented further.
func (r *recovery) skipDocument(start int) {
	indent := start - (bytes.LastIndexByte(r.src[:start], '\n') + 1)
	for r.i < len(r.src) {
		n := bytes.IndexByte(r.src[r.i:], '\n')
		if n < 0 {
			break
		}
		line := r.i + n + 1
		r.i = line
		for r.i < len(r.src) && (r.src[r.i] == ' ' || r.src[r.i] == '\t') {
			r.i++
		}
		if r.i < len(r.src) && r.src[r.i] == '{' && r.i-line <= indent {
			return
		}
	}
	r.i = len(r.src)
}
