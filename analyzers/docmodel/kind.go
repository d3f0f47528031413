package docmodel

import (
	"go/ast"
	"go/types"
	"strings"
)

// A Kind is how a value is stored.
type Kind uint8

const (
	Unknown Kind = iota
	String
	Number
	Bool
	Time
	ObjectID
	UUID
	Bytes
	Object    // a struct
	Interface // any, or an interface with methods
)

var kindNames = [...]string{"unknown", "string", "number", "bool", "time", "ObjectID", "UUID", "bytes", "object", "interface"}

func (k Kind) String() string { return kindNames[k] }

// IsID reports whether values of the kind can identify a document.
func (k Kind) IsID() bool { return k == String || k == Number || k == ObjectID || k == UUID }

// shape is what remains of a type without the pointers, lists and maps around
// it.
type shape struct {
	lists, maps int
	array       int64 // length of the outermost fixed array, or 0
	mapKey      types.Type
	nested      bool // a list is directly in a list
	elem        types.Type
}

// takeApart strips pointers, slices, arrays and maps, including those behind
// defined types. Bytes and fixed arrays of bytes are scalars.
func takeApart(t types.Type) shape {
	var s shape
	if t == nil { // in code that does not type-check
		return s
	}
	previousList := false
	for range 16 { // a defined type can contain itself: type T []T
		if kind, ok := wellKnown(t); ok && kind != Object {
			break
		}
		var element types.Type // of a list
		switch u := t.Underlying().(type) {
		case *types.Pointer:
			t = u.Elem()
			continue
		case *types.Slice:
			element = u.Elem()
		case *types.Array:
			element = u.Elem()
			if s.lists == 0 && s.maps == 0 && !IsByte(element) {
				s.array = u.Len()
			}
		case *types.Map:
			s.maps++
			if s.mapKey == nil {
				s.mapKey = u.Key()
			}
			previousList = false
			t = u.Elem()
			continue
		}
		if element == nil || IsByte(element) {
			break
		}
		s.lists++
		s.nested = s.nested || previousList
		previousList, t = true, element
	}
	s.elem = t
	return s
}

// wellKnown classifies types by name, so that it also works for types whose
// package could only be read in part.
func wellKnown(t types.Type) (Kind, bool) {
	path, name := TypeName(t)
	if path == "" {
		return Unknown, false
	}
	if u, ok := t.Underlying().(*types.Struct); ok && ofTime(u) {
		return Time, true
	}
	return wellKnownName(path, name)
}

// ofTime reports whether a struct is that of time.Time. Codecs convert types
// defined by it, or such types encode themselves.
func ofTime(u *types.Struct) bool {
	return u.NumFields() > 0 && u.Field(0).Pkg() != nil && u.Field(0).Pkg().Path() == "time" && !u.Field(0).Exported() && u.Field(0).Name() == "wall"
}

func wellKnownName(path, name string) (Kind, bool) {
	switch {
	case name == "ObjectID" && isBSONPackage(path), name == "ObjectId" && isBSONPackage(path):
		return ObjectID, true
	case name == "UUID" && strings.Contains(path, "uuid"):
		return UUID, true
	case path == "time" && name == "Time", name == "Timestamp" && strings.HasSuffix(path, "timestamppb"),
		(name == "DateTime" || name == "Timestamp" || name == "MongoTimestamp") && isBSONPackage(path):
		return Time, true
	case name == "Decimal128" && isBSONPackage(path), path == "time" && name == "Duration", name == "Number" && strings.HasSuffix(path, "json"):
		return Number, true
	case name == "RawMessage" || name == "Raw" || name == "RawValue":
		return Interface, true
	case name == "Binary" && isBSONPackage(path):
		return Bytes, true
	case (name == "M" || name == "D") && isBSONPackage(path):
		return Interface, true
	}
	return Unknown, false
}

func isBSONPackage(path string) bool {
	return strings.HasSuffix(path, "/bson") || strings.HasSuffix(path, "bson/primitive") || strings.HasSuffix(path, "mgo.v2/bson")
}

// KindOf returns the kind in which a codec stores values of a type, ignoring
// pointers. A defined type has the kind of its underlying type. An identifier
// that encodes itself as text is a string.
func KindOf(t types.Type, c Codec) Kind {
	for range 8 {
		pointer, ok := t.Underlying().(*types.Pointer)
		if !ok {
			break
		}
		t = pointer.Elem()
	}
	if kind, ok := wellKnown(t); ok {
		if kind == UUID && c != BSON {
			return String
		}
		return kind
	}
	if hasMethod(t, "MarshalText") {
		return String
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch info := u.Info(); {
		case info&types.IsString != 0:
			return String
		case info&types.IsNumeric != 0:
			return Number
		case info&types.IsBoolean != 0:
			return Bool
		}
	case *types.Slice:
		if IsByte(u.Elem()) {
			return Bytes
		}
	case *types.Array:
		if IsByte(u.Elem()) {
			switch u.Len() {
			case 12:
				return ObjectID
			case 16:
				return UUID
			}
			return Bytes
		}
	case *types.Struct:
		return Object
	case *types.Interface:
		return Interface
	}
	return Unknown
}

// kindOfExpr guesses the kind of an unresolved type from its source text.
func kindOfExpr(expr ast.Expr) Kind {
	switch e := expr.(type) {
	case *ast.StarExpr:
		return kindOfExpr(e.X)
	case *ast.SelectorExpr:
		switch e.Sel.Name {
		case "ObjectID", "ObjectId":
			return ObjectID
		case "UUID":
			return UUID
		case "Time", "DateTime", "Timestamp":
			return Time
		case "Decimal128", "Decimal":
			return Number
		}
	}
	return Unknown
}

// structNamed returns the defined struct type that a type is, points to, or
// lists, or nil.
func structNamed(t types.Type) *types.Named {
	named := Named(takeApart(t).elem)
	if named == nil {
		return nil
	}
	if _, ok := named.Underlying().(*types.Struct); !ok {
		return nil
	}
	return named
}

// TypeKey returns the name of a type across packages: import/path.Name.
func TypeKey(named *types.Named) string {
	obj := named.Origin().Obj()
	if obj.Pkg() == nil {
		return obj.Name()
	}
	return obj.Pkg().Path() + "." + obj.Name()
}

// Pointed returns what a pointer type points to, and other types unchanged.
func Pointed(t types.Type) types.Type {
	t = orInvalid(t)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}
