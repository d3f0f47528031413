package jsonlint

import (
	"cmp"
	"slices"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// A document may stand behind a name that is its id, {"ann":{…},"ben":{…}}: it
// gets the name as a member, and is found again at the name.

// idName is the member that a document gets for the name it is stored under.
const idName = "_id"

// identify makes a name that stood before the document its first member; the
// text ends with what that is called.
func identify(d *scan.Document, value scan.Token) {
	name := value
	name.A, name.B = uint32(len(d.Src)-len(idName)), uint32(len(d.Src))
	name.Flags &^= scan.Escaped
	value.Flags &^= scan.Key
	for i := range d.Tokens {
		if t := &d.Tokens[i]; t.Kind >= scan.Object {
			t.A += 2
		}
	}
	d.Tokens[0].B++
	d.Tokens = slices.Insert(d.Tokens, 1, name, value)
}

// A namedAt is where a document begins, and the name that is its id.
type namedAt struct{ doc, name int64 }

// nameBefore returns where the name stands that is the id of a document.
func nameBefore(d *profile.Document) (at namedAt, ok bool) {
	if len(d.Tokens) < 3 || d.Tokens[2].Start >= d.Tokens[0].Start {
		return at, false
	}
	return namedAt{d.Base + int64(d.Tokens[0].Start), d.Base + int64(d.Tokens[2].Start)}, true
}

// nameOf returns where the text of a document starts that has its id from a
// name: at the name.
func (e *engine) nameOf(at profile.Pos) (start int64, ok bool) {
	named := e.named[at.File]
	i, ok := slices.BinarySearchFunc(named, at.Doc, func(n namedAt, doc int64) int { return cmp.Compare(n.doc, doc) })
	if !ok {
		return at.Doc, false
	}
	return named[i].name, true
}

// underName reads a document that stands behind the name which is its id. The
// text before both is one letter.
func (r *reader) underName(text []byte) (part *scan.Document, ok bool) {
	d, err := r.plain.Parse(slices.Concat([]byte("{"), text, []byte("}")))
	if err != nil {
		return nil, false
	}
	f := databaseFile{d: d, yield: func(_ string, p *scan.Document) bool {
		part = p
		return false
	}}
	f.all("", 0)
	return part, part != nil
}
