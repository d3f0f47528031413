package decode

import (
	"go/types"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/jsonlint/evidence"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// rules are those of one codec with its settings.
type rules struct{ Options }

// judge returns how many of the values of a class at a path fail to decode into
// a type, and for how many that is unknown.
func (r *rules) judge(t types.Type, tag docmodel.Tag, class profile.Class, n *evidence.Node) (fails, unknown int64) {
	switch r.Codec {
	case docmodel.BSON:
		return r.bson(t, tag, class, n)
	case docmodel.JSON:
		return r.json(t, tag, class, n)
	case docmodel.DynamoDB:
		return r.dynamodb(t, tag, class, n)
	case docmodel.Firestore:
		return r.firestore(t, class, n)
	}
	return 0, n.Types[class]
}

// inner returns the underlying type that the contents of arrays and objects are
// read into: a slice, an array, a map or a struct. It returns nil if the codec
// does not look into the type, or if that is unknown.
func (r *rules) inner(t types.Type, tag docmodel.Tag) types.Type {
	if r.Codec == docmodel.JSON && quotes(t, tag) {
		return nil
	}
	for range maxPointers {
		if r.known(t) || r.readsItself(t) {
			return nil
		}
		p, ok := t.Underlying().(*types.Pointer)
		if !ok {
			break
		}
		t = p.Elem()
	}
	u := t.Underlying()
	if s, ok := u.(*types.Slice); ok && r.Codec == docmodel.BSON && isDocument(s.Elem()) {
		return nil // bson.D
	}
	return u
}

const maxPointers = 8

func deref(t types.Type) types.Type {
	for range maxPointers {
		p, ok := t.Underlying().(*types.Pointer)
		if !ok {
			break
		}
		t = p.Elem()
	}
	return t
}

// known reports whether the codec has rules of its own for a type.
func (r *rules) known(t types.Type) bool {
	path, name := docmodel.TypeName(t)
	switch r.Codec {
	case docmodel.BSON:
		return path == "time" && name == "Time" || isBSON(path) && name != "M" && name != "A" && name != "E" ||
			path == "encoding/json" && name == "Number" || path == "net/url" && name == "URL" || strings.HasSuffix(path, "bsonx/bsoncore")
	case docmodel.JSON:
		return path == "time" && name == "Time" || path == "encoding/json" && (name == "Number" || name == "RawMessage")
	case docmodel.DynamoDB:
		return convertibleToTime(t)
	case docmodel.Firestore:
		return path == "time" && name == "Time" || isBSON(path) || strings.HasSuffix(path, "timestamppb") || strings.HasSuffix(path, "latlng") ||
			strings.HasSuffix(path, "go/firestore")
	}
	return false
}

// unmarshallers are the methods by which a type decodes itself.
var unmarshallers = map[docmodel.Codec][]string{
	docmodel.BSON:     {"UnmarshalBSON", "UnmarshalBSONValue", "SetBSON"},
	docmodel.JSON:     {"UnmarshalJSON", "UnmarshalJSONFrom", "UnmarshalText"},
	docmodel.DynamoDB: {"UnmarshalDynamoDBAttributeValue", "UnmarshalText", "UnmarshalBinary"},
}

// readsItself reports whether a method of a type, its own or promoted, decides
// what it can read.
func (r *rules) readsItself(t types.Type) bool {
	if isInvalid(t) {
		return true // its declaration is unknown
	}
	return slices.ContainsFunc(unmarshallers[r.Codec], func(name string) bool { return hasMethod(t, name) })
}

func hasMethod(t types.Type, name string) bool {
	if types.IsInterface(t) {
		return false
	}
	if _, ok := t.Underlying().(*types.Pointer); !ok {
		t = types.NewPointer(t)
	}
	object, _, _ := types.LookupFieldOrMethod(t, false, nil, name)
	_, ok := object.(*types.Func)
	return ok
}

func isTime(t types.Type) bool {
	path, name := docmodel.TypeName(t)
	return path == "time" && name == "Time"
}

func convertibleToTime(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	return isTime(t) || ok && docmodel.Named(t) != nil && s.NumFields() == 3 && s.Field(0).Name() == "wall" && s.Field(1).Name() == "ext" && s.Field(2).Name() == "loc"
}

// isBSON reports whether a path is that of the bson package of the MongoDB
// driver, in either major version.
func isBSON(path string) bool {
	return strings.HasSuffix(path, "mongo-driver/v2/bson") || strings.HasSuffix(path, "mongo-driver/bson/primitive") || strings.HasSuffix(path, "mongo-driver/bson")
}

func isDocument(t types.Type) bool {
	path, name := docmodel.TypeName(t)
	return isBSON(path) && name == "E"
}

func isEmptyInterface(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.NumMethods() == 0
}

// scalar judges what codecs other than BSON read into a string, a bool or a
// number.
func (r *rules) scalar(b *types.Basic, class profile.Class, n *evidence.Node) (fails, unknown int64) {
	k := n.Types[class]
	switch info := b.Info(); {
	case info&types.IsString != 0:
		return only(class == profile.String || r.Codec == docmodel.DynamoDB && (class == profile.Int || class == profile.Double), k)
	case info&types.IsBoolean != 0:
		return only(class == profile.Bool, k)
	case info&types.IsFloat != 0:
		switch class {
		case profile.Int:
			return 0, unless(r.Codec != docmodel.Firestore || fits(n, 54, 53), k)
		case profile.Double:
			return 0, unless(b.Kind() == types.Float64, k)
		}
		return k, 0
	case r.Codec == docmodel.Firestore && (b.Kind() == types.Uint || b.Kind() == types.Uint64 || b.Kind() == types.Uintptr): // it never reads these
		return k, 0
	case info&types.IsInteger != 0 && b.Kind() != types.Uintptr:
		switch {
		case class == profile.Int:
			return whole(n, b)
		case class == profile.Double && r.Codec == docmodel.Firestore:
			return fractions(n, b)
		case class == profile.Double: // 1.0 is rejected, but databases write it as 1
			return n.Fractions, k - n.Fractions
		}
		return k, 0
	}
	return 0, k
}

// integers returns how many bits the integers of a type have: with the sign for
// negative numbers, without it for others.
func integers(b *types.Basic) (below, above int) {
	bits := int(8 * types.SizesFor("gc", "amd64").Sizeof(b))
	if b.Info()&types.IsUnsigned != 0 {
		return 0, bits
	}
	return bits, bits - 1
}

// fits reports whether no integer at a path has more bits.
func fits(n *evidence.Node, below, above int) bool {
	return n.Ints.Below <= below && n.Ints.Above <= above
}

// whole returns how many of the integers at a path do not fit an integer type.
// If the longest does not fit, only one is known to fail.
func whole(n *evidence.Node, b *types.Basic) (fails, unknown int64) {
	below, above := integers(b)
	k := n.Types[profile.Int]
	switch {
	case n.Ints.Above >= 64: // no longer numbers were distinguished
		return 0, k
	case fits(n, below, above):
		return 0, 0
	}
	return 1, k - 1
}

// fractions returns how many of the doubles at a path do not fit an integer
// type. For whole doubles this is only known if the type is wide enough for all
// of them.
func fractions(n *evidence.Node, b *types.Basic) (fails, unknown int64) {
	rest := n.Types[profile.Double] - n.Decimals - n.Fractions
	if b.Kind() == types.Int || b.Kind() == types.Int64 {
		return n.Fractions, 0
	}
	return n.Fractions, rest
}
