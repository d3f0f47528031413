package docmodel

import (
	"go/types"
	"slices"
	"strings"
)

// Limits on the fields of a document. Structs for FHIR nest so that a document would
// have tens of thousands, of which the deeper ones are left out. In other programs
// that were read the largest document has 500.
const (
	maxDepth  = 24
	maxFields = 2000
)

// maxKinds limits the structs that are listed below a field that holds anything.
const maxKinds = 16

// A treeBuilder lists the fields of a document as its codec stores them.
type treeBuilder struct {
	program  *Program
	document *Document
	above    []string // keys of the structs on the way down
	opened   bool     // below a field that holds anything
	deepest  int
	count    int // of fields
}

// build lists the fields of a document. If they are too many, it tries eight steps down
// from the document, and then fewer.
func (p *Program) build(d *Document) {
	for deepest := maxDepth; ; deepest = min(deepest, 9) - 1 {
		d.Unexported, d.Lost = nil, nil
		b := &treeBuilder{program: p, document: d, above: []string{d.Key}, deepest: deepest}
		if d.Fields = b.fields(d.Named, nil, "", "", 1); b.count <= maxFields || deepest == 1 {
			return
		}
	}
}

// fields lists the stored fields of a struct.
func (b *treeBuilder) fields(owner types.Type, parent *Field, path, dotted string, depth int) []*Field {
	s, ok := owner.Underlying().(*types.Struct)
	if !ok || depth > b.deepest || b.count > maxFields && b.deepest > 1 {
		return nil
	}
	named := Named(owner)
	var found []*Field
	for i := range s.NumFields() {
		v, raw := s.Field(i), s.Tag(i)
		tag := b.tag(raw)
		names := b.document.wording
		if parent != nil {
			names = parent.wording
		}
		as, ok := names[v.Origin()]
		if names != nil && !v.Embedded() {
			if !ok {
				continue
			}
			tag, raw = Tag{Name: as.name}, ""
		}
		if tag.Skips() {
			continue
		}
		if !v.Exported() && !v.Embedded() {
			if tag.Key != "" && v.Name() != "_" { // a blank field has no value to lose
				b.document.Unexported = append(b.document.Unexported, b.field(v, raw, tag, nil, named, parent, path, dotted, depth))
			}
			continue
		}
		if !v.Exported() && b.program.leavesOut(b.document.Codec) {
			if f := b.field(v, raw, tag, nil, named, parent, path, dotted, depth); f.Kind == Object {
				b.document.Lost = append(b.document.Lost, f)
			}
			continue
		}
		if inlined := b.inlined(v, tag); inlined != nil {
			key := TypeKey(inlined)
			b.program.bases[key] = true
			if slices.Contains(b.above, key) {
				continue
			}
			b.above = append(b.above, key)
			for _, f := range b.fields(inlined, parent, path, dotted, depth) {
				f.Promoted = true
				found = append(found, f)
			}
			b.above = b.above[:len(b.above)-1]
			continue
		}
		if !v.Exported() || types.IsInterface(v.Type()) && v.Embedded() {
			continue
		}
		found = append(found, b.field(v, raw, tag, as.by, named, parent, path, dotted, depth))
	}
	return found
}

// tag reads a field's tag as the codec does with the settings of the program's
// clients. For example, bson can be set to fall back to json tags.
func (b *treeBuilder) tag(raw string) Tag {
	tag := b.document.Codec.Tag(raw)
	if b.document.Codec == BSON && tag.Key == "" && tag.Name == "" && b.program.evidence.options.JSONTags {
		return JSON.Tag(raw)
	}
	return tag
}

// inlined returns the struct whose fields are stored in place of the field.
func (b *treeBuilder) inlined(v *types.Var, tag Tag) *types.Named {
	if !b.document.Codec.inlines(v, tag) {
		return nil
	}
	named := Named(Pointed(v.Type()))
	if named == nil {
		return nil
	}
	kind, known := wellKnown(named)
	if _, ok := named.Underlying().(*types.Struct); !ok || known && kind != Object {
		return nil
	}
	return named
}

func (b *treeBuilder) field(v *types.Var, raw string, tag Tag, by *types.Func, owner *types.Named, parent *Field, path, dotted string, depth int) *Field {
	codec := b.document.Codec
	b.count++
	s := takeApart(v.Type())
	f := &Field{
		Document: b.document, Parent: parent, Owner: owner, Var: v.Origin(), Name: codec.StoredName(v, tag), Type: v.Type(),
		Elem: s.elem, Kind: KindOf(s.elem, codec), Lists: s.lists, Maps: s.maps, MapKey: s.mapKey, Array: s.array, Nested: s.nested,
		Tag: tag, RawTag: raw, Depth: depth, Syntax: b.program.fields[v.Origin().Pos()],
	}
	_, f.Pointer = v.Type().Underlying().(*types.Pointer)
	if by != nil {
		f.wording = b.program.wordingBy(by, s.elem)
	}
	if codec == BSON && b.program.encoders[v.Type().String()] || f.Lists+f.Maps > 0 && codec.Marshals(v.Type()) { // it may be stored as anything
		f.Custom, f.Kind, f.Lists, f.Maps = true, Unknown, 0, 0
	} else if f.Kind == Unknown && f.Syntax != nil {
		f.Kind = kindOfExpr(f.Syntax.Type)
	}
	if f.Syntax != nil {
		f.Directives = directivesIn(f.Syntax.Doc, f.Syntax.Comment)
	}
	f.Path, f.Dotted = join(path, quoted(f.Name)), join(dotted, f.Name)
	inner, below := f.Path, depth
	for range f.Maps {
		inner, below = inner+"{}", below+1
	}
	for range f.Lists {
		inner, below = inner+"[]", below+1
	}
	if parameter := typeParam(v.Origin().Type()); parameter != nil && (f.Kind == Object || typeParam(v.Type()) != nil) {
		for _, t := range b.contents(node{obj: parameter.Obj()}) { // of an envelope
			f.Kind = Object
			b.below(f, t, inner, below)
		}
	} else if f.Kind == Object && b.program.Own(s.elem) {
		b.below(f, s.elem, inner, below)
	} else if f.Kind == Interface && !b.opened {
		if kinds := b.contents(node{v.Origin(), whenMade}); len(kinds) <= maxKinds {
			b.opened = true // a field that holds anything may hold its own owner
			for _, t := range kinds {
				b.below(f, t, inner, below)
			}
			b.opened = false
		}
		f.Struct, f.Recurses = nil, false // it may be several
	}
	return f
}

// below lists the fields of the structs that a field contains.
func (b *treeBuilder) below(f *Field, t types.Type, path string, depth int) {
	f.Custom = f.Custom || b.document.Codec.Marshals(t)
	if named := Named(t); named != nil {
		f.Struct = named
		key := TypeKey(named)
		if slices.Contains(b.above, key) {
			f.Recurses = true
			return
		}
		b.above = append(b.above, key)
		defer func() { b.above = b.above[:len(b.above)-1] }()
	}
	f.Fields = append(f.Fields, b.fields(t, f, path, f.Dotted, depth+1)...)
}

// contents returns the structs that a type parameter is instantiated with, or that code
// puts into a field of interface type of a value that it makes. What it puts into one that
// it has read may be for an answer. What is encoded as JSON has no fields for another codec.
func (b *treeBuilder) contents(of node) []types.Type {
	var found []types.Type
	for _, s := range b.program.flow.reach([]source{{from: of}}) {
		if named := structNamed(s.typ); named != nil && b.program.Own(named) && (!s.json || b.document.Codec == JSON) && !slices.ContainsFunc(found, func(t types.Type) bool { return types.Identical(t, named) }) {
			found = append(found, named)
		}
	}
	return found
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// quoted returns a name as it is written in a path.
func quoted(name string) string {
	if name == "" || strings.ContainsAny(name, `.[]{}"`) {
		return `["` + strings.ReplaceAll(name, `"`, `\"`) + `"]`
	}
	return name
}

// Own reports whether a type is declared in one of the modules that were read.
// Anonymous types are.
func (p *Program) Own(t types.Type) bool {
	if Named(t) == nil {
		return true
	}
	path, _ := TypeName(t)
	if p.foreign[path] || p.packages[path] {
		return !p.foreign[path]
	}
	for module := range p.modules {
		if path == module || strings.HasPrefix(path, module+"/") {
			return true
		}
	}
	return false
}
