// Package html writes a report as one HTML page that needs nothing else: no
// network, no second file. Everything is in the page without its script, which
// only filters, moves and remembers the colours.
package html

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"sync"
)

// A Page is what the report shows. All texts are plain: they are escaped when
// they are written.
type Page struct {
	Version  string
	Summary  string // what was read, in a sentence
	Tiles    []Tile
	Notes    []string // what is not shown, and why
	Problems []Problem
	Diagram  *Diagram // nil if there are no collections to draw
	Findings []Finding

	Rules, Collections []Choice // of the filters
}

// A Tile is a number that matters.
type Tile struct{ Value, Label, Tone string }

// A Choice is a value of a filter, and how many findings it keeps.
type Choice struct {
	Name  string
	Count int
}

// A Problem kept something from being checked.
type Problem struct{ Where, Message, Hint string }

// A Finding is one finding, ready to be shown.
type Finding struct {
	ID         string // of the element
	Severity   string // error, warning or info
	Rule       string
	About      string // what the rule reports
	URL        string // of the page of the rule
	Message    string
	Subject    string // what it is about: a path, or a Go symbol
	Short      string // the same, for the list
	Collection string
	Where      string // file:line:column
	Frame      *Frame
	Confidence int // percent
	Charts     []Chart
	Values     []Value // that disagree
	Facts      []string
	Advice     string
	Fixes      []Fix
	Related    []Place
}

// A Frame is a line of a file in which a part is marked.
type Frame struct {
	Line                  int
	Before, Marked, After string
}

// A Place is a place in a file and why it is mentioned.
type Place struct {
	Message, Where string
	Frame          *Frame
}

// A Value is what stands at a place, to be compared with others.
type Value struct{ Label, Text, Where string }

// A Chart is one of its members.
type Chart struct {
	Distribution *Distribution
	Bars         *Bars
}

// Bars compare numbers of one unit.
type Bars struct {
	Caption string
	Rows    []Bar
}

// A Bar is a number as a share of the largest, or of the whole.
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

// An Edit is what replaces a part of a file, as lines.
type Edit struct {
	Where string
	Lines []string
}

// A Document is a document as lines.
type Document struct {
	Collection string
	Lines      []Line
}

// A Line of a document; Changed if the other side does not have it.
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

// The style and the script are our own: they go into the page as they are.
var page = sync.OnceValues(func() (*template.Template, error) {
	return template.New("page").Funcs(template.FuncMap{
		"css":    func() template.CSS { return template.CSS(style) },
		"script": func() template.JS { return template.JS(script) },
		"policy": policy,
	}).Parse(pageText)
})

// policy forbids everything but the page's own style and its own script: no
// address is ever asked for anything.
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
