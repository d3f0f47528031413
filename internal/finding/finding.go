// Package finding holds what shapevet reports: the record that rules produce
// and every output format prints. Field names in JSON are the public contract:
// fields are added over time and never renamed.
package finding

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/rulebook"
)

// Severity is how bad a finding is, as the page of its rule says it.
type Severity = rulebook.Severity

// The three severities.
const (
	Info    = rulebook.Info
	Warning = rulebook.Warning
	Error   = rulebook.Error
)

// ParseSeverity reads the name of a severity.
func ParseSeverity(name string) (Severity, error) { return rulebook.ParseSeverity(name) }

// A Finding is one modelling mistake, with what shows it and a way out.
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

	// Fingerprint names the finding across runs: it survives edits elsewhere
	// in the file, and so holds no line number.
	Fingerprint string `json:"fingerprint"`

	// Also are findings on documents of the same mistake, which this one, on
	// code, tells with it.
	Also []Twin `json:"also,omitempty"`

	// Stored is where documents of the run hold what a finding on code is
	// about, and Entity the kind of document that a finding on documents is
	// about, "" for all of a collection. By them the two are found to be one.
	Stored []Place `json:"-"`
	Entity string  `json:"-"`
}

// A Twin is a finding on documents that is told by one on code.
type Twin struct {
	Rule        string   `json:"rule"`
	Subject     Subject  `json:"subject"`
	Location    Location `json:"location"`
	Fingerprint string   `json:"fingerprint"`
}

// A Place is a path in documents of a kind.
type Place struct {
	Collection string
	Entity     string // the kind, "" if it is not known or there is only one
	Path       string // as in [Subject]
}

// A Holder is a field of a Go type, or a type, and where documents of the run
// hold its values.
type Holder struct {
	Place
	Symbol   string // import/path.Type.Field
	Name     string // Type.Field
	Location Location
}

// All is the finding itself and those that it tells with it.
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

// A Location is a range in a file. Lines and columns count from 1, columns
// count bytes; the end is exclusive. Line 0 means the file as a whole.
type Location struct {
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`

	// Document is the _id of the document, as the MongoDB shell writes it,
	// where lines are not those of a text that people see: in a dump the n-th
	// document is line n.
	Document string `json:"document,omitempty"`

	// Snippet is the text of the line (or of the part of a very long line
	// around the column); SnippetColumn is the 1-based byte column of its
	// first byte. They serve the code frames of the text format.
	Snippet       string `json:"-"`
	SnippetColumn int    `json:"-"`
}

// Compare orders places by file, line and column.
func (l Location) Compare(o Location) int {
	return cmp.Or(cmp.Compare(l.File, o.File), cmp.Compare(l.Line, o.Line), cmp.Compare(l.Column, o.Column))
}

// Evidence is one named piece of what was measured or read. Value is a
// number, a string, a boolean, or a slice of these.
type Evidence struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
}

// Related points at a second place that belongs to the finding.
type Related struct {
	Message  string   `json:"message"`
	Location Location `json:"location"`

	// Side is "documents" for the place in documents of what stands in code,
	// and "code" the other way round. Formats with one line for a finding name
	// the first of them.
	Side string `json:"-"`
}

// InDocuments makes the place in documents that shows what a finding on code
// says.
func InDocuments(message string, at Location) Related {
	return Related{Message: "in documents: " + message, Location: at, Side: "documents"}
}

// InCode makes the place in code that stores what a finding on documents says.
func InCode(message string, at Location) Related {
	return Related{Message: "in code: " + message, Location: at, Side: "code"}
}

// Safety says what applying a fix can do to a build and to stored data.
type Safety string

const (
	Safe   Safety = "safe"   // keeps the build and the stored format
	Unsafe Safety = "unsafe" // needs --unsafe-fixes
	Plan   Safety = "plan"   // shown, never applied
)

// A Fix is a way out. Edits are present when the tool can apply it; Before
// and After show the reshaped documents.
type Fix struct {
	Title  string            `json:"title"`
	Safety Safety            `json:"safety"`
	Edits  []Edit            `json:"edits"`
	Before json.RawMessage   `json:"before,omitempty"`
	After  []DocumentInPlace `json:"after,omitempty"`

	// Uneditable is the file that the fix would edit if its bytes were those
	// that were read; such a fix is a plan.
	Uneditable string `json:"-"`
}

// An Edit replaces the bytes [Start, End) of a file.
type Edit struct {
	File    string `json:"file"`
	Start   int64  `json:"start"`
	End     int64  `json:"end"`
	NewText string `json:"newText"`
}

// DocumentInPlace is a document and the collection it belongs in.
type DocumentInPlace struct {
	Collection string          `json:"collection"`
	Document   json.RawMessage `json:"document"`
}

// Problem is something that could not be checked at all: exit code 2.
type Problem struct {
	Message  string   `json:"message"`
	Hint     string   `json:"hint"` // how to mend it
	Location Location `json:"location"`
}

// CompareProblems orders problems by their places.
func CompareProblems(a, b Problem) int {
	return cmp.Or(a.Location.Compare(b.Location), cmp.Compare(a.Message, b.Message))
}

// String is where the problem is, as far as that is known, what it is and how to
// mend it.
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

// Unchecked is something that lies beside what was checked, and was not.
type Unchecked struct {
	What  string `json:"what"`  // 12 document files
	Below string `json:"below"` // the directory
	Hint  string `json:"hint"`  // the argument that includes it
}

// Summary counts what was read and what was found.
type Summary struct {
	Documents   int64 `json:"documents"`
	Collections int   `json:"collections"`
	Packages    int   `json:"packages"`
	Bytes       int64 `json:"bytes"` // after decompression
	Error       int   `json:"error"`
	Warning     int   `json:"warning"`
	Info        int   `json:"info"`
	Suppressed  int   `json:"suppressed"` // accepted by somebody: ignore: in the configuration, //shapevet:ignore in code
	Hidden      int   `json:"hidden"`     // less sure than --min-confidence
	Elsewhere   int   `json:"elsewhere"`  // concern none of the files that --changed names
	Baselined   int   `json:"baselined"`
	Truncated   int   `json:"truncated"` // beyond --max-findings
	LeftOut     int   `json:"leftOut"`   // files of tools, and directories with dependencies or what a build has made
	Excluded    int   `json:"excluded"`  // files and directories, by exclude: or --exclude
	Unread      int   `json:"unread"`    // files with data in formats that are not read
}

// A Report is the outcome of one run.
type Report struct {
	Summary     Summary
	Collections []string // names of those that were read, sorted
	Findings    []Finding
	Problems    []Problem
	Unchecked   []Unchecked
	Notes       []string // how much of a live database was read
	Picture     Picture
	DB          string // whose limits were applied to documents

	// Hashes are those (XXH3) of the files as they were read, by their paths in
	// edits: what a fix edits has to be what was checked. Filled in on request.
	Hashes map[string]uint64

	Unread []string // files with data in formats that are not read
}

// Sort puts findings into the order of the contract: file, line, column, rule,
// and then by what remains so that the order is total.
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
