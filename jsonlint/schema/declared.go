package schema

import (
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// Declared is what a collection's schema declares that rules use.
type Declared struct {
	Collection     string
	Bounds         map[string]Bound            // limits of lists, by path
	Maps           map[string]finding.Location // objects meant to be maps, by path
	Discriminators map[string]Discriminator    // by path of the objects; "" for the documents
}

// A Bound is the largest number of elements of a list.
type Bound struct {
	Most int64
	At   finding.Location
}

// A Discriminator is the field that distinguishes kinds of object.
type Discriminator struct {
	Path string // below the objects
	At   finding.Location
}

// Declared returns the declarations in the schemas, by collection.
func (s *Set) Declared() map[string]*Declared {
	out := map[string]*Declared{}
	for _, c := range s.schemas {
		out[c.collection] = c.declared()
	}
	return out
}

// DeclaredBy returns the declarations in a MongoDB $jsonSchema. shown is its
// place in messages.
func DeclaredBy(collection, shown string, validator []byte) (*Declared, error) {
	text := slices.Concat([]byte(`{"$jsonSchema":`), validator, []byte("}"))
	d, err := parseDocument(text, shown, shown)
	if err != nil {
		return nil, err
	}
	s := &Set{files: &files{byPath: map[string]*document{}, byID: map[string]*Node{}}}
	c, ok := s.read(Source{Collection: collection, Path: shown}, d.root)
	if !ok {
		return nil, fmt.Errorf("%s: the validator of %s is no schema", shown, collection)
	}
	return c.declared(), nil
}

func (c *schema) declared() *Declared {
	d := &Declared{Collection: c.collection, Bounds: map[string]Bound{}, Maps: map[string]finding.Location{}, Discriminators: map[string]Discriminator{}}
	unbounded := map[string]bool{}
	c.Visit(func(v View) {
		path := v.Path.String()
		if c.IsList(v.Node) {
			if m, most, ok := c.MostItems(v.Node); !ok {
				unbounded[path] = true
			} else if known, twice := d.Bounds[path]; !twice || most > known.Most {
				d.Bounds[path] = Bound{most, m.Location()}
			}
		}
		if m := c.isMap(v.Node); m != nil {
			d.Maps[path] = m.Location()
		}
		if alternatives, keyword := c.Alternatives(v.Node); alternatives != nil {
			if found := c.Discriminator(alternatives); found != nil {
				d.Discriminators[path] = Discriminator{found.steps().String(), keyword.KeyLocation(AlternativesOf(keyword))}
			}
		}
	})
	for path := range unbounded {
		delete(d.Bounds, path)
	}
	return d
}

// A View is a schema of the values at a path.
type View struct {
	Node *Node
	Path profile.Path
	At   finding.Location // place of the values' name, or of the schema
	Name string           // of the field that holds the values, directly or in a container
	In   string           // of the enclosing field
}

// Visit shows all schemas of the documents and of the values in them. A
// recursive schema is shown once below itself.
func (c *schema) Visit(show func(View)) {
	var stack []*Node
	var visit func(v View)
	visit = func(v View) {
		parts := c.Parts(v.Node)
		if slices.ContainsFunc(parts, func(n *Node) bool { return slices.Contains(stack, n) }) || len(v.Path) > maxLevels {
			return
		}
		show(v)
		stack = append(stack, parts...)
		for _, part := range parts {
			for _, s := range subschemas(part) {
				inner := View{s.node, v.Path, s.node.Location(), v.Name, v.In}
				switch s.keyword {
				case "properties":
					inner.Path = append(v.Path[:len(v.Path):len(v.Path)], profile.Step{Kind: profile.Field, Name: s.name})
					inner.At = part.Get("properties").KeyLocation(s.name)
					inner.Name, inner.In = s.name, v.Name
				case "patternProperties", "additionalProperties", "unevaluatedProperties":
					inner.Path = append(v.Path[:len(v.Path):len(v.Path)], profile.Step{Kind: profile.MapValues})
				case "items", "prefixItems", "additionalItems", "unevaluatedItems":
					inner.Path = append(v.Path[:len(v.Path):len(v.Path)], profile.Step{Kind: profile.Element})
				case "anyOf", "oneOf", "if", "then", "else", "dependentSchemas", "dependencies":
				default: // parts are done; other subschemas do not describe values here
					continue
				}
				if s.node.IsObject() {
					visit(inner)
				}
			}
		}
		stack = stack[:len(stack)-len(parts)]
	}
	if c.root.IsObject() {
		visit(View{Node: c.root, At: c.root.Location()})
	}
}

// maxLevels bounds paths. No database stores documents that deep.
const maxLevels = 100

// IsList reports whether a schema describes arrays.
func (c *schema) IsList(n *Node) bool {
	if types := c.Types(n); len(types) > 0 {
		return slices.Contains(types, "array")
	}
	return slices.ContainsFunc(c.Parts(n), func(part *Node) bool { return part.Get("items") != nil || part.Get("prefixItems") != nil })
}

// MostItems returns the largest number of elements that arrays may have.
func (c *schema) MostItems(n *Node) (at *Node, most int64, ok bool) {
	for _, part := range c.Parts(n) {
		if value, has := part.Get("maxItems").integer(); has && (!ok || value < most) {
			at, most, ok = part.Get("maxItems"), value, true
		}
		if list := part.Get("prefixItems"); !ok && list != nil && closed(part.Get("items")) {
			at, most, ok = list, int64(len(list.elements)), true
		}
	}
	return at, most, ok
}

func closed(n *Node) bool { return n != nil && n.kind() == scan.False }

// isMap returns the schema of the values if an object's schema says that its
// names are data: one schema covers all names, or those of a pattern, and no
// other names are described.
func (c *schema) isMap(n *Node) *Node {
	if c.IsObject(n) {
		return nil
	}
	for _, part := range c.Parts(n) {
		if values := part.Get("additionalProperties"); values.IsObject() {
			return values
		}
		if patterns := part.Get("patternProperties"); patterns.IsObject() && len(patterns.members) > 0 {
			return patterns
		}
	}
	return nil
}

// Alternatives returns the alternatives of a schema and the part that holds
// them.
func (c *schema) Alternatives(n *Node) (list []*Node, in *Node) {
	for _, part := range c.Parts(n) {
		if name := AlternativesOf(part); name != "" {
			return part.Get(name).elements, part
		}
	}
	return nil, nil
}

func AlternativesOf(n *Node) string {
	for _, name := range []string{"oneOf", "anyOf"} {
		if list := n.Get(name); list != nil && len(list.elements) > 1 {
			return name
		}
	}
	return ""
}
