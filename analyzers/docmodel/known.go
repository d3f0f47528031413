package docmodel

import (
	"go/types"
	"slices"
)

// Open reports whether documents of the type may contain fields other than
// those listed: a method encodes them, a map is stored inline, or an embedded
// struct could not be read.
func (d *Document) Open() bool {
	for _, name := range append(slices.Clone(marshallers[d.Codec]), "MarshalText") {
		found, _, _ := types.LookupFieldOrMethod(types.NewPointer(d.Named), true, d.Named.Obj().Pkg(), name)
		if _, isMethod := found.(*types.Func); isMethod {
			return true
		}
	}
	return d.open(d.Named, nil)
}

func (d *Document) open(t types.Type, above []types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	if !ok || slices.Contains(above, t) {
		return !ok
	}
	for i := range s.NumFields() {
		v, tag := s.Field(i), d.Codec.Tag(s.Tag(i))
		if tag.Skips() || !d.Codec.inlines(v, tag) && !v.Embedded() {
			continue
		}
		inner := Pointed(v.Type())
		if d.Codec.inlines(v, tag) && d.open(inner, append(above, t)) || !d.Codec.inlines(v, tag) && inner.Underlying() == types.Typ[types.Invalid] {
			return true
		}
	}
	return false
}
