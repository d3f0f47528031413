// Package finding defines what shapevet reports: the record that rules produce
// and every output format prints. The JSON field names are a public contract:
// new ones may come, but none is renamed.
package finding

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/rulebook"
)

// Severity is how bad a finding is, according to its rule's page.
type Severity = rulebook.Severity

// The three severities.
const (
	Info    = rulebook.Info
	Warning = rulebook.Warning
	Error   = rulebook.Error
)

// ParseSeverity reads the name of a severity.
func ParseSeverity(name string) (Severity, error) { return rulebook.ParseSeverity(name) }

// Probable is the confidence from which findings are reported by default: they
// are more likely right than wrong.
const Probable = 0.5

// A Finding is one modelling mistake, with its evidence and a way out.
type Finding struct {
	Rule       string     `json:"rule"`
	Severity   Severity   `json:"severity"`
	Confidence float64    `json:"confidence"` // 0 to 1
	Message    string     `json:"message"`
	Advice     string     `json:"advice"`
	Subject    Subject    `json:"subject"`
	Location   Location   `json:"location"`
	Evidence   []Evidence `json:"evidence"`
	Related    []Related  `json:"related"`
	Fixes      []Fix      `json:"fixes"`

	// Fingerprint identifies the finding across runs. It survives edits elsewhere
	// in the file, so it has no line number.
	Fingerprint string `json:"fingerprint"`

	// Also lists findings on documents about the same mistake, which this finding
	// on code covers.
	Also []Twin `json:"also,omitempty"`

	// Stored lists where documents of the run hold the subject of a finding on
	// code. Entity is the kind of document that a finding on documents is about,
	// or "" for the whole collection. Findings on code and on documents are
	// matched by these.
	Stored []Place `json:"-"`
	Entity string  `json:"-"`
}

// A Twin is a finding on documents that a finding on code covers.
type Twin struct {
	Rule        string   `json:"rule"`
	Subject     Subject  `json:"subject"`
	Location    Location `json:"location"`
	Fingerprint string   `json:"fingerprint"`
}

// A Place is a path in documents of one kind.
type Place struct {
	Collection string
	Entity     string // the kind; "" if unknown or the only one
	Path       string // as in [Subject]
}

// A Holder is a Go field or type, with the places where documents of the run
// hold its values.
type Holder struct {
	Place
	Symbol   string // import/path.Type.Field
	Name     string // Type.Field
	Location Location
}

// All returns the finding itself and those that it covers.
func (f *Finding) All() []Twin {
	return append([]Twin{{f.Rule, f.Subject, f.Location, f.Fingerprint}}, f.Also...)
}

// Kinds of [Subject].
const (
	KindDocument = "document"
	KindGo       = "go"
)

// A Subject is what a finding is about.
type Subject struct {
	Kind       string `json:"kind"`
	Collection string `json:"collection"`
	Path       string `json:"path"`   // see package jsonpath notation in the contract: a.b[].c{}, "" is the document
	Symbol     string `json:"symbol"` // import/path.Type.Field, for Go
}

// A Location is a range in a file. Lines and columns count from 1, columns in
// bytes; the end is exclusive. Line 0 means the whole file.
type Location struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`

	// Document is the _id of the document as the MongoDB shell writes it. It is
	// set where line numbers do not refer to a text that people see: line n of a
	// dump is the n-th document.
	Document string `json:"document,omitempty"`

	// Snippet is the text of the line, or the part around the column if the line
	// is very long. SnippetColumn is the 1-based byte column of its first byte.
	// The text format uses them for code frames.
	Snippet       string `json:"-"`
	SnippetColumn int    `json:"-"`
}

// Compare orders places by file, line and column.
func (l Location) Compare(o Location) int {
	return cmp.Or(cmp.Compare(l.File, o.File), cmp.Compare(l.Line, o.Line), cmp.Compare(l.Column, o.Column))
}

// Evidence is one named measurement or fact. Value is a number, a string, a
// boolean, or a slice of these.
type Evidence struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
}

// Related is a second place that belongs to the finding.
type Related struct {
	Message  string   `json:"message"`
	Location Location `json:"location"`

	// Side is "documents" for a place in documents that belongs to a finding on
	// code, and "code" for the reverse. Formats with one line per finding name the
	// first of them.
	Side string `json:"-"`
}

// InDocuments returns the place in documents that shows what a finding on code
// says.
func InDocuments(message string, at Location) Related {
	return Related{Message: "in documents: " + message, Location: at, Side: "documents"}
}

// InCode returns the place in code that stores what a finding on documents
// says.
func InCode(message string, at Location) Related {
	return Related{Message: "in code: " + message, Location: at, Side: "code"}
}

// Safety says what applying a fix can do to the build and to stored data.
type Safety string

const (
	Safe   Safety = "safe"   // keeps the build working and the stored format
	Unsafe Safety = "unsafe" // needs --unsafe-fixes
	Plan   Safety = "plan"   // only shown, never applied
)

// A Fix is a way to resolve a finding. It has Edits if the tool can apply it;
// Before and After show the reshaped documents.
type Fix struct {
	Title  string            `json:"title"`
	Safety Safety            `json:"safety"`
	Edits  []Edit            `json:"edits"`
	Before json.RawMessage   `json:"before,omitempty"`
	After  []DocumentInPlace `json:"after,omitempty"`

	// Uneditable is the file that the fix cannot edit because its bytes are not
	// those that were read. Such a fix is a plan.
	Uneditable string `json:"-"`
}

// An Edit replaces the bytes [Start, End) of a file.
type Edit struct {
	File    string `json:"file"`
	Start   int64  `json:"start"`
	End     int64  `json:"end"`
	NewText string `json:"newText"`
}

// DocumentInPlace is a document with its collection.
type DocumentInPlace struct {
	Collection string          `json:"collection"`
	Document   json.RawMessage `json:"document"`
}

// Problem is something that could not be checked at all (exit code 2).
type Problem struct {
	Message  string   `json:"message"`
	Hint     string   `json:"hint"` // how to solve it
	Location Location `json:"location"`
}

// RuleFailed is the problem of a rule that panicked.
func RuleFailed(rule string, cause any) Problem {
	return Problem{
		Message: fmt.Sprintf("internal error in rule %s: %v", rule, cause),
		Hint:    "the other rules have run; leave this one out with --ignore " + rule + " and report the error",
	}
}

// CompareProblems orders problems by place.
func CompareProblems(a, b Problem) int {
	return cmp.Or(a.Location.Compare(b.Location), cmp.Compare(a.Message, b.Message))
}

// String returns where the problem is, if known, what it is and how to solve
// it.
func (p Problem) String() string {
	text := ""
	if p.Location.File != "" {
		text = p.Location.File
		if p.Location.Line > 0 {
			text += fmt.Sprintf(":%d:%d", p.Location.Line, p.Location.Column)
		}
		text += ": "
	}
	text += p.Message
	if p.Hint != "" {
		text += ": " + p.Hint
	}
	return text
}

// Unchecked is something beside the checked files that was not checked.
type Unchecked struct {
	What  string `json:"what"`  // such as "12 document files"
	Below string `json:"below"` // the directory
	Hint  string `json:"hint"`  // the argument that includes it
}

// Summary counts what was read and found.
type Summary struct {
	Documents   int64 `json:"documents"`
	Collections int   `json:"collections"`
	Packages    int   `json:"packages"`
	Bytes       int64 `json:"bytes"` // after decompression
	Error       int   `json:"error"`
	Warning     int   `json:"warning"`
	Info        int   `json:"info"`
	Suppressed  int   `json:"suppressed"` // accepted by ignore: in the configuration or //shapevet:ignore in code
	Hidden      int   `json:"hidden"`     // below --min-confidence
	Elsewhere   int   `json:"elsewhere"`  // unrelated to the files that --changed names
	Baselined   int   `json:"baselined"`
	Truncated   int   `json:"truncated"` // beyond --max-findings
	LeftOut     int   `json:"leftOut"`   // files of tools, and directories with dependencies or build output
	Excluded    int   `json:"excluded"`  // files and directories excluded by exclude: or --exclude
	Unread      int   `json:"unread"`    // data files in formats that are not read
}

// A Report is the outcome of one run.
type Report struct {
	Summary     Summary
	Collections []string // sorted names of the collections read
	Findings    []Finding
	Problems    []Problem
	Unchecked   []Unchecked
	Notes       []string // how much of a live database was read
	Picture     Picture
	DB          string // database whose limits were applied to documents

	// Hashes are the XXH3 hashes of the files as read, by their paths in edits: a
	// fix must edit what was checked. They are filled in on request.
	Hashes map[string]uint64

	Unread []string // data files in formats that are not read
}

// Sort sorts findings as the contract defines: by file, line, column and rule,
// and then by the other fields to make the order total.
func Sort(findings []Finding) {
	slices.SortStableFunc(findings, func(a, b Finding) int {
		return cmp.Or(
			a.Location.Compare(b.Location),
			cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(a.Subject.Path, b.Subject.Path),
			cmp.Compare(a.Fingerprint, b.Fingerprint),
			cmp.Compare(a.Message, b.Message),
		)
	})
}
