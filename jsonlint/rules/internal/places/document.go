package places

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/wording"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

const RelatedPlaces = 10

// Scalar reports whether the value at i is a scalar other than null.
func Scalar(d *profile.Document, i int) bool {
	c := d.Class(i)
	return c != profile.Null && c < profile.Object
}

// EnoughDocuments is the number of documents from which ratios mean something.
const EnoughDocuments = 20

// MemberName returns the token of the name under which the object at i has a
// member, the last one if it has several.
func MemberName(d *profile.Document, i int, name string) (key int, ok bool) {
	v, ok := d.Get(i, name)
	return v - 1, ok
}

func HasMember(d *profile.Document, name string) bool {
	i, ok := d.Get(0, name)
	return ok && d.Class(i) != profile.Null
}

// SmallerDocument returns the position in the smaller document, or the earlier
// one of equals.
func SmallerDocument(a, b profile.Pos) profile.Pos {
	switch {
	case !a.Known():
		return b
	case !b.Known() || a.DocLen < b.DocLen:
		return a
	case b.DocLen < a.DocLen || b.Compare(a) < 0:
		return b
	}
	return a
}

// EncodingGrowth is the largest factor by which an encoding of a document
// exceeds its JSON text. Arrays of one-digit numbers are the worst case.
const EncodingGrowth = 8

// Whole returns a collection with all kinds combined, for rules about what the
// kinds share, such as the ids.
func Whole(c *model.Collection) *model.Entity {
	return &model.Entity{Collection: c, Profile: c.Profile}
}

// TokenOf reads the document at a position again and finds the name or value
// there. It is not ok if that can no longer be read.
func TokenOf(p *check.Pass, at profile.Pos) (d *profile.Document, i int, ok bool) {
	if !at.Known() {
		return nil, 0, false
	}
	d, err := p.Document(at)
	if err != nil {
		return nil, 0, false
	}
	if d.At(0).Off == at.Off {
		return d, 0, true
	}
	// The document's id may come before it.
	i, ok = slices.BinarySearchFunc(d.Tokens[1:], at.Off, func(t scan.Token, off int64) int {
		return cmp.Compare(d.Base+int64(t.Start), off)
	})
	return d, i + 1, ok
}

// NameOf returns the position of the name before the value at a position, or
// the position itself if there is none.
func NameOf(p *check.Pass, at profile.Pos) profile.Pos {
	d, i, ok := TokenOf(p, at)
	if !ok || i == 0 || d.Tokens[i].Flags&scan.Key != 0 || d.Tokens[i-1].Flags&scan.Key == 0 {
		return at
	}
	return d.At(i - 1)
}

// Quote returns the value at a position, for a message.
func Quote(p *check.Pass, at profile.Pos) string {
	return wording.Shorten(WrittenAt(p, at), wording.Quotable)
}

// QuoteTwo quotes two values that differ.
func QuoteTwo(p *check.Pass, a, b profile.Pos) (one, other string) {
	return wording.ShortenTwo(WrittenAt(p, a), WrittenAt(p, b))
}

// QuoteToken quotes a value, or the value of a name.
func QuoteToken(d *profile.Document, i int) string {
	return wording.Shorten(writtenToken(d, i), wording.Quotable)
}

// WrittenAt returns the value at a position as people write it.
func WrittenAt(p *check.Pass, at profile.Pos) string {
	d, i, ok := TokenOf(p, at)
	if !ok {
		return "?"
	}
	return writtenToken(d, i)
}

func writtenToken(d *profile.Document, i int) string {
	if d.Tokens[i].Flags&scan.Key != 0 {
		i++
	}
	return Written(d, i)
}

// Written returns a value as people write it: JSON that does not depend on the
// document's white space and escapes, with ObjectId("6801ee3b5f2c9a1d4c7e8f90")
// instead of the wrappers of Extended JSON.
func Written(d *profile.Document, i int) string {
	return string(appendWritten(nil, d, i))
}

// longestNumber is the length up to which a number is written without an exponent.
const longestNumber = 20

func appendWritten(b []byte, d *profile.Document, i int) []byte {
	t := &d.Tokens[i]
	text := ""
	if t.Kind < scan.Object {
		text = d.String(i)
	}
	called := func(name string) []byte { return append(strconv.AppendQuote(append(b, name...), text), ')') }
	switch t.Kind {
	case scan.Object:
		b = append(b, '{')
		for k, v := range d.Members(i) {
			if k > i+1 {
				b = append(b, ',')
			}
			b = append(reshape.String(d.String(k)).AppendJSON(b), ':')
			b = appendWritten(b, d, v)
		}
		return append(b, '}')
	case scan.Array:
		b = append(b, '[')
		for n, v := range d.Elements(i) {
			if n > 0 {
				b = append(b, ',')
			}
			b = appendWritten(b, d, v)
		}
		return append(b, ']')
	case scan.String:
		return reshape.String(text).AppendJSON(b)
	case scan.ObjectID:
		return called("ObjectId(")
	case scan.Decimal:
		return called("Decimal128(")
	case scan.Date:
		if milliseconds, err := strconv.ParseInt(text, 10, 64); err == nil {
			return time.UnixMilli(milliseconds).UTC().AppendFormat(b, "2006-01-02T15:04:05.999Z07:00")
		}
		return append(b, text...)
	case scan.Binary:
		if bytes.Contains(d.Raw(i), []byte("$uuid")) {
			return called("UUID(")
		}
		return called("Binary(")
	case scan.Number:
		if plain := d.Canonical(i); strings.ContainsAny(text, "eE") && len(plain) <= longestNumber {
			text = string(plain) // dumps of BSON have 1.421836452052E+12
		}
		return append(b, text...)
	}
	var raw bytes.Buffer
	if json.Compact(&raw, d.Raw(i)) != nil {
		return append(b, d.Raw(i)...)
	}
	return append(b, raw.Bytes()...)
}

// A SmallestDocument keeps the position of the smallest document seen, or the
// earlier one of equals.
type SmallestDocument struct{ At profile.Pos }

// AddDocument adds a document, which is rarely the smallest.
func (s *SmallestDocument) AddDocument(d *profile.Document) {
	n := d.Tokens[0].End - d.Tokens[0].Start
	if n < s.At.DocLen || n == s.At.DocLen && !d.Follows(&s.At) || !s.At.Known() {
		s.Add(d.Start())
	}
}

func (s *SmallestDocument) Add(at profile.Pos) {
	switch {
	case !at.Known():
	case !s.At.Known(), at.DocLen < s.At.DocLen, at.DocLen == s.At.DocLen && at.Compare(s.At) < 0:
		s.At = at
	}
}

// readLimit is the largest document that is parsed into a tree.
const readLimit = 1 << 20

// Read returns a document as a tree. It fails if the document is too large to
// show.
func Read(p *check.Pass, at profile.Pos) (*reshape.Value, error) {
	if at.DocLen > readLimit {
		return nil, fmt.Errorf("the document has %d bytes, too many to be shown", at.DocLen)
	}
	d, err := p.Document(at)
	if err != nil {
		return nil, err
	}
	return reshape.From(d.Document, 0), nil
}

// DocumentPos returns where a document begins.
type DocumentPos struct {
	file uint32
	off  int64
}

func DocumentAt(at profile.Pos) DocumentPos { return DocumentPos{at.File, at.Doc} }

// TokenAt finds the container at a position, which is that of its name or of
// its first byte.
func TokenAt(d *profile.Document, at profile.Pos) (int, bool) {
	for i := range d.Tokens {
		if d.Base+int64(d.Tokens[i].Start) == at.Off {
			if i > 0 && d.At(i).Len == at.Len && i+1 < len(d.Tokens) && d.Tokens[i].Kind < scan.Object {
				return i + 1, true
			}
			return i, true
		}
	}
	return 0, false
}
