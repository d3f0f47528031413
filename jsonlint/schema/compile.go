package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/shapevet/shapevet/internal/finding"
)

// compiled is a schema ready to validate documents.
type compiled struct {
	*schema
	validator *jsonschema.Schema
	roots     map[string]*Node // by the URL that places in the schema are relative to
}

// compile compiles a schema. If the schema is wrong, the error is a
// [*fileError] with the place.
func (s *Set) compile(c *schema) (out *compiled, err error) {
	defer func() {
		if r := recover(); r != nil { // the library relies on more than it checks
			err = &fileError{finding.Problem{Message: fmt.Sprintf("the schema cannot be used: %v", r), Location: c.root.Location()}}
		}
	}()
	out = &compiled{schema: c, roots: map[string]*Node{}}
	compiler := jsonschema.NewCompiler()
	compiler.LoadURL = func(name string) (io.ReadCloser, error) {
		d := s.files.byURL(name)
		if d == nil {
			return nil, fmt.Errorf("%s is not fetched", name)
		}
		out.roots[d.id], out.roots[strings.TrimSuffix(name, "#")] = d.root, d.root
		return io.NopCloser(bytes.NewReader(d.tape.Src)), nil
	}
	main := c.root.doc.id + "#" + fragment(c.root)
	if c.mongodb {
		main = "mongodb:///" + url.PathEscape(c.collection)
		out.roots[main] = c.root
		compiler.Draft = jsonschema.Draft4 // the draft that MongoDB's keywords follow
		compiler.RegisterExtension("bson", nil, bsonKeywords{})
		text, err := json.Marshal(translate(c.root))
		if err == nil {
			err = compiler.AddResource(main, bytes.NewReader(text))
		}
		if err != nil {
			return nil, c.broken(err, main)
		}
	}
	if out.validator, err = compiler.Compile(main); err != nil {
		return nil, c.broken(err, main)
	}
	return out, nil
}

func (f *files) byURL(name string) *document {
	name = strings.TrimSuffix(name, "#")
	if n := f.byID[name]; n != nil {
		return n.doc
	}
	for _, d := range f.byPath {
		if d.id == name || fileURL(d.path) == name {
			return d
		}
	}
	return nil
}

// fragment returns the pointer to a node as a URL fragment.
func fragment(n *Node) string {
	var steps []string
	var find func(at *Node) bool
	find = func(at *Node) bool {
		if at == n {
			return true
		}
		for _, m := range at.members {
			if find(m.value) {
				steps = append(steps, m.name)
				return true
			}
		}
		for i, e := range at.elements {
			if find(e) {
				steps = append(steps, fmt.Sprint(i))
				return true
			}
		}
		return false
	}
	find(n.doc.root)
	slices.Reverse(steps)
	for i, step := range steps {
		steps[i] = url.PathEscape(strings.ReplaceAll(strings.ReplaceAll(step, "~", "~0"), "/", "~1"))
	}
	if len(steps) == 0 {
		return ""
	}
	return "/" + strings.Join(steps, "/")
}

// broken returns the error in a schema with its place.
func (c *schema) broken(err error, main string) error {
	invalid := (*jsonschema.ValidationError)(nil)
	if errors.As(err, &invalid) {
		for len(invalid.Causes) > 0 {
			invalid = slices.MaxFunc(invalid.Causes, func(a, b *jsonschema.ValidationError) int {
				return strings.Count(firstCause(a).InstanceLocation, "/") - strings.Count(firstCause(b).InstanceLocation, "/")
			})
		}
		root := c.root.doc.root
		if c.mongodb {
			root = c.root
		}
		at, keyword := resolvePointer(root, invalid.InstanceLocation)
		message := "not allowed here"
		if keyword != "" {
			message = keyword + " is wrong"
		}
		return &fileError{finding.Problem{Message: "the schema is not valid: " + message + ": " + invalid.Message, Location: at}}
	}
	cause := err
	if failed := (*jsonschema.SchemaError)(nil); errors.As(err, &failed) && failed.Err != nil {
		cause = failed.Err
	}
	message := strings.ReplaceAll(strings.TrimPrefix(cause.Error(), "jsonschema: "), main, "")
	return &fileError{finding.Problem{Message: "the schema cannot be used: " + message, Location: c.root.Location()}}
}

func firstCause(e *jsonschema.ValidationError) *jsonschema.ValidationError {
	for len(e.Causes) > 0 {
		e = e.Causes[0]
	}
	return e
}

// resolvePointer follows a pointer as far as it leads. It returns the place of
// the last name, and the name.
func resolvePointer(root *Node, pointer string) (finding.Location, string) {
	at, location, name := root, root.Location(), ""
	for _, step := range pointerSteps(pointer) {
		location = at.Location()
		if at.member(step) != nil {
			location, name = at.KeyLocation(step), step
		}
		if at = at.step(step); at == nil {
			break
		}
	}
	return location, name
}

// pointerSteps splits a pointer in the library's notation.
func pointerSteps(pointer string) []string {
	if pointer == "" {
		return nil
	}
	steps := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, step := range steps {
		if unescaped, err := url.PathUnescape(step); err == nil {
			step = unescaped
		}
		steps[i] = unescape.Replace(step)
	}
	return steps
}
