package config

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/shapevet/shapevet/internal/finding"
)

// An Error lists everything wrong with a configuration file, in line order.
type Error struct{ Problems []finding.Problem }

func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

type position struct{ line, column int }

// A document is YAML in the form that the JSON Schema checks, with the position
// of every value by JSON pointer: that of the key for members, otherwise that
// of the value.
type document struct {
	name   string
	value  any
	places map[string]position
	values map[string]position // of the values of members
}

// at returns the position of the value at a pointer, or of the nearest
// container.
func (d *document) at(pointer string) position {
	for {
		if place, ok := d.places[pointer]; ok {
			return place
		}
		slash := strings.LastIndexByte(pointer, '/')
		if slash < 0 {
			return position{1, 1}
		}
		pointer = pointer[:slash]
	}
}

// atValue returns the position of a scalar itself rather than its key.
func (d *document) atValue(pointer string) position {
	if place, ok := d.values[pointer]; ok {
		return place
	}
	return d.at(pointer)
}

func (d *document) problem(at position, message, hint string) finding.Problem {
	return finding.Problem{Message: message, Hint: hint, Location: finding.Location{File: d.name, Line: at.line, Column: at.column}}
}

func (d *document) fail(node ast.Node, message, hint string) error {
	return &Error{[]finding.Problem{d.problem(placeOf(node.GetToken()), message, hint)}}
}

func placeOf(t *token.Token) position {
	if t == nil || t.Position == nil {
		return position{1, 1}
	}
	return position{max(1, t.Position.Line), max(1, t.Position.Column)}
}

func parseYAML(name string, text []byte) (*document, error) {
	d := &document{name: name, value: map[string]any{}, places: map[string]position{}, values: map[string]position{}}
	if problem := d.tooMuch(text); problem != nil {
		return nil, &Error{[]finding.Problem{*problem}}
	}
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		at, message := position{1, 1}, err.Error()
		if syntax := (*yaml.SyntaxError)(nil); errors.As(err, &syntax) {
			at, message = placeOf(syntax.Token), syntax.Message
		}
		return nil, &Error{[]finding.Problem{d.problem(at, "not YAML: "+message, "")}}
	}
	if len(file.Docs) > 1 {
		at := placeOf(file.Docs[1].Start)
		return nil, &Error{[]finding.Problem{d.problem(at, "a configuration file holds one YAML document", "remove what follows ---")}}
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		return d, nil
	}
	if _, ok := file.Docs[0].Body.(*ast.CommentGroupNode); ok {
		return d, nil
	}
	d.value, err = d.convert(file.Docs[0].Body, "")
	return d, err
}

// The YAML library takes time quadratic in the nesting of collections. These
// bounds are far beyond what people write. Within them, a file of maxSize is
// refused or read in seconds.
const (
	maxLine    = 4 << 10 // bytes
	maxNesting = 250     // collections that begin on the same line
	maxFlow    = 4_000   // brackets and braces in the file
)

// tooMuch returns a problem if the text is too expensive to parse.
func (d *document) tooMuch(text []byte) *finding.Problem {
	number, flow := 0, 0
	for line := range bytes.Lines(text) {
		number++
		brackets := bytes.Count(line, []byte{'['}) + bytes.Count(line, []byte{'{'})
		begun := brackets
		for i, c := range line[:len(line)-1] {
			if (c == '-' || c == '?' || c == ':') && (line[i+1] == ' ' || line[i+1] == '\t') || c == '!' || c == '&' {
				begun++
			}
		}
		flow += brackets
		message := ""
		switch {
		case len(line) > maxLine:
			message = fmt.Sprintf("this line has more than %d bytes", maxLine)
		case begun > maxNesting:
			message = "this line begins too many lists and mappings"
		case flow > maxFlow:
			message = fmt.Sprintf("the file has more than %d brackets and braces", maxFlow)
		default:
			continue
		}
		p := d.problem(position{number, 1}, message, "write lists and mappings with one entry a line")
		return &p
	}
	return nil
}

// convert turns a node into what encoding/json would make of it. It refuses
// anchors, aliases and tags: a configuration does not need them, and aliases
// can expand a small file without limit.
func (d *document) convert(node ast.Node, pointer string) (any, error) {
	if _, ok := d.places[pointer]; !ok {
		d.places[pointer] = placeOf(node.GetToken())
	}
	switch n := node.(type) {
	case *ast.MappingNode:
		return d.mapping(n.Values, pointer)
	case *ast.MappingValueNode:
		return d.mapping([]*ast.MappingValueNode{n}, pointer)
	case *ast.SequenceNode:
		list := make([]any, 0, len(n.Values))
		for i, child := range n.Values {
			value, err := d.convert(child, pointer+"/"+strconv.Itoa(i))
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		return list, nil
	case *ast.StringNode:
		return n.Value, nil
	case *ast.LiteralNode:
		return n.Value.Value, nil
	case *ast.IntegerNode:
		return n.Value, nil
	case *ast.FloatNode:
		if math.IsInf(n.Value, 0) || math.IsNaN(n.Value) {
			return nil, d.fail(node, "the number is too large", "")
		}
		return n.Value, nil
	case *ast.BoolNode:
		return n.Value, nil
	case *ast.NullNode:
		return nil, nil
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode:
		return nil, d.fail(node, "anchors, aliases and merge keys are not supported", "write the value out")
	case *ast.TagNode:
		return nil, d.fail(node, "tags are not supported", "leave the tag out")
	default:
		return nil, d.fail(node, "unexpected YAML: "+strings.TrimSpace(node.String()), "")
	}
}

func (d *document) mapping(members []*ast.MappingValueNode, pointer string) (any, error) {
	object := make(map[string]any, len(members))
	for _, member := range members {
		if _, ok := member.Key.(*ast.MergeKeyNode); ok {
			return nil, d.fail(member.Key, "anchors, aliases and merge keys are not supported", "write the value out")
		}
		key, ok := keyText(member.Key)
		if !ok {
			return nil, d.fail(member.Key, "a key must be a plain word", "")
		}
		if _, ok := object[key]; ok {
			return nil, d.fail(member.Key, fmt.Sprintf("the key %q occurs twice", key), "keep one")
		}
		child := pointer + "/" + escapePointer(key)
		d.places[child] = placeOf(member.Key.GetToken())
		value, err := d.convert(member.Value, child)
		if err != nil {
			return nil, err
		}
		object[key] = value
		switch value.(type) {
		case map[string]any, []any:
		default:
			d.values[child] = placeOf(member.Value.GetToken())
		}
	}
	if pointer == "" && len(members) > 0 {
		d.places[""] = placeOf(members[0].Key.GetToken())
	} else if slash := strings.LastIndexByte(pointer, '/'); len(members) > 0 && slash >= 0 {
		// An element of a list starts at its first key.
		if _, err := strconv.Atoi(pointer[slash+1:]); err == nil {
			d.places[pointer] = placeOf(members[0].Key.GetToken())
		}
	}
	return object, nil
}

func keyText(key ast.MapKeyNode) (string, bool) {
	switch k := key.(type) {
	case *ast.StringNode:
		return k.Value, true
	case *ast.LiteralNode, *ast.AnchorNode, *ast.AliasNode, *ast.MappingKeyNode, *ast.TagNode:
		return "", false
	default:
		if t := key.GetToken(); t != nil {
			return t.Value, true
		}
		return "", false
	}
}

var pointerEscape, pointerUnescape = strings.NewReplacer("~", "~0", "/", "~1"), strings.NewReplacer("~1", "/", "~0", "~")

func escapePointer(key string) string { return pointerEscape.Replace(key) }
