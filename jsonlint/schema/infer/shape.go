package infer

import (
	"maps"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
	"github.com/shapevet/shapevet/jsonlint/schema/bson"
)

// A shape is what is known about the values at one path.
type shape struct {
	types    typeSet         // of values written as plain JSON
	wrappers bson.WrapperSet // of values written as Extended JSON objects
	stored   bson.TypeSet    // types as which MongoDB stores the values

	strings int64     // number of plain strings
	formats formatSet // formats of all these strings

	longest int64 // length of the longest array
	elem    *shape

	objects int64
	fields  map[string]*field
	rest    *shape // values of the names without a field; may be nil
}

// A field holds the values of one name in the objects at a path.
type field struct {
	shape
	in   int64 // number of objects with the name
	last int64 // number of the last such object
}

// maxDepth bounds the levels described. No database stores that many. Anything
// is allowed below.
const maxDepth = 100

// see adds the value at i, which is depth levels below the document.
func (s *shape) see(d *scan.Document, i, depth int) {
	t := &d.Tokens[i]
	s.stored |= 1 << bson.TypeOf(d, i)
	if w := bson.WrapperOf(d, i); w != bson.Unwrapped {
		s.wrappers |= 1 << w
		return
	}
	switch t.Kind {
	case scan.Null:
		s.types |= 1 << typeNull
	case scan.False, scan.True:
		s.types |= 1 << typeBoolean
	case scan.Number, scan.Decimal:
		if t.Flags&scan.Float != 0 || t.Kind == scan.Decimal {
			s.types |= 1 << typeNumber
		} else {
			s.types |= 1 << typeInteger
		}
	case scan.Object:
		s.types |= 1 << typeObject
		if depth < maxDepth {
			s.seeObject(d, i, depth)
		}
	case scan.Array:
		s.types |= 1 << typeArray
		s.longest = max(s.longest, int64(d.Len(i)))
		if depth >= maxDepth {
			return
		}
		for _, v := range d.Elements(i) {
			s.element().see(d, v, depth+1)
		}
	default:
		s.types |= 1 << typeString
		s.seeString(d, i)
	}
}

func (s *shape) seeObject(d *scan.Document, i, depth int) {
	s.objects++
	for k, v := range d.Members(i) {
		f := s.fields[string(d.Text(k))]
		if d.Tokens[k].Flags&scan.Escaped != 0 {
			f = s.fields[d.String(k)]
		}
		if f == nil {
			s.others().see(d, v, depth+1)
			continue
		}
		f.see(d, v, depth+1)
		if f.last != s.objects { // a repeated name counts once
			f.last = s.objects
			f.in++
		}
	}
}

func (s *shape) seeString(d *scan.Document, i int) {
	s.strings++
	if s.formats == 0 && s.strings > 1 {
		return
	}
	has := formatsOf(d, i)
	if s.strings == 1 {
		s.formats = has
	} else {
		s.formats &= has
	}
}

func (s *shape) element() *shape {
	if s.elem == nil {
		s.elem = &shape{}
	}
	return s.elem
}

func (s *shape) others() *shape {
	if s.rest == nil {
		s.rest = &shape{}
	}
	return s.rest
}

// blank returns a shape with the same names but no values.
func (s *shape) blank() *shape {
	b := &shape{}
	if s.elem != nil {
		b.elem = s.elem.blank()
	}
	if s.rest != nil {
		b.rest = s.rest.blank()
	}
	if s.fields != nil {
		b.fields = make(map[string]*field, len(s.fields))
		for name, f := range s.fields {
			b.fields[name] = &field{shape: *f.blank()}
		}
	}
	return b
}

// add adds the values of another shape with the same names.
func (s *shape) add(o *shape) {
	s.types |= o.types
	s.wrappers |= o.wrappers
	s.stored |= o.stored
	switch {
	case s.strings == 0:
		s.formats = o.formats
	case o.strings > 0:
		s.formats &= o.formats
	}
	s.strings += o.strings
	s.longest = max(s.longest, o.longest)
	s.objects += o.objects
	if o.elem != nil {
		s.element().add(o.elem)
	}
	if o.rest != nil {
		s.others().add(o.rest)
	}
	for name, f := range o.fields {
		s.fields[name].add(&f.shape)
		s.fields[name].in += f.in
	}
}

// seen reports whether there were any values.
func (s *shape) seen() bool { return s != nil && (s.types != 0 || s.wrappers != 0) }

// names returns the fields that have values.
func (s *shape) names() map[string]*field {
	out := maps.Clone(s.fields)
	maps.DeleteFunc(out, func(_ string, f *field) bool { return !f.seen() })
	return out
}

// at returns the shape of the values at a path of fields, or nil.
func (s *shape) at(path profile.Path) *shape {
	for _, step := range path {
		f := s.fields[step.Name]
		if f == nil {
			return nil
		}
		s = &f.shape
	}
	return s
}

// A format is a format that all strings at a path share.
type format uint8

const (
	dateTime format = iota // RFC 3339
	date
	uuid
	objectID // 24 hex digits
	numFormats
)

type formatSet uint8

// fewStrings is the number of strings below which a shared format may be
// chance.
const fewStrings = 10

// formatsOf tests each format with the function that validates it.
func formatsOf(d *scan.Document, i int) (set formatSet) {
	text := d.Text(i)
	switch form := profile.FormOf(text); {
	case form == profile.FormHex24:
		return 1 << objectID
	case form == profile.FormUUID && jsonschema.Formats["uuid"](string(text)):
		return 1 << uuid
	case form == profile.FormDate && jsonschema.Formats["date"](string(text)):
		return 1 << date
	case form == profile.FormDateTimeZone && jsonschema.Formats["date-time"](string(text)):
		return 1 << dateTime
	}
	return 0
}

// A jsonType is a type of JSON Schema.
type jsonType uint8

const (
	typeObject jsonType = iota
	typeArray
	typeString
	typeInteger
	typeNumber
	typeBoolean
	typeNull
	numTypes
)

var typeNames = [numTypes]string{"object", "array", "string", "integer", "number", "boolean", "null"}

type typeSet uint8

func (s typeSet) has(t jsonType) bool { return s&(1<<t) != 0 }
