// Package decode determines which stored documents a codec can read into a Go
// type, and what happens to the others.
//
// The rules are those of the codecs themselves: package bson of the MongoDB
// driver, encoding/json, attributevalue of the AWS SDK, Firestore. It says
// nothing where documents and code do not show enough: for types with their own
// decoding methods, interfaces with methods, registered decoders.
// integration/codecs compares the rules with the codecs.
package decode

import (
	"go/types"
	"slices"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/jsonlint/evidence"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// Options state what types and documents do not show.
type Options struct {
	Codec    docmodel.Codec
	JSONTags bool      // bson uses json tags for fields without bson tags
	Hex      Knowledge // bson decodes an ObjectID into a string
	Truncate Knowledge // bson decodes a number with a fraction into an integer

	// Typed says that the documents distinguish dates, ids and bytes from strings.
	// In plain JSON any of them may have been written as a string, or a date as a
	// number.
	Typed bool
}

// Knowledge says whether a client's option is set.
type Knowledge uint8

const (
	No Knowledge = iota
	Yes
	Maybe
)

// A Mismatch is a set of stored values that the codec cannot read into the Go
// type at their place. Decoding a document with one of them fails.
type Mismatch struct {
	Path   string
	Chain  []*types.Var // fields on the way; the last one holds the values
	Node   *evidence.Node
	Type   types.Type // type that the values are read into
	Class  profile.Class
	Count  int64 // values that fail
	Some   bool  // other values may fail too
	Values int64 // number at the path
}

// An Object is a struct type with the stored objects that are read into it.
type Object struct {
	Path   string
	Chain  []*types.Var // fields on the way; none for the document
	Type   types.Type
	Node   *evidence.Node
	Fields []Field
	Extra  []string // stored names without a field, sorted
}

// A Field is a struct field with what is stored for it.
type Field struct {
	Name   string // name that the codec looks for
	Var    *types.Var
	Tag    docmodel.Tag
	Stored []string // stored names that are read into it, sorted; they may differ in case
}

// A Result is the comparison of a type with documents.
type Result struct {
	Mismatches []Mismatch // in field order
	Objects    []Object   // outer ones first
	Unknown    int64      // number of values with an unknown result
}

// Compare walks a struct type and the documents read into it.
func Compare(t types.Type, root *evidence.Node, o Options) *Result {
	w := &walker{rules: rules{Options: o}, result: &Result{}}
	w.object(t, docmodel.Tag{}, root, nil, nil)
	return w.result
}

type walker struct {
	rules
	result *Result
}

// object compares a struct with the objects at a path. tag is the tag of the
// field that holds them.
func (w *walker) object(t types.Type, tag docmodel.Tag, n *evidence.Node, path profile.Path, chain []*types.Var) {
	s := w.fields(t)
	if s.opaque {
		w.result.Unknown += n.Objects()
		return
	}
	o := Object{Path: path.String(), Chain: chain, Type: t, Node: n}
	stored := map[*types.Var][]string{}
	for _, name := range n.FieldNames() {
		if f := s.find(w.Codec, name); f != nil {
			stored[f.Var] = append(stored[f.Var], name)
		} else if s.rest == nil {
			o.Extra = append(o.Extra, name)
		}
	}
	for _, f := range s.fields {
		o.Fields = append(o.Fields, Field{Name: f.name, Var: f.Var, Tag: f.tag, Stored: stored[f.Var]})
	}
	w.result.Objects = append(w.result.Objects, o)
	for _, f := range s.fields {
		for _, name := range stored[f.Var] {
			if w.Codec == docmodel.Firestore && len(stored[f.Var]) > 1 && name != f.name { // Firestore reads only one of them
				w.result.Unknown += n.Fields[name].Values
				continue
			}
			w.value(f.typ, w.below(tag, f.tag), n.Fields[name], step(path, profile.Field, name), link(chain, f.Var))
		}
	}
	if s.rest != nil {
		for _, name := range n.FieldNames() {
			if s.find(w.Codec, name) == nil {
				w.value(s.rest.Elem(), w.below(tag, docmodel.Tag{}), n.Fields[name], step(path, profile.Field, name), link(chain, s.restVar))
			}
		}
	}
	if n.Rest != nil { // their names are unknown
		w.result.Unknown += n.Rest.Values
	}
}

// value compares a type with the values at a path and their contents.
func (w *walker) value(t types.Type, tag docmodel.Tag, n *evidence.Node, path profile.Path, chain []*types.Var) {
	for class := profile.Null; class < profile.NumClasses; class++ {
		k := n.Types[class]
		if k == 0 {
			continue
		}
		fails, unknown := w.judge(t, tag, class, n)
		if fails > 0 {
			w.result.Mismatches = append(w.result.Mismatches, Mismatch{
				Path: path.String(), Chain: chain, Node: n, Type: t, Class: class, Count: fails, Some: unknown > 0, Values: n.Values,
			})
		}
		w.result.Unknown += unknown
	}
	inner, tag := w.inner(t, tag), w.below(tag, docmodel.Tag{})
	switch u := inner.(type) {
	case *types.Slice:
		w.elements(u.Elem(), tag, n, path, chain)
	case *types.Array:
		if n.Lengths.Max <= u.Len() || w.Codec == docmodel.BSON {
			w.elements(u.Elem(), tag, n, path, chain)
		} else if n.Elem != nil { // elements that cannot be decoded are not checked further
			w.result.Unknown += n.Elem.Values
		}
	case *types.Map:
		if n.Objects() == 0 {
			return
		}
		for _, name := range n.FieldNames() {
			w.value(u.Elem(), tag, n.Fields[name], step(path, profile.Field, name), chain)
		}
		if n.Rest != nil {
			w.value(u.Elem(), tag, n.Rest, step(path, profile.MapValues, ""), chain)
		}
	case *types.Struct:
		if n.Objects() > 0 {
			w.object(deref(t), tag, n, path, chain)
		}
	}
}

func (w *walker) elements(t types.Type, tag docmodel.Tag, n *evidence.Node, path profile.Path, chain []*types.Var) {
	if n.Elem != nil {
		w.value(t, tag, n.Elem, step(path, profile.Element, ""), chain)
	}
}

// below returns the tag that applies to values, given the tag of an enclosing
// field: the driver passes on its option truncate.
func (w *walker) below(outer, tag docmodel.Tag) docmodel.Tag {
	if w.Codec == docmodel.BSON && outer.Has(truncate) && !tag.Has(truncate) {
		tag.Options = append(slices.Clone(tag.Options), truncate)
	}
	return tag
}

func step(path profile.Path, kind profile.StepKind, name string) profile.Path {
	return append(path[:len(path):len(path)], profile.Step{Kind: kind, Name: name})
}

func link(chain []*types.Var, v *types.Var) []*types.Var {
	return append(chain[:len(chain):len(chain)], v)
}

// Reads reports whether a field can read some of the values at a path.
func Reads(f Field, n *evidence.Node, o Options) bool {
	r := rules{o}
	for class := profile.Bool; class < profile.NumClasses; class++ {
		if fails, _ := r.judge(f.Var.Type(), f.Tag, class, n); fails < n.Types[class] {
			return true
		}
	}
	return false
}
