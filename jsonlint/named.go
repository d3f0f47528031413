package jsonlint

import (
	"cmp"
	"slices"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// The name before a document may be its id, as in {"ann":{…},"ben":{…}}. The
// document gets the name as a member, and its position is that of the name.

// idName is the member that holds the name a document is stored under.
const idName = "_id"

// identify makes the name before the document its first member. The text ends
// with the new member's name.
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

// A namedAt is the start of a document and of the name that is its id.
type namedAt struct{ doc, name int64 }

// nameBefore returns where the name that is a document's id stands.
func nameBefore(d *profile.Document) (at namedAt, ok bool) {
	if len(d.Tokens) < 3 || d.Tokens[2].Start >= d.Tokens[0].Start {
		return at, false
	}
	return namedAt{d.Base + int64(d.Tokens[0].Start), d.Base + int64(d.Tokens[2].Start)}, true
}

// nameOf returns where the text of a document starts if its id is a name: at
// that name.
func (e *engine) nameOf(at profile.Pos) (start int64, ok bool) {
	named := e.named[at.File]
	i, ok := slices.BinarySearchFunc(named, at.Doc, func(n namedAt, doc int64) int { return cmp.Compare(n.doc, doc) })
	if !ok {
		return at.Doc, false
	}
	return named[i].name, true
}

// underName reads a document behind the name that is its id. The text before
// both is one letter.
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
