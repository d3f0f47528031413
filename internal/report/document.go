package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/internal/term"
)

// Limits on the documents in a fix.
const (
	maxElements = 3  // of an array; the rest is counted
	maxLines    = 24 // of a document; the rest is counted
)

// documentLines prints a JSON document on few readable lines of at most width
// cells. It omits the middle of long parts and says how much it omitted.
func documentLines(raw json.RawMessage, width int) []string {
	root, ok := readNode(raw)
	if !ok {
		return []string{term.Truncate(term.Clean(string(raw)), width)}
	}
	var lines []string
	root.print(&lines, "", "", "", width)
	if len(lines) > maxLines {
		const tail = 3
		head := maxLines - tail - 1
		left := len(lines) - head - tail
		kept := append([]string{}, lines[:head]...)
		kept = append(kept, "… "+quantity.Of(int64(left), "line")+" left out")
		lines = append(kept, lines[len(lines)-tail:]...)
	}
	for i, line := range lines {
		lines[i] = term.Truncate(line, width)
	}
	return lines
}

// A node is a JSON value whose members keep their order.
type node struct {
	scalar   string // as printed; not for objects and arrays
	open     byte   // '{' or '['
	keys     []string
	children []node
}

func parseNode(decoder *json.Decoder) (node, error) {
	token, err := decoder.Token()
	if err != nil {
		return node{}, err
	}
	delimiter, ok := token.(json.Delim)
	if !ok {
		return node{scalar: scalarText(token)}, nil
	}
	n := node{open: byte(delimiter)}
	for decoder.More() {
		if n.open == '{' {
			key, err := decoder.Token()
			if err != nil {
				return node{}, err
			}
			n.keys = append(n.keys, scalarText(key)+": ")
		}
		child, err := parseNode(decoder)
		if err != nil {
			return node{}, err
		}
		n.children = append(n.children, child)
	}
	_, err = decoder.Token()
	return extended(n), err
}

// scalarText returns a token as JSON, without escaping what terminals can show.
func scalarText(token json.Token) string {
	if number, ok := token.(json.Number); ok {
		return number.String()
	}
	var b bytes.Buffer
	if err := newEncoder(&b).Encode(token); err != nil {
		return fmt.Sprint(token)
	}
	return term.Clean(strings.TrimSuffix(b.String(), "\n"))
}

// closing has the closing brackets by opening ones.
var closing = map[byte]string{'{': "}", '[': "]"}

// print appends the lines of n, with before (its key) in front and after (its
// comma) behind.
func (n node) print(lines *[]string, indent, before, after string, width int) {
	if n.simple() {
		if line := indent + before + n.flat() + after; n.open == 0 || term.Width(line) <= width {
			*lines = append(*lines, line)
			return
		}
	}
	*lines = append(*lines, indent+before+string(n.open))
	inner := indent + "  "
	for i, child := range n.children {
		if n.open == '[' && i == maxElements && len(n.children) > maxElements+1 {
			*lines = append(*lines, inner+"… "+quantity.Grouped(int64(len(n.children)-i))+" more")
			break
		}
		key, comma := "", ","
		if n.open == '{' {
			key = n.keys[i]
		}
		if i == len(n.children)-1 {
			comma = ""
		}
		child.print(lines, inner, key, comma, width)
	}
	*lines = append(*lines, indent+closing[n.open]+after)
}

// simple reports whether n is readable on one line: it has no nested values
// except short arrays of scalars.
func (n node) simple() bool {
	if n.open == '[' && len(n.children) > maxElements+1 {
		return false
	}
	return !slices.ContainsFunc(n.children, func(child node) bool {
		return len(child.children) > 0 && (child.open == '{' || n.open == '[' || !child.simple())
	})
}

// text returns a value on one line. Of arrays with more than most+1 elements it
// shows only the first.
func (n node) text(most int) string {
	if n.open == 0 {
		return n.scalar
	}
	var parts []string
	for i, child := range n.children {
		if n.open == '[' && i == most && len(n.children) > most+1 {
			parts = append(parts, "… "+quantity.Grouped(int64(len(n.children)-i))+" more")
			break
		}
		part := child.text(most)
		if n.open == '{' {
			part = n.keys[i] + part
		}
		parts = append(parts, part)
	}
	return string(n.open) + strings.Join(parts, ", ") + closing[n.open]
}

func (n node) flat() string { return n.text(math.MaxInt - 1) }
