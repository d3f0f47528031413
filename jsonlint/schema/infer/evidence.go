package infer

import (
	"encoding/json"
	"unicode/utf8"

	"github.com/shapevet/shapevet/jsonlint/evidence"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/schema/bson"
)

// fromEvidence makes a shape from evidence. Evidence counts classes of values,
// not notations, so the shape allows all notations.
func fromEvidence(n *evidence.Node, depth int) *shape {
	s := &shape{objects: n.Objects(), longest: n.Lengths.Max, strings: n.Types[profile.String]}
	s.classes(n)
	if n.Forms[profile.FormUUID] == s.strings {
		s.formats |= 1 << uuid
	}
	if n.Forms[profile.FormHex24] == s.strings {
		s.formats |= 1 << objectID
	}
	if depth >= maxDepth {
		return s
	}
	if n.Elem != nil {
		s.elem = fromEvidence(n.Elem, depth+1)
	}
	if n.Rest != nil {
		s.rest = fromEvidence(n.Rest, depth+1)
	}
	for name, from := range n.Fields {
		if !utf8.ValidString(name) {
			continue // a schema cannot express it
		}
		if s.fields == nil {
			s.fields = map[string]*field{}
		}
		f := &field{shape: *fromEvidence(from, depth+1), in: from.Values}
		if n.Docs > 0 && n.Objects() == n.Docs && from.Docs > 0 {
			f.in = from.Docs // a name that occurs twice in an object counts once
		}
		s.fields[name] = f
	}
	return s
}

// typed lists the notations for each class that JSON has no type for.
var typed = map[profile.Class][]bson.Wrapper{
	profile.ObjectID: {bson.WrapOID},
	profile.Date:     {bson.WrapDateText, bson.WrapDateNumber, bson.WrapDateLong, bson.WrapTimestamp},
	profile.Binary:   {bson.WrapBinary, bson.WrapOldBinary, bson.WrapUUID},
	profile.Special:  {bson.WrapRegex, bson.WrapOldRegex, bson.WrapMinKey, bson.WrapMaxKey},
}

// stored lists the types as which MongoDB stores each class.
var stored = [profile.NumClasses][]bson.Type{
	profile.Null: {bson.Null}, profile.Bool: {bson.Bool}, profile.Int: {bson.Int, bson.Long},
	profile.Double: {bson.Double, bson.Decimal}, profile.String: {bson.String}, profile.ObjectID: {bson.ObjectID},
	profile.Date: {bson.Date, bson.Timestamp}, profile.Binary: {bson.BinData}, profile.Special: {bson.Regex, bson.MinKey, bson.MaxKey},
	profile.Object: {bson.Object}, profile.Array: {bson.Array},
}

var plain = map[profile.Class]jsonType{
	profile.Null: typeNull, profile.Bool: typeBoolean, profile.Int: typeInteger, profile.Double: typeNumber, profile.String: typeString,
	profile.Object: typeObject, profile.Array: typeArray,
}

func (s *shape) classes(n *evidence.Node) {
	for class := profile.Null; class < profile.NumClasses; class++ {
		if n.Types[class] == 0 {
			continue
		}
		if t, ok := plain[class]; ok {
			s.types |= 1 << t
		}
		for _, w := range typed[class] {
			s.wrappers |= 1 << w
		}
		for _, t := range stored[class] {
			s.stored |= 1 << t
		}
	}
}

// wrapNumbers also allows numbers in Extended JSON.
func (s *shape) wrapNumbers() {
	if s.types.has(typeInteger) {
		s.wrappers |= 1<<bson.WrapInt | 1<<bson.WrapLong
	}
	if s.types.has(typeNumber) {
		s.wrappers |= 1<<bson.WrapInt | 1<<bson.WrapLong | 1<<bson.WrapDouble | 1<<bson.WrapDecimal
	}
	s.each((*shape).wrapNumbers)
}

// extended reports whether a value is certainly written in Extended JSON.
func (s *shape) extended() bool {
	found := s.wrappers != 0
	s.each(func(s *shape) { found = found || s.extended() })
	return found
}

func (s *shape) each(f func(*shape)) {
	if s.elem != nil {
		f(s.elem)
	}
	if s.rest != nil {
		f(s.rest)
	}
	for _, child := range s.fields {
		f(&child.shape)
	}
}

// literals returns a discriminator's value, which evidence holds as text, as
// JSON in each type that it has.
func literals(text string, s *shape) []string {
	var out []string
	if s.types.has(typeString) {
		out = append(out, quote(text))
	}
	if (s.types.has(typeInteger) || s.types.has(typeBoolean)) && json.Valid([]byte(text)) {
		out = append(out, text)
	}
	return out
}
