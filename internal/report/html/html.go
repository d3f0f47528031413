// Package html writes a report as one self-contained HTML page: no network, no
// second file. The page is complete without its script, which only filters,
// navigates and remembers the colours.
package html

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"sync"
)

// A Page is the content of the report. All texts are plain and are escaped on
// output.
type Page struct {
	Version  string
	Summary  string // what was read, in one sentence
	Tiles    []Tile
	Notes    []string // what is not shown, and why
	Problems []Problem
	Diagram  *Diagram // nil without collections
	Findings []Finding

	Rules, Collections []Choice // for the filters
}

// A Tile is a key figure.
type Tile struct{ Value, Label, Tone string }

// A Choice is a value of a filter with its number of findings.
type Choice struct {
	Name  string
	Count int
}

// A Problem is something that could not be checked.
type Problem struct{ Where, Message, Hint string }

// A Finding is one finding, ready to show.
type Finding struct {
	ID         string // of the element
	Severity   string // error, warning or info
	Rule       string
	About      string // what the rule reports
	URL        string // of the page of the rule
	Message    string
	Subject    string // a path or a Go symbol
	Short      string // the same, for the list
	Collection string
	Where      string // file:line:column
	Frame      *Frame
	Confidence int // percent
	Charts     []Chart
	Values     []Value // values that differ
	Facts      []string
	Advice     string
	Fixes      []Fix
	Related    []Place
}

// A Frame is a line of a file with a marked part.
type Frame struct {
	Line                  int
	Before, Marked, After string
}

// A Place is a place in a file with the reason for showing it.
type Place struct {
	Message, Where string
	Frame          *Frame
}

// A Value is the value at a place, to compare with others.
type Value struct{ Label, Text, Where string }

// A Chart has one of its members set.
type Chart struct {
	Distribution *Distribution
	Bars         *Bars
}

// Bars compare numbers with the same unit.
type Bars struct {
	Caption string
	Rows    []Bar
}

// A Bar is a number as a share of the largest or of the whole.
type Bar struct {
	Label, Value string
	Percent      float64 // of the width
	Tone         string  // "", error, warning, info, good
}

// A Fix is a way out.
type Fix struct {
	Title      string
	Safety     string
	SafetyText string
	Edits      []Edit
	Before     []Document
	After      []Document
}

// An Edit is a replacement in a file, as lines.
type Edit struct {
	Where string
	Lines []string
}

// A Document is a document as lines.
type Document struct {
	Collection string
	Lines      []Line
}

// A Line is a line of a document. Changed means that the other side lacks it.
type Line struct {
	Text    string
	Changed bool
}

//go:embed page.tmpl
var pageText string

//go:embed style.css
var style string

//go:embed script.js
var script string

// Style and script are our own, so they go into the page unescaped.
var page = sync.OnceValues(func() (*template.Template, error) {
	return template.New("page").Funcs(template.FuncMap{
		"css":    func() template.CSS { return template.CSS(style) },
		"script": func() template.JS { return template.JS(script) },
		"policy": policy,
	}).Parse(pageText)
})

// policy allows only the page's own style and script, and no requests.
func policy() string {
	sum := sha256.Sum256([]byte(script))
	hash := base64.StdEncoding.EncodeToString(sum[:])
	return "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-" + hash + "'; base-uri 'none'; form-action 'none'"
}

// Write writes the page.
func Write(w io.Writer, p Page) error {
	t, err := page()
	if err != nil {
		return err
	}
	return t.Execute(w, p)
}
