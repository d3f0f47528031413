package scan

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"
)

// The codes of diagnostics.
const (
	CodeMissingQuote   = "missing-quote"          // a string lacks one of its quotes
	CodeMissingComma   = "missing-comma"          // two members or elements without a comma between them
	CodeElementComma   = "missing-document-comma" // two documents of an array without a comma between them
	CodeMissingColon   = "missing-colon"          // a name and its value without a colon between them
	CodeMissingValue   = "missing-value"          // a name has no value
	CodeMissingOpener  = "missing-opener"         // members outside an object
	CodeMissingCloser  = "missing-closer"         // an array or object is not closed, but its container is
	CodeTrailingComma  = "trailing-comma"         // a comma before a closing bracket
	CodeExtraComma     = "extra-comma"            // a comma with nothing before it
	CodeDocumentComma  = "document-comma"         // a comma between documents outside an array
	CodeWrongSeparator = "wrong-separator"        // ';' instead of ',' or '=' instead of ':'
	CodeElision        = "elision"                // "…" or "..." for something the author left out
	CodeOpaqueValue    = "opaque-value"           // a value that cannot be read
	CodeCaption        = "caption"                // a line that names the documents after it
	CodeNumber         = "number"                 // a number in a form that JSON does not have
	CodeNotFinite      = "not-finite"             // NaN, Infinity
	CodeLiteral        = "literal"                // True, None, undefined
	CodeSingleQuotes   = "single-quotes"          // a string in quotes other than double quotes
	CodeUnquotedName   = "unquoted-name"          // a member's name without quotes
	CodeComment        = "comment"                // a comment
	CodeMongoShell     = "mongo-shell"            // ObjectId("…"), ISODate("…")
	CodeExtended       = "extended-json"          // an Extended JSON wrapper with the wrong content
	CodeControl        = "control-character"      // a control character, in a string or outside
	CodeSpace          = "odd-space"              // white space that JSON does not allow
	CodeInvalidUTF8    = "invalid-utf8"           // bytes in a string that are not UTF-8
	CodeBadEscape      = "bad-escape"             // a backslash before something that cannot follow it
	CodeDoubledEscape  = "doubled-backslash"      // each backslash is written twice
	CodeUnescapedQuote = "unescaped-quote"        // a quote inside a string
	CodeCutOff         = "cut-off"                // the text ends inside a document
	CodeUnbalanced     = "unbalanced"             // a closing bracket with nothing to close
	CodeText           = "text"                   // text that is not JSON
	CodeEncoding       = "encoding"               // text in an encoding other than UTF-8
	CodeGitLFS         = "git-lfs"                // a git-lfs pointer instead of the file
	CodeNotADocument   = "not-a-document"         // JSON, but not an object
	CodeLoneValue      = "lone-value"             // a text or number in the place of a document
	CodeSecondValue    = "second-value"           // a value after or before an array of documents
	CodeTooDeep        = "too-deep"               // deeper than MaxDepth
	CodeUnreadable     = "unreadable"             // a document dropped as too damaged
	CodeEmpty          = "empty"                  // no text at all
	CodeMore           = "more"                   // further diagnostics of a document that are not listed
)

// A Diagnostic says what is wrong at one place in a text and how to fix it.
type Diagnostic struct {
	Code       string // one of the Code constants
	Start, End int    // the bytes concerned; End is exclusive
	Message    string // what is wrong; always short and printable
	Hint       string // how to fix it; may be empty
	Edit       *Edit  // fixes it; nil if the fix is unknown
	Safe       bool   // the edit changes no value and guesses nothing

	// Opened is the offset of the bracket or quote that the message says is never
	// closed, or -1.
	Opened int
	More   int // for [CodeMore]: how many
}

// An Edit replaces bytes of a text.
type Edit struct {
	Start, End int // End is exclusive; equal to Start to insert
	Text       string
}

const (
	maxPerDocument = 20  // diagnostics per document
	maxBetween     = 200 // diagnostics for the text between documents
)

// report holds the diagnostics of one document, or of the text between
// documents.
type report struct {
	list []Diagnostic
	// style holds what is wrong only because the document uses the syntax of a
	// JavaScript shell.
	style       []Diagnostic
	dropped     int // not kept in list
	styleMissed int // not kept in style
	most        int
}

// add returns the stored diagnostic, or nil if there are too many.
func (r *report) add(d Diagnostic) *Diagnostic {
	list, missed := &r.list, &r.dropped
	if d.Code == CodeSingleQuotes || d.Code == CodeUnquotedName {
		list, missed = &r.style, &r.styleMissed
	}
	if len(*list) >= r.most {
		*missed++
		return nil
	}
	*list = append(*list, d)
	return &(*list)[len(*list)-1]
}

// appendTo appends the diagnostics to all, and a note at offset end if there
// were too many.
func (r *report) appendTo(all []Diagnostic, end int) []Diagnostic {
	list := append(r.list, r.style...)
	missed := r.dropped + r.styleMissed
	sortDiagnostics(list)
	if len(list) > r.most {
		missed += len(list) - r.most
		list = list[:r.most]
	}
	all = append(all, list...)
	if missed > 0 {
		all = append(all, Diagnostic{
			Code: CodeMore, Start: end, End: end, Opened: -1,
			Message: fmt.Sprintf("and %d more", missed), More: missed,
		})
	}
	return all
}

func sortDiagnostics(list []Diagnostic) {
	slices.SortStableFunc(list, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
}

// excerpt returns the beginning of text, quoted and printable.
func excerpt(text []byte) string {
	const most = 30
	n, cut := 0, len(text)
	for i := 0; i < len(text); n++ {
		if n == most {
			cut = i
			break
		}
		_, size := utf8.DecodeRune(text[i:])
		i += size
	}
	if cut < len(text) {
		return strconv.QuoteToGraphic(string(text[:cut]) + "…")
	}
	return strconv.QuoteToGraphic(string(text))
}
