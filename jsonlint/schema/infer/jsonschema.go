package infer

import (
	"fmt"
	"slices"

	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/schema/bson"
)

// Options configures the schemas.
type Options struct {
	// Constants allows the schemas to show the values of discriminators. Without
	// it, nothing distinguishes the kinds of document, which are plain
	// alternatives.
	Constants bool

	// Bound, if not nil, returns the declared maximum length of a list. If it
	// returns false, the longest list seen is the maximum.
	Bound func(collection, path string) (int64, bool)
}

// A Schema is the text of a collection's schema.
type Schema struct {
	Collection string
	Documents  int64 // number of documents it was made from
	Text       []byte
}

const dialect2020 = "https://json-schema.org/draft/2020-12/schema"

// JSONSchemas returns a JSON Schema 2020-12 for each collection, ordered by
// name.
func (db *Database) JSONSchemas(o Options) ([]Schema, error) {
	var out []Schema
	for _, c := range db.collections {
		w := &writer{options: o, collection: c.name}
		whole := &object{}
		whole.set("$schema", dialect2020)
		whole.members = append(whole.members, w.document(c).members...)
		if defs := w.definitions(); defs != nil {
			whole.set("$defs", defs)
		}
		text, err := print(whole)
		if err != nil {
			return nil, err
		}
		out = append(out, Schema{c.name, c.documents(), text})
	}
	return out, nil
}

// JSONSchema returns the schemas of all collections as the definitions of one.
func (db *Database) JSONSchema(o Options) ([]byte, error) {
	defs, used := &object{}, bson.WrapperSet(0)
	for _, c := range db.collections {
		w := &writer{options: o, collection: c.name}
		defs.set(c.name, w.document(c))
		used |= w.used
	}
	w := &writer{used: used}
	if wrapped := w.definitions(); wrapped != nil {
		defs.members = append(defs.members, wrapped.members...)
	}
	whole := &object{}
	whole.set("$schema", dialect2020)
	whole.set("$defs", defs)
	return print(whole)
}

// A writer writes the schema of a collection.
type writer struct {
	options    Options
	collection string
	mongodb    bool
	used       bson.WrapperSet
}

// document describes the documents of a collection.
func (w *writer) document(c *collection) *object {
	kinds := slices.DeleteFunc(slices.Clone(c.kinds), func(k *kind) bool { return k.documents == 0 })
	out := &object{}
	out.set("title", c.name)
	out.set("description", fmt.Sprintf("Made from %s.", quantity.Of(c.documents(), "document")))
	if len(kinds) == 0 {
		return out
	}
	if len(kinds) == 1 {
		out.members = append(out.members, w.shape(kinds[0].root, nil).members...)
		return out
	}
	out.set(w.typeKeyword(), "object")
	constants := w.options.Constants && told(kinds)
	keyword := "anyOf" // an object may match several
	if constants {
		keyword = "oneOf"
	}
	var alternatives []any
	for _, k := range kinds {
		branch := &object{}
		if constants && !k.rest {
			branch.set("title", k.name)
		}
		branch.members = append(branch.members, w.shape(k.root, nil).members...)
		if constants {
			w.discriminate(branch, c, k, kinds)
		}
		alternatives = append(alternatives, branch)
	}
	out.set(keyword, alternatives)
	return out
}

// told reports whether it is known which kind each value of the discriminator
// stands for. Documents of one kind may have another value, or none.
func told(kinds []*kind) bool {
	others := 0
	for _, k := range kinds {
		if k.rest {
			others++
		} else if len(k.constants) == 0 {
			return false
		}
	}
	return others < 2
}

// discriminate adds the discriminator's values in documents of a kind: those of
// the kind, or anything but those of the others.
func (w *writer) discriminate(branch *object, c *collection, k *kind, kinds []*kind) {
	at := branch
	for _, step := range c.path {
		properties := at.get("properties")
		if properties == nil {
			properties = &object{}
			at.replace("properties", properties)
		}
		if at = properties.get(step.Name); at == nil {
			at = &object{}
			properties.replace(step.Name, at)
		}
	}
	if !k.rest {
		values := w.constants(k.constants)
		if len(values) == 1 && !w.mongodb {
			at.members = []member{{"const", values[0]}}
		} else {
			at.members = []member{{"enum", values}}
		}
		return
	}
	others := map[string]bool{}
	for _, o := range kinds {
		for value := range o.constants {
			others[value] = true
		}
	}
	not := &object{}
	not.set("enum", w.constants(others))
	at.replace("not", not)
}

// shape describes the values at a path.
func (w *writer) shape(s *shape, path profile.Path) *object {
	if w.mongodb {
		return w.stored(s, path)
	}
	bare := &object{}
	if s.types != 0 {
		bare.set("type", one(s.typeNames()))
		w.contents(bare, s, path)
	}
	var alternatives []any
	if s.types != 0 {
		alternatives = append(alternatives, bare)
	}
	for _, name := range wrapperNames(s.wrappers) {
		ref := &object{}
		ref.set("$ref", "#/$defs/"+name)
		alternatives = append(alternatives, ref)
	}
	w.used |= s.wrappers
	switch len(alternatives) {
	case 0:
		return bare
	case 1:
		return alternatives[0].(*object)
	}
	any := &object{}
	any.set("anyOf", alternatives)
	return any
}

// contents describes the contents of containers and strings.
func (w *writer) contents(o *object, s *shape, path profile.Path) {
	if s.types.has(typeObject) {
		w.members(o, s, path)
	}
	if s.types.has(typeArray) {
		inner := append(path[:len(path):len(path)], profile.Step{Kind: profile.Element})
		if s.elem.seen() {
			o.set("items", w.shape(s.elem, inner))
		}
		o.set("maxItems", w.bound(path, s.longest))
	}
	if s.strings >= fewStrings {
		w.format(o, s.formats)
	}
}

func (w *writer) members(o *object, s *shape, path profile.Path) {
	fields := s.names()
	properties := &object{}
	required := []string{}
	for _, name := range sortedKeys(fields) {
		f := fields[name]
		properties.set(name, w.shape(&f.shape, append(path[:len(path):len(path)], profile.Step{Kind: profile.Field, Name: name})))
		if f.in == s.objects {
			required = append(required, name)
		}
	}
	if len(required) > 0 {
		o.set("required", required)
	}
	if len(fields) > 0 {
		o.set("properties", properties)
	}
	if s.rest.seen() {
		o.set("additionalProperties", w.shape(s.rest, append(path[:len(path):len(path)], profile.Step{Kind: profile.MapValues})))
	}
}

// bound returns the maximum length of a list.
func (w *writer) bound(path profile.Path, longest int64) int64 {
	if w.options.Bound != nil {
		if n, ok := w.options.Bound(w.collection, path.String()); ok {
			return max(n, longest)
		}
	}
	return longest
}

func (w *writer) format(o *object, set formatSet) {
	switch {
	case set == 1<<objectID:
		o.set("pattern", "^[0-9A-Fa-f]{24}$")
	case w.mongodb: // MongoDB has no formats
	case set == 1<<uuid:
		o.set("format", "uuid")
	case set == 1<<date:
		o.set("format", "date")
	case set == 1<<dateTime:
		o.set("format", "date-time")
	}
}

// typeNames lists the types. Every integer is also a number.
func (s *shape) typeNames() []string {
	var names []string
	for t := range numTypes {
		if s.types.has(t) && (t != typeInteger || !s.types.has(typeNumber)) {
			names = append(names, typeNames[t])
		}
	}
	return names
}

// one returns the only element of a list, or else the list.
func one(names []string) any {
	if len(names) == 1 {
		return names[0]
	}
	return names
}
