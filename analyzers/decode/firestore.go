package decode

import (
	"go/types"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/jsonlint/evidence"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// firestore applies the rules of cloud.google.com/go/firestore: types cannot
// decode themselves, and values are not converted, except whole numbers.
func (r *rules) firestore(t types.Type, class profile.Class, n *evidence.Node) (fails, unknown int64) {
	k := n.Types[class]
	if class == profile.Null {
		return 0, 0
	}
	for range maxPointers {
		p, ok := t.Underlying().(*types.Pointer)
		if !ok || r.known(p.Elem()) && !isTime(p.Elem()) {
			break
		}
		t = p.Elem()
	}
	switch class {
	case profile.ObjectID, profile.Special:
		return 0, k
	case profile.String, profile.Int, profile.Object:
		if !r.Typed && (isTime(t) || isBytes(t)) {
			return 0, k
		}
	}
	if isTime(t) {
		return only(class == profile.Date, k)
	}
	if r.known(deref(t)) {
		return 0, k
	}
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return only(isEmptyInterface(u), k)
	case *types.Struct:
		return only(class == profile.Object, k)
	case *types.Map:
		if class != profile.Object {
			return k, 0
		}
		return 0, unless(types.Identical(u.Key(), types.Typ[types.String]), k) // older versions panic on defined types
	case *types.Slice:
		if types.Identical(t, types.NewSlice(types.Typ[types.Byte])) {
			return only(class == profile.Binary, k)
		}
		return only(class == profile.Array, k)
	case *types.Array:
		return only(class == profile.Array, k)
	case *types.Basic:
		return r.scalar(u, class, n)
	}
	return 0, k
}

func isBytes(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	return ok && docmodel.IsByte(s.Elem())
}
