package decode

import (
	"go/types"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/jsonlint/evidence"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// json applies the rules of encoding/json. Pointers are followed to the first
// type that decodes itself, null leaves values that are not pointers unchanged,
// and keys match fields in any case.
func (r *rules) json(t types.Type, tag docmodel.Tag, class profile.Class, n *evidence.Node) (fails, unknown int64) {
	k := n.Types[class]
	switch class {
	case profile.ObjectID, profile.Date, profile.Binary, profile.Special: // an object or a string, depending on its wrapper
		return 0, k
	}
	quoted := quotes(t, tag)
	for range maxPointers {
		p, ok := t.Underlying().(*types.Pointer)
		if !ok || hasMethod(t, "UnmarshalJSON") && !r.known(p.Elem()) {
			break
		}
		if class == profile.Null {
			return 0, 0
		}
		t = p.Elem()
	}
	if r.known(t) {
		return r.jsonKnown(t, quoted, class, n)
	}
	if hasMethod(t, "UnmarshalJSON") || hasMethod(t, "UnmarshalJSONFrom") {
		return 0, k
	}
	if class == profile.Null {
		return 0, 0
	}
	if quoted || hasMethod(t, "UnmarshalText") {
		if class == profile.String {
			return 0, k
		}
		return k, 0
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return r.scalar(u, class, n)
	case *types.Struct:
		return only(class == profile.Object, k)
	case *types.Map:
		if class != profile.Object {
			return k, 0
		}
		return 0, unless(docmodel.IsText(u.Key()) && !hasMethod(u.Key(), "UnmarshalText"), k)
	case *types.Slice:
		if class == profile.String && docmodel.IsByte(u.Elem()) { // base64 or other text
			return 0, k
		}
		return only(class == profile.Array, k)
	case *types.Array:
		return only(class == profile.Array, k)
	case *types.Interface:
		return 0, unless(isEmptyInterface(u), k) // it may hold a pointer to read into
	}
	return 0, k
}

func (r *rules) jsonKnown(t types.Type, quoted bool, class profile.Class, n *evidence.Node) (fails, unknown int64) {
	k := n.Types[class]
	if class == profile.Null {
		return 0, 0
	}
	switch _, name := docmodel.TypeName(t); name {
	case "RawMessage":
		return 0, 0
	case "Time":
		if class == profile.String {
			return timeText(n)
		}
		return k, 0
	case "Number":
		switch class {
		case profile.String: // of digits
			return 0, k
		case profile.Int, profile.Double:
			return only(!quoted, k)
		}
		return k, 0
	}
	return 0, k
}

// quotes reports whether a field has the option string, so that its value is
// written in a string. It only affects scalars and pointers to them.
func quotes(t types.Type, tag docmodel.Tag) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && tag.Has("string") && b.Info()&(types.IsBoolean|types.IsInteger|types.IsFloat|types.IsString) != 0
}
