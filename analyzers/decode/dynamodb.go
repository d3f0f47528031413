package decode

import (
	"go/types"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/jsonlint/evidence"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// dynamodb applies the rules of attributevalue: it also reads numbers into
// strings, and drops elements that do not fit into an array.
func (r *rules) dynamodb(t types.Type, tag docmodel.Tag, class profile.Class, n *evidence.Node) (fails, unknown int64) {
	k := n.Types[class]
	if r.readsItself(deref(t)) && !isTime(deref(t)) {
		return 0, k
	}
	if class == profile.Null {
		return 0, 0
	}
	t = deref(t)
	switch class {
	case profile.ObjectID, profile.Date, profile.Special: // DynamoDB lacks these types
		return 0, k
	}
	if convertibleToTime(t) {
		switch class {
		case profile.String, profile.Int, profile.Double: // depends on a client setting
			return 0, k
		case profile.Object: // reads into a struct without fields
			return 0, 0
		}
		return k, 0
	}
	if class == profile.String && tag.Has("string") {
		return 0, k
	}
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return 0, unless(isEmptyInterface(u), k)
	case *types.Struct:
		return only(class == profile.Object, k)
	case *types.Map:
		if class != profile.Object {
			return k, 0
		}
		return 0, unless(docmodel.IsText(u.Key()) && !hasMethod(u.Key(), "UnmarshalText"), k)
	case *types.Slice:
		if class == profile.Binary {
			return only(docmodel.IsByte(u.Elem()), k)
		}
		return r.dynamodbList(u.Elem(), class, k)
	case *types.Array:
		if class == profile.Binary {
			return 0, k
		}
		return r.dynamodbList(u.Elem(), class, k)
	case *types.Basic:
		return r.scalar(u, class, n)
	}
	return 0, k
}

// bytes in a plain export
func (r *rules) dynamodbList(elem types.Type, class profile.Class, k int64) (fails, unknown int64) {
	if class == profile.String && docmodel.IsByte(elem) && !r.Typed { // bytes in a plain export
		return 0, k
	}
	return only(class == profile.Array, k)
}
