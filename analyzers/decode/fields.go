package decode

import (
	"cmp"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/shapevet/shapevet/analyzers/docmodel"
)

// A field is a struct field that a codec reads into.
type field struct {
	name  string
	tag   docmodel.Tag
	Var   *types.Var
	typ   types.Type
	named bool // the tag contains the name
	index []int
}

// A layout is the fields of a struct as a codec sees them.
type layout struct {
	fields  []field    // in the order of the declaration, without those that others hide
	rest    *types.Map // collects names that no field has
	restVar *types.Var
	opaque  bool // what it reads is unknown, or it cannot be decoded at all
}

// find returns the field that a stored name is read into, or nil if the codec
// skips it.
func (l *layout) find(codec docmodel.Codec, name string) *field {
	i := slices.IndexFunc(l.fields, func(f field) bool { return f.name == name })
	if i < 0 {
		lower := strings.ToLower(name)
		i = slices.IndexFunc(l.fields, func(f field) bool {
			return f.name == lower || codec != docmodel.BSON && strings.EqualFold(f.name, name)
		})
	}
	if i < 0 {
		return nil
	}
	return &l.fields[i]
}

// fields lists the fields of a struct, including those of embedded and inlined
// ones. If several have the same name, Go's rules for promotion select one.
func (r *rules) fields(t types.Type) *layout {
	l := &layout{}
	var all []field
	r.gather(t, nil, nil, l, &all)
	slices.SortStableFunc(all, func(a, b field) int {
		named := 0
		if r.Codec != docmodel.BSON && a.named != b.named {
			named = 1
			if a.named {
				named = -1
			}
		}
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(len(a.index), len(b.index)), named, slices.Compare(a.index, b.index))
	})
	for i := 0; i < len(all); {
		end := i + 1
		for end < len(all) && all[end].name == all[i].name {
			end++
		}
		tie := end > i+1 && len(all[i].index) == len(all[i+1].index) && (r.Codec == docmodel.BSON || all[i].named == all[i+1].named)
		switch {
		case !tie:
			l.fields = append(l.fields, all[i])
		case r.Codec == docmodel.BSON:
			l.opaque = true // the driver rejects the type
		}
		i = end
	}
	slices.SortFunc(l.fields, func(a, b field) int { return slices.Compare(a.index, b.index) })
	return l
}

func (r *rules) gather(t types.Type, index []int, above []types.Type, l *layout, all *[]field) {
	s, ok := t.Underlying().(*types.Struct)
	if !ok || slices.Contains(above, t) || r.readsItself(t) && !isTime(t) {
		l.opaque = true
		return
	}
	above = append(above, t)
	for i := range s.NumFields() {
		v := s.Field(i)
		tag := r.tag(s.Tag(i))
		at := append(index[:len(index):len(index)], i)
		inner, pointer := v.Type(), false
		if p, ok := inner.Underlying().(*types.Pointer); ok {
			inner, pointer = p.Elem(), true
		}
		_, isStruct := inner.Underlying().(*types.Struct)
		if tag.Skips() || !v.Exported() && !r.promotes(v, isStruct) {
			continue
		}
		if isInvalid(inner) && v.Embedded() {
			l.opaque = true
			continue
		}
		if r.refuses(tag) {
			l.opaque = true
		}
		if !r.inlined(v, tag, isStruct && !isTime(inner)) {
			*all = append(*all, field{name: r.Codec.StoredName(v, tag), tag: tag, Var: v.Origin(), typ: v.Type(), named: tag.Name != "", index: at})
			continue
		}
		if m, ok := v.Type().Underlying().(*types.Map); ok && r.Codec == docmodel.BSON {
			if l.rest != nil || !types.Identical(m.Key(), types.Typ[types.String]) {
				l.opaque = true
			}
			l.rest, l.restVar = m, v.Origin()
			continue
		}
		if pointer && !v.Exported() {
			l.opaque = true // it cannot be set
		}
		if slices.Contains(above, inner) { // its fields are already promoted from a shallower level
			continue
		}
		r.gather(inner, at, above, l, all)
	}
}

// promotes reports whether the fields of an unexported field are read.
func (r *rules) promotes(v *types.Var, isStruct bool) bool {
	return r.Codec != docmodel.BSON && v.Embedded() && isStruct
}

// refuses reports whether the codec fails because of an option that it does not
// know.
func (r *rules) refuses(tag docmodel.Tag) bool {
	return r.Codec == docmodel.Firestore && slices.ContainsFunc(tag.Options, func(option string) bool { return option != "omitempty" && option != "serverTimestamp" })
}

// inlined reports whether the fields of a field's value are stored next to it,
// not in it.
func (r *rules) inlined(v *types.Var, tag docmodel.Tag, isStruct bool) bool {
	if r.Codec == docmodel.BSON {
		return tag.Has("inline") || tag.Name == "inline"
	}
	return v.Embedded() && tag.Name == "" && isStruct
}

func isInvalid(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Invalid
}

// tag reads a field's tag as the codec does.
func (r *rules) tag(raw string) docmodel.Tag {
	tag := r.Codec.Tag(raw)
	if r.Codec == docmodel.BSON && tag.Key == "" && tag.Name == "" && r.JSONTags {
		return docmodel.JSON.Tag(raw)
	}
	if r.Codec == docmodel.JSON && !validName(tag.Name) {
		tag.Name = ""
	}
	if r.Codec == docmodel.DynamoDB && tag.Name == "-" {
		tag.Options = nil // they do not matter
	}
	if r.Codec == docmodel.JSON && reflect.StructTag(raw).Get("json") == "-" {
		return docmodel.Tag{Key: "json", Name: "-"}
	}
	return tag
}

// validName reports whether encoding/json accepts a name in a tag.
func validName(name string) bool {
	for _, c := range name {
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", c) && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return false
		}
	}
	return true
}
