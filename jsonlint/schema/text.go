package schema

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/regular"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// A document is a JSON file with the positions of everything in it.
type document struct {
	shown string // path in messages
	path  string // absolute
	tape  scan.Document
	lines []int // offsets of line starts
	root  *Node
	id    string // URL by which schemas refer to it
}

// A Node is a value in a document.
type Node struct {
	doc      *document
	token    int
	members  []member
	elements []*Node
}

type member struct {
	name  string
	key   int // token of the name
	value *Node
}

const (
	maxFile  = 16 << 20 // bytes of a schema file
	maxDepth = 1_000    // nesting levels of a schema file
)

// A fileError is a problem at a place in a file.
type fileError struct{ problem finding.Problem }

func (e *fileError) Error() string { return e.problem.Message }

func readDocument(path, shown string) (*document, error) {
	text, err := regular.ReadFile(path, maxFile)
	if err != nil {
		return nil, err
	}
	return parseDocument(text, path, shown)
}

func parseDocument(text []byte, path, shown string) (*document, error) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	d := &document{shown: shown, path: path}
	d.tape.Src = text
	for i, c := range text {
		if c == '\n' {
			d.lines = append(d.lines, i+1)
		}
	}
	parser := scan.Parser{MaxDepth: maxDepth}
	tape, err := parser.Parse(text)
	if syntax := (*scan.SyntaxError)(nil); errors.As(err, &syntax) {
		return nil, &fileError{finding.Problem{
			Message: "the schema is not JSON: " + syntax.Message, Location: d.Location(syntax.Offset, syntax.Offset),
		}}
	} else if err != nil {
		return nil, err
	}
	d.tape = *tape
	d.root = d.build(0)
	return d, nil
}

func (d *document) build(i int) *Node {
	n := &Node{doc: d, token: i}
	for k, v := range d.tape.Members(i) {
		n.members = append(n.members, member{d.tape.String(k), k, d.build(v)})
	}
	for _, v := range d.tape.Elements(i) {
		n.elements = append(n.elements, d.build(v))
	}
	return n
}

func (n *Node) kind() scan.Kind { return n.doc.tape.Tokens[n.token].Kind }

func (n *Node) IsObject() bool { return n != nil && n.kind() == scan.Object }

// member returns the member with a name, or nil. If the name occurs twice, the
// last one counts.
func (n *Node) member(name string) *member {
	if n == nil {
		return nil
	}
	for i := len(n.members) - 1; i >= 0; i-- {
		if n.members[i].name == name {
			return &n.members[i]
		}
	}
	return nil
}

// Get returns the value of a member, or nil.
func (n *Node) Get(name string) *Node {
	if m := n.member(name); m != nil {
		return m.value
	}
	return nil
}

// text returns the value of a string.
func (n *Node) text() (string, bool) {
	if n == nil || n.kind() != scan.String {
		return "", false
	}
	return n.doc.tape.String(n.token), true
}

// Texts returns the strings of a list, or a single string.
func (n *Node) Texts() []string {
	if n == nil {
		return nil
	}
	if text, ok := n.text(); ok {
		return []string{text}
	}
	var out []string
	for _, e := range n.elements {
		if text, ok := e.text(); ok {
			out = append(out, text)
		}
	}
	return out
}

// integer returns the value of a count.
func (n *Node) integer() (int64, bool) {
	if n == nil || n.kind() != scan.Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(n.doc.tape.Text(n.token)), 64)
	if err != nil || f < 0 || f > 1<<53 || f != float64(int64(f)) {
		return 0, false
	}
	return int64(f), true
}

func (n *Node) raw() string { return string(n.doc.tape.Raw(n.token)) }

func (n *Node) names() []string {
	if n == nil {
		return nil
	}
	out := make([]string, len(n.members))
	for i, m := range n.members {
		out[i] = m.name
	}
	return out
}

// at follows a JSON pointer. It returns nil if the pointer leads nowhere.
func (n *Node) at(pointer string) *Node {
	if pointer == "" {
		return n
	}
	for step := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		if n = n.step(unescape.Replace(step)); n == nil {
			return nil
		}
	}
	return n
}

func (n *Node) step(name string) *Node {
	if n.kind() == scan.Array {
		i, err := strconv.Atoi(name)
		if err != nil || i < 0 || i >= len(n.elements) {
			return nil
		}
		return n.elements[i]
	}
	return n.Get(name)
}

var unescape = strings.NewReplacer("~1", "/", "~0", "~")

// Location returns the place of a value. For an object or array that is only
// its first line.
func (n *Node) Location() finding.Location { return n.doc.tokenLocation(n.token) }

// KeyLocation returns the place of a member's name, or of the object if the
// member is missing.
func (n *Node) KeyLocation(name string) finding.Location {
	if m := n.member(name); m != nil {
		return n.doc.tokenLocation(m.key)
	}
	return n.Location()
}

func (d *document) tokenLocation(i int) finding.Location {
	t := &d.tape.Tokens[i]
	end := int(t.End)
	if t.Kind >= scan.Object {
		end = int(t.Start) + 1
	}
	return d.Location(int(t.Start), end)
}

const snippetSize = 160

func (d *document) Location(start, end int) finding.Location {
	text := d.tape.Src
	start = min(max(start, 0), len(text))
	end = min(max(end, start), len(text))
	l := finding.Location{File: d.shown}
	l.Line, l.Column = d.position(start)
	l.EndLine, l.EndColumn = d.position(end)
	from := start - (l.Column - 1)
	line := text[from:]
	if n := bytes.IndexByte(line, '\n'); n >= 0 {
		line = line[:n]
	}
	line = bytes.TrimSuffix(line, []byte{'\r'})
	l.SnippetColumn = 1
	if len(line) > snippetSize {
		cut := max(0, min(l.Column-1-snippetSize/3, len(line)-snippetSize))
		for cut > 0 && !utf8.RuneStart(line[cut]) {
			cut--
		}
		l.SnippetColumn = cut + 1
		line = line[cut:min(len(line), cut+snippetSize)]
	}
	l.Snippet = strings.ToValidUTF8(string(line), "")
	return l
}

// position returns line and column, counted from 1.
func (d *document) position(offset int) (line, column int) {
	line, _ = slices.BinarySearch(d.lines, offset+1)
	if line == 0 {
		return 1, offset + 1
	}
	return line + 1, offset - d.lines[line-1] + 1
}
