package schema

import (
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// Declared is what the schema of a collection says that rules want to know.
type Declared struct {
	Bounds         map[string]Bound            // of lists, by path
	Maps           map[string]finding.Location // objects that are meant to be maps, by path
	Discriminators map[string]Discriminator    // by the path of the objects, "" for the documents
}

// A Bound is the number of elements that a list may have.
type Bound struct {
	Most int64
	At   finding.Location
}

// A Discriminator is the field that tells kinds of object apart.
type Discriminator struct {
	Path string // below the objects
	At   finding.Location
}

// Declared returns what the schemas say, by collection.
func (s *Set) Declared() map[string]*Declared {
	out := map[string]*Declared{}
	for _, c := range s.schemas {
		out[c.collection] = c.declared()
	}
	return out
}

// DeclaredBy returns what a $jsonSchema of MongoDB says; shown is where it stands.
func DeclaredBy(collection, shown string, validator []byte) (*Declared, error) {
	text := slices.Concat([]byte(`{"$jsonSchema":`), validator, []byte("}"))
	d, err := parseDocument(text, shown, shown)
	if err != nil {
		return nil, err
	}
	s := &Set{files: &files{byPath: map[string]*document{}, byID: map[string]*node{}}}
	c, ok := s.read(Source{Collection: collection, Path: shown}, d.root)
	if !ok {
		return nil, fmt.Errorf("%s: the validator of %s is no schema", shown, collection)
	}
	return c.declared(), nil
}

func (c *schema) declared() *Declared {
	d := &Declared{Bounds: map[string]Bound{}, Maps: map[string]finding.Location{}, Discriminators: map[string]Discriminator{}}
	unbounded := map[string]bool{}
	c.visit(func(v view) {
		path := v.path.String()
		if c.isList(v.node) {
			if m, most, ok := c.mostItems(v.node); !ok {
				unbounded[path] = true
			} else if known, twice := d.Bounds[path]; !twice || most > known.Most {
				d.Bounds[path] = Bound{most, m.location()}
			}
		}
		if m := c.isMap(v.node); m != nil {
			d.Maps[path] = m.location()
		}
		if alternatives, keyword := c.alternatives(v.node); alternatives != nil {
			if found := c.discriminator(alternatives); found != nil {
				d.Discriminators[path] = Discriminator{found.steps().String(), keyword.keyLocation(alternativesOf(keyword))}
			}
		}
	})
	for path := range unbounded {
		delete(d.Bounds, path)
	}
	return d
}

// A view is a schema of the values at a path.
type view struct {
	node *node
	path profile.Path
	at   finding.Location // of the name that the values have, or of the schema
	name string           // of the field that the values are of, or are in
	in   string           // of the field around that
}

// visit shows all schemas of the documents and of the values in them. A schema
// that holds itself is shown once below itself.
func (c *schema) visit(show func(view)) {
	var stack []*node
	var visit func(v view)
	visit = func(v view) {
		parts := c.parts(v.node)
		if slices.ContainsFunc(parts, func(n *node) bool { return slices.Contains(stack, n) }) || len(v.path) > maxLevels {
			return
		}
		show(v)
		stack = append(stack, parts...)
		for _, part := range parts {
			for _, s := range subschemas(part) {
				inner := view{s.node, v.path, s.node.location(), v.name, v.in}
				switch s.keyword {
				case "properties":
					inner.path = append(v.path[:len(v.path):len(v.path)], profile.Step{Kind: profile.Field, Name: s.name})
					inner.at = part.get("properties").keyLocation(s.name)
					inner.name, inner.in = s.name, v.name
				case "patternProperties", "additionalProperties", "unevaluatedProperties":
					inner.path = append(v.path[:len(v.path):len(v.path)], profile.Step{Kind: profile.MapValues})
				case "items", "prefixItems", "additionalItems", "unevaluatedItems":
					inner.path = append(v.path[:len(v.path):len(v.path)], profile.Step{Kind: profile.Element})
				case "anyOf", "oneOf", "if", "then", "else", "dependentSchemas", "dependencies":
				default: // parts are done; the rest says nothing of what is there
					continue
				}
				if s.node.isObject() {
					visit(inner)
				}
			}
		}
		stack = stack[:len(stack)-len(parts)]
	}
	if c.root.isObject() {
		visit(view{node: c.root, at: c.root.location()})
	}
}

// maxLevels bounds paths; no database stores documents as deep.
const maxLevels = 100

// isList reports whether a schema describes arrays.
func (c *schema) isList(n *node) bool {
	if types := c.types(n); len(types) > 0 {
		return slices.Contains(types, "array")
	}
	return slices.ContainsFunc(c.parts(n), func(part *node) bool { return part.get("items") != nil || part.get("prefixItems") != nil })
}

// mostItems finds the number of elements that arrays may have.
func (c *schema) mostItems(n *node) (at *node, most int64, ok bool) {
	for _, part := range c.parts(n) {
		if value, has := part.get("maxItems").integer(); has && (!ok || value < most) {
			at, most, ok = part.get("maxItems"), value, true
		}
		if list := part.get("prefixItems"); !ok && list != nil && closed(part.get("items")) {
			at, most, ok = list, int64(len(list.elements)), true
		}
	}
	return at, most, ok
}

func closed(n *node) bool { return n != nil && n.kind() == scan.False }

// isMap returns the schema of the values if that of an object says that its
// names are data: there is one for all names, or for those of a pattern, and no
// names beside these are described.
func (c *schema) isMap(n *node) *node {
	if c.isObject(n) {
		return nil
	}
	for _, part := range c.parts(n) {
		if values := part.get("additionalProperties"); values.isObject() {
			return values
		}
		if patterns := part.get("patternProperties"); patterns.isObject() && len(patterns.members) > 0 {
			return patterns
		}
	}
	return nil
}

// alternatives returns those of a schema, and the part they stand in.
func (c *schema) alternatives(n *node) (list []*node, in *node) {
	for _, part := range c.parts(n) {
		if name := alternativesOf(part); name != "" {
			return part.get(name).elements, part
		}
	}
	return nil, nil
}

func alternativesOf(n *node) string {
	for _, name := range []string{"oneOf", "anyOf"} {
		if list := n.get(name); list != nil && len(list.elements) > 1 {
			return name
		}
	}
	return ""
}
