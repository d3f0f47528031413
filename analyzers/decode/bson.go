package decode

import (
	"go/types"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/jsonlint/evidence"
	"github.com/shapevet/shapevet/jsonlint/profile"
)

// bson applies the rules of package bson of the MongoDB driver. A decoder for
// the type itself comes before its methods, and these before a decoder for its
// kind. null becomes the zero value. The two major versions differ in one
// default, see Options.Hex.
func (r *rules) bson(t types.Type, tag docmodel.Tag, class profile.Class, n *evidence.Node) (fails, unknown int64) {
	k := n.Types[class]
	if class == profile.Null {
		if _, pointer := t.Underlying().(*types.Pointer); !pointer && r.readsItself(t) && !r.known(t) || types.IsInterface(t) && !isEmptyInterface(t) {
			return 0, k
		}
		return 0, 0
	}
	if path, name := docmodel.TypeName(t); r.known(t) {
		return r.bsonKnown(path, name, class, n)
	}
	if r.readsItself(t) {
		return 0, k
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return r.bson(u.Elem(), tag, class, n)
	case *types.Basic:
		return r.bsonBasic(u, tag, class, n)
	case *types.Struct:
		return only(class == profile.Object, k)
	case *types.Map:
		if class != profile.Object {
			return k, 0
		}
		plain := docmodel.IsText(u.Key()) && !hasMethod(u.Key(), "UnmarshalKey") && !hasMethod(u.Key(), "UnmarshalText")
		return 0, unless(plain && (!types.IsInterface(u.Elem()) || isEmptyInterface(u.Elem())), k)
	case *types.Slice:
		if class == profile.Array && types.Identical(t, types.NewSlice(types.Typ[types.Byte])) { // it has its own decoder
			return k, 0
		}
		return r.bsonList(u.Elem(), class, n, -1)
	case *types.Array:
		return r.bsonList(u.Elem(), class, n, u.Len())
	case *types.Interface:
		return 0, unless(isEmptyInterface(u), k)
	}
	return 0, k
}

// only says that values fail unless a condition holds.
func only(ok bool, k int64) (fails, unknown int64) {
	if ok {
		return 0, 0
	}
	return k, 0
}

// unless returns how many values are unknown unless a condition holds.
func unless(ok bool, k int64) int64 {
	if ok {
		return 0
	}
	return k
}

func (r *rules) bsonBasic(b *types.Basic, tag docmodel.Tag, class profile.Class, n *evidence.Node) (fails, unknown int64) {
	k := n.Types[class]
	switch info := b.Info(); {
	case info&types.IsString != 0:
		switch class {
		case profile.String:
			return 0, 0
		case profile.ObjectID:
			switch r.Hex {
			case No:
				return k, 0
			case Maybe:
				return 0, k
			}
			return 0, 0
		case profile.Binary, profile.Special: // depends on the subtype; symbols
			return 0, k
		}
		return k, 0
	case info&types.IsBoolean != 0:
		switch class {
		case profile.Bool, profile.Int:
			return 0, 0
		case profile.Double:
			return n.Decimals, 0
		}
	case b.Kind() == types.Float32 || b.Kind() == types.Float64:
		switch class {
		case profile.Bool:
			return 0, 0
		case profile.Int:
			return 0, unless(b.Kind() == types.Float64 || fits(n, 25, 24), k)
		case profile.Double:
			return n.Decimals, unless(b.Kind() == types.Float64 || r.truncates(tag) == Yes, k-n.Decimals)
		}
	case info&types.IsInteger != 0 && b.Kind() != types.Uintptr:
		switch class {
		case profile.Bool:
			return 0, 0
		case profile.Int:
			return whole(n, b)
		case profile.Double:
			fails, unknown = fractions(n, b)
			if r.truncates(tag) != No {
				fails, unknown = 0, fails+unknown
			}
			return fails + n.Decimals, unknown
		}
	default:
		return 0, k
	}
	if class == profile.Special {
		return 0, k // undefined is read as null
	}
	return k, 0
}

const truncate = "truncate" // the option of a tag

func (r *rules) truncates(tag docmodel.Tag) Knowledge {
	if tag.Has(truncate) {
		return Yes
	}
	return r.Truncate
}

// bsonList judges lists. length is that of a fixed array, or negative.
func (r *rules) bsonList(elem types.Type, class profile.Class, n *evidence.Node, length int64) (fails, unknown int64) {
	k := n.Types[class]
	_, unnamed := types.Unalias(elem).(*types.Basic)
	bytes := unnamed && docmodel.IsByte(elem)
	switch class {
	case profile.Array:
		if length >= 0 && n.Lengths.Max > length {
			return n.Lengths.AtMax, k - n.Lengths.AtMax
		}
		if types.IsInterface(elem) && (length >= 0 || !isEmptyInterface(elem)) { // the second version panics on [1]any
			return 0, k
		}
		return 0, 0
	case profile.Object:
		if bytes && !r.Typed { // a Buffer that was written as an object
			return 0, k
		}
		return only(isDocument(elem), k)
	case profile.Binary:
		if bytes {
			return 0, k // depends on the subtype
		}
		return k, 0
	case profile.String:
		if length >= 0 && bytes && !r.Typed { // a UUID that was written as an object
			return 0, k
		}
		return only(length < 0 && bytes, k)
	case profile.Special:
		return 0, k
	}
	return k, 0
}

// bsonKnown judges the types for which the driver has decoders.
func (r *rules) bsonKnown(path, name string, class profile.Class, n *evidence.Node) (fails, unknown int64) {
	k := n.Types[class]
	if class == profile.Special {
		return 0, k
	}
	if !r.Typed {
		switch class {
		case profile.String, profile.Int, profile.Double, profile.Object:
			return 0, k
		}
	}
	switch name {
	case "Time":
		switch class {
		case profile.Date:
			return 0, 0
		case profile.String:
			return timeText(n)
		case profile.Int: // a 64-bit integer is read as milliseconds
			return 0, k
		}
	case "DateTime", "Timestamp":
		if class == profile.Date { // the evidence does not distinguish the two
			return 0, k
		}
	case "ObjectID":
		switch class {
		case profile.ObjectID:
			return 0, 0
		case profile.String:
			return hexText(n)
		}
	case "Decimal128":
		if class == profile.Double {
			return k - n.Decimals, 0
		}
	case "Number":
		if path == "encoding/json" {
			switch class {
			case profile.Int:
				return 0, 0
			case profile.Double:
				return n.Decimals, 0
			}
			break
		}
		return 0, k
	case "Binary":
		return only(class == profile.Binary, k)
	case "D":
		return only(class == profile.Object, k)
	case "Raw": // the driver's versions differ for other values
		return 0, unless(class == profile.Object || class == profile.Array, k)
	case "RawValue":
		return 0, 0
	default:
		return 0, k
	}
	return k, 0
}

// timeText judges strings that are read as a time with a zone. Their form does
// not show whether such a day exists.
func timeText(n *evidence.Node) (fails, unknown int64) {
	zoned := n.Forms[profile.FormDateTimeZone]
	return n.Types[profile.String] - zoned, zoned
}

// hexText judges strings that are read as an ObjectID: 24 hex digits, or any
// 12 bytes.
func hexText(n *evidence.Node) (fails, unknown int64) {
	rest := n.Types[profile.String] - n.Forms[profile.FormHex24]
	const quoted = 12 + len(`""`)
	if n.Max < int64(quoted) {
		return rest, 0
	}
	for _, form := range []profile.Form{profile.FormUUID, profile.FormEmpty, profile.FormDate, profile.FormDateTimeZone, profile.FormSpacedTime, profile.FormDateTime} {
		fails += n.Forms[form]
	}
	return fails, rest - fails
}
