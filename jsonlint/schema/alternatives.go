package schema

import (
	"slices"
	"strings"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// parts lists a schema and what applies to the same value with it: what it
// refers to, and all of allOf.
func (c *schema) parts(n *node) []*node {
	var out []*node
	var add func(n *node)
	add = func(n *node) {
		if n == nil || slices.Contains(out, n) {
			return
		}
		out = append(out, n)
		add(c.refs[n])
		if all := n.get("allOf"); all != nil {
			for _, e := range all.elements {
				add(e)
			}
		}
	}
	add(n)
	return out
}

// types lists the types that a schema allows by name.
func (c *schema) types(n *node) []string {
	var out []string
	for _, part := range c.parts(n) {
		out = append(out, part.get("type").texts()...)
		out = append(out, part.get("bsonType").texts()...)
	}
	return out
}

// properties collects the properties of an object, those of all parts.
func (c *schema) properties(n *node) []member {
	var out []member
	for _, part := range c.parts(n) {
		if properties := part.get("properties"); properties.isObject() {
			out = append(out, properties.members...)
		}
	}
	return out
}

func (c *schema) property(n *node, name string) *node {
	for _, m := range c.properties(n) {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// isObject reports whether a schema describes objects by their properties.
func (c *schema) isObject(n *node) bool { return len(c.properties(n)) > 0 }

// A discriminator is a property whose value tells alternatives apart.
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

// discriminator finds the property, or the property of one, that has other
// values in each alternative that is an object; nil if there is none. One
// alternative may exclude the values of the others.
func (c *schema) discriminator(alternatives []*node) *discriminator {
	var objects []*node
	for _, n := range alternatives {
		if c.isObject(n) {
			objects = append(objects, n)
		}
	}
	if len(objects) < 2 {
		return nil
	}
	for _, m := range c.properties(objects[0]) {
		if c.disjoint(objects, []string{m.name}) {
			return &discriminator{[]string{m.name}}
		}
		for _, inner := range c.properties(m.value) {
			if path := []string{m.name, inner.name}; c.disjoint(objects, path) {
				return &discriminator{path}
			}
		}
	}
	return nil
}

func (c *schema) disjoint(alternatives []*node, path []string) bool {
	taken := map[string]bool{}
	rest := 0
	for _, n := range alternatives {
		for _, name := range path {
			if n = c.property(n, name); n == nil {
				return false
			}
		}
		values := c.constants(n)
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

// constants lists the values that a schema allows, if it names them.
func (c *schema) constants(n *node) []string {
	var out []string
	for _, part := range c.parts(n) {
		if value := part.get("const"); value != nil {
			out = append(out, value.raw())
		}
		if enum := part.get("enum"); enum != nil && enum.kind() == scan.Array {
			for _, e := range enum.elements {
				out = append(out, e.raw())
			}
		}
	}
	return out
}

// excludes reports whether a schema names the values that it does not allow.
func (c *schema) excludes(n *node) bool {
	return slices.ContainsFunc(c.parts(n), func(part *node) bool { return len(c.constants(part.get("not"))) > 0 })
}
