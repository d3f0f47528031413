package evidence

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/jsonlint/profile"
)

// SamePath reports whether two paths are equal, taking any name as a map key.
func SamePath(a, b profile.Path) bool {
	return slices.EqualFunc(a, b, func(a, b profile.Step) bool {
		return a == b || a.Kind == profile.MapValues && b.Kind == profile.Field || a.Kind == profile.Field && b.Kind == profile.MapValues
	})
}

// ParsePath is the inverse of [profile.Path.String].
func ParsePath(text string) (profile.Path, error) {
	var path profile.Path
	for rest := text; rest != ""; {
		switch {
		case strings.HasPrefix(rest, "[]"):
			path, rest = append(path, profile.Step{Kind: profile.Element}), rest[2:]
		case strings.HasPrefix(rest, "{}"):
			path, rest = append(path, profile.Step{Kind: profile.MapValues}), rest[2:]
		case strings.HasPrefix(rest, `["`):
			name, after, ok := quoted(rest[2:])
			if !ok {
				return nil, fmt.Errorf("path %q: a name in quotes does not end with \"]", text)
			}
			path, rest = append(path, profile.Step{Kind: profile.Field, Name: name}), after
		default:
			if len(path) > 0 {
				if rest[0] != '.' {
					return nil, fmt.Errorf("path %q: expected a dot before %q", text, rest)
				}
				rest = rest[1:]
			}
			end := strings.IndexAny(rest, ".[{")
			if end < 0 {
				end = len(rest)
			}
			if end == 0 || strings.ContainsAny(rest[:end], "]}\"") {
				return nil, fmt.Errorf("path %q: expected a name at %q", text, rest)
			}
			path, rest = append(path, profile.Step{Kind: profile.Field, Name: rest[:end]}), rest[end:]
		}
	}
	return path, nil
}

// quoted reads a name up to "] and resolves its escapes.
func quoted(text string) (name, rest string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			i++
			b.WriteByte(text[i])
		case c == '"' && strings.HasPrefix(text[i:], `"]`):
			return b.String(), text[i+2:], true
		default:
			b.WriteByte(c)
		}
	}
	return "", "", false
}

// At returns the node at a path, or nil.
func (n *Node) At(path string) *Node {
	steps, err := ParsePath(path)
	if err != nil {
		return nil
	}
	for _, step := range steps {
		if n = n.step(step); n == nil {
			return nil
		}
	}
	return n
}

func (n *Node) step(s profile.Step) *Node {
	switch s.Kind {
	case profile.Field:
		return n.Fields[s.Name]
	case profile.Element:
		return n.Elem
	}
	return n.Rest
}

// child is [Node.step] but makes a missing node.
func (n *Node) child(s profile.Step) *Node {
	if have := n.step(s); have != nil {
		return have
	}
	made := &Node{}
	switch s.Kind {
	case profile.Field:
		if n.Fields == nil {
			n.Fields = map[string]*Node{}
		}
		n.Fields[s.Name] = made
	case profile.Element:
		n.Elem = made
	default:
		n.Rest = made
	}
	return made
}

// children yields the nodes directly below: the fields by name, the values of
// the omitted names, and the elements.
func (n *Node) children() iter.Seq2[profile.Step, *Node] {
	return func(yield func(profile.Step, *Node) bool) {
		for _, name := range n.FieldNames() {
			if !yield(profile.Step{Kind: profile.Field, Name: name}, n.Fields[name]) {
				return
			}
		}
		if n.Rest != nil && !yield(profile.Step{Kind: profile.MapValues}, n.Rest) {
			return
		}
		if n.Elem != nil {
			yield(profile.Step{Kind: profile.Element}, n.Elem)
		}
	}
}

// rewrite replaces omitted names in a path by {}. It cuts a path that leads
// nowhere.
func (n *Node) rewrite(path string) string {
	steps, err := ParsePath(path)
	if err != nil || n == nil {
		return ""
	}
	for i, s := range steps {
		next := n.step(s)
		if next == nil && s.Kind == profile.Field && n.Rest != nil {
			steps[i], next = profile.Step{Kind: profile.MapValues}, n.Rest
		}
		if next == nil {
			return steps[:i].String()
		}
		n = next
	}
	return steps.String()
}
