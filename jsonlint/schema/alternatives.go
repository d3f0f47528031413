package schema

import (
	"slices"
	"strings"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// Parts lists a schema and the schemas that apply to the same value with it:
// the target of its $ref, and everything in allOf.
func (c *schema) Parts(n *Node) []*Node {
	var out []*Node
	var add func(n *Node)
	add = func(n *Node) {
		if n == nil || slices.Contains(out, n) {
			return
		}
		out = append(out, n)
		add(c.refs[n])
		if all := n.Get("allOf"); all != nil {
			for _, e := range all.elements {
				add(e)
			}
		}
	}
	add(n)
	return out
}

// Types lists the types that a schema names as allowed.
func (c *schema) Types(n *Node) []string {
	var out []string
	for _, part := range c.Parts(n) {
		out = append(out, part.Get("type").Texts()...)
		out = append(out, part.Get("bsonType").Texts()...)
	}
	return out
}

// A Property is a property of an object, with the schema of its values.
type Property struct {
	Name string
	Node *Node
}

// Properties collects the properties of an object from all parts.
func (c *schema) Properties(n *Node) []Property {
	var out []Property
	for _, part := range c.Parts(n) {
		if properties := part.Get("properties"); properties.IsObject() {
			for _, m := range properties.members {
				out = append(out, Property{m.name, m.value})
			}
		}
	}
	return out
}

func (c *schema) Property(n *Node, name string) *Node {
	for _, m := range c.Properties(n) {
		if m.Name == name {
			return m.Node
		}
	}
	return nil
}

// IsObject reports whether a schema describes objects with properties.
func (c *schema) IsObject(n *Node) bool { return len(c.Properties(n)) > 0 }

// A discriminator is a property whose value distinguishes alternatives.
type discriminator struct{ path []string }

func (d *discriminator) pointer() string {
	steps := make([]string, len(d.path))
	for i, step := range d.path {
		steps[i] = strings.TrimPrefix(joinPointer("", step), "/")
	}
	return strings.Join(steps, "/")
}

func (d *discriminator) steps() profile.Path {
	var path profile.Path
	for _, name := range d.path {
		path = append(path, profile.Step{Kind: profile.Field, Name: name})
	}
	return path
}

// Discriminator finds the property, possibly nested in another, whose values
// differ between all alternatives that are objects. It returns nil if there is
// none. One alternative may exclude the values of the others.
func (c *schema) Discriminator(alternatives []*Node) *discriminator {
	var objects []*Node
	for _, n := range alternatives {
		if c.IsObject(n) {
			objects = append(objects, n)
		}
	}
	if len(objects) < 2 {
		return nil
	}
	for _, m := range c.Properties(objects[0]) {
		if c.disjoint(objects, []string{m.Name}) {
			return &discriminator{[]string{m.Name}}
		}
		for _, inner := range c.Properties(m.Node) {
			if path := []string{m.Name, inner.Name}; c.disjoint(objects, path) {
				return &discriminator{path}
			}
		}
	}
	return nil
}

func (c *schema) disjoint(alternatives []*Node, path []string) bool {
	taken := map[string]bool{}
	rest := 0
	for _, n := range alternatives {
		for _, name := range path {
			if n = c.Property(n, name); n == nil {
				return false
			}
		}
		values := c.Constants(n)
		if len(values) == 0 {
			if rest++; rest > 1 || !c.excludes(n) {
				return false
			}
		}
		for _, value := range values {
			if taken[value] {
				return false
			}
			taken[value] = true
		}
	}
	return true
}

// Constants lists the values that a schema allows, if it lists them.
func (c *schema) Constants(n *Node) []string {
	var out []string
	for _, part := range c.Parts(n) {
		if value := part.Get("const"); value != nil {
			out = append(out, value.raw())
		}
		if enum := part.Get("enum"); enum != nil && enum.kind() == scan.Array {
			for _, e := range enum.elements {
				out = append(out, e.raw())
			}
		}
	}
	return out
}

// excludes reports whether a schema lists values that it forbids.
func (c *schema) excludes(n *Node) bool {
	return slices.ContainsFunc(c.Parts(n), func(part *Node) bool { return len(c.Constants(part.Get("not"))) > 0 })
}
