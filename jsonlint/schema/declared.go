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
	Collection     string
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
	At   finding.Location // of the name that the values have, or of the schema
	Name string           // of the field that the values are of, or are in
	In   string           // of the field around that
}

// Visit shows all schemas of the documents and of the values in them. A schema
// that holds itself is shown once below itself.
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
				default: // parts are done; the rest says nothing of what is there
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

// maxLevels bounds paths; no database stores documents as deep.
const maxLevels = 100

// IsList reports whether a schema describes arrays.
func (c *schema) IsList(n *Node) bool {
	if types := c.Types(n); len(types) > 0 {
		return slices.Contains(types, "array")
	}
	return slices.ContainsFunc(c.Parts(n), func(part *Node) bool { return part.Get("items") != nil || part.Get("prefixItems") != nil })
}

// MostItems finds the number of elements that arrays may have.
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

// isMap returns the schema of the values if that of an object says that its
// names are data: there is one for all names, or for those of a pattern, and no
// names beside these are described.
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

// Alternatives returns those of a schema, and the part they stand in.
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
