// Package plans shows documents before and after a fix that no program can
// apply.
package plans

import (
	"bytes"
	"strconv"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// ValuesShown is how many values a message lists.
const ValuesShown = 5

// Placed is an example document with its collection.
type Placed struct {
	Collection string         `json:"collection"`
	Document   *reshape.Value `json:"document"`
}

// ExampleBytes is the largest document that a fix shows.
const ExampleBytes = 16 << 10

// EditsKept is the number of values up to which a fix edits them in place. More
// of them need a migration.
const EditsKept = 100

// ExampleDocuments is the number of documents below which a sample is only an
// example, whose ratios mean nothing.
const ExampleDocuments = 20

// Document returns the document at a position, or nil if it is too long to show
// or cannot be read.
func Document(p *check.Pass, at profile.Pos) *reshape.Value {
	if !at.Known() || at.DocLen > ExampleBytes {
		return nil
	}
	d, err := p.Document(at)
	if err != nil {
		return nil
	}
	return reshape.From(d.Document, 0)
}

// Changed returns a fix that shows the document at a position before and after
// a change. It returns none if the document cannot be shown or change returns
// false.
func Changed(p *check.Pass, collection, title string, at profile.Pos, change func(*reshape.Value) bool) []finding.Fix {
	before := Document(p, at)
	if before == nil {
		return nil
	}
	after := before.Clone()
	if !change(after) {
		return nil
	}
	return []finding.Fix{Fix(title, collection, before, after)}
}

// Fix returns a fix that shows a document before and after.
func Fix(title, collection string, before, after *reshape.Value) finding.Fix {
	return finding.Fix{Title: title, Safety: finding.Plan, Before: before.AppendJSON(nil), After: []finding.DocumentInPlace{Place(collection, after)}}
}

// Place adds a collection to a document.
func Place(collection string, document *reshape.Value) finding.DocumentInPlace {
	return finding.DocumentInPlace{Collection: collection, Document: document.AppendJSON(nil)}
}

// Retype returns the scalar in the type and spelling of another. It is not ok
// if that type cannot hold it.
func Retype(v, like *reshape.Value) (*reshape.Value, bool) {
	text, err := like.MarshalJSON()
	if err != nil {
		return nil, false
	}
	quoted, old := strconv.Quote(v.Text()), []byte(strconv.Quote(like.Text()))
	switch {
	case bytes.HasPrefix(text, []byte("{")): // such as {"$numberInt":"12"} or {"$oid":"…"}
		text = bytes.Replace(text, old, []byte(quoted), 1)
	case bytes.HasPrefix(text, []byte(`"`)):
		return reshape.String(v.Text()), true
	default:
		text = []byte(v.Text())
	}
	out, err := reshape.Raw(text)
	return out, err == nil && out.Kind() == like.Kind()
}

// ShownBytes bounds the document shown in a plan.
const ShownBytes = 6 << 10

// Shown returns a document small enough to print: unchanged, with long lists
// and texts cut, or nil if that is not enough. It reads only as much of a large
// document as it shows.
func Shown(d *scan.Document, elements int) (short *reshape.Value, cut bool) {
	if len(d.Raw(0)) <= ShownBytes {
		if v := reshape.From(d, 0); len(v.AppendJSON(nil)) <= ShownBytes/2 {
			return v, false
		}
	}
	return ShownCut(d, elements)
}

// ShownCut is [Shown] but always cuts lists and texts.
func ShownCut(d *scan.Document, elements int) (short *reshape.Value, cut bool) {
	whole := reshape.Excerpt(d, 0, elements, ShownBytes)
	if whole == nil {
		return nil, false
	}
	short = CutLong(whole, elements)
	if len(short.AppendJSON(nil)) > ShownBytes {
		return nil, false
	}
	return short, true
}

const textShown = 120

// CutLong returns a copy with at most the given number of elements per array
// and short texts.
func CutLong(v *reshape.Value, elements int) *reshape.Value {
	switch v.Kind() {
	case scan.Object:
		out := reshape.Object()
		for _, m := range v.Members() {
			out.Set(m.Name, CutLong(m.Value, elements))
		}
		return out
	case scan.Array:
		out := reshape.Array()
		for _, e := range v.Elements()[:min(elements, v.Len())] {
			out.Append(CutLong(e, elements))
		}
		return out
	case scan.String:
		if text := []rune(v.Text()); len(text) > textShown {
			return reshape.String(string(text[:textShown]) + "…")
		}
	case scan.Binary:
		if text := v.Text(); len(text) > textShown {
			return reshape.Object(reshape.Member{Name: "$binary", Value: reshape.Object(
				reshape.Member{Name: "base64", Value: reshape.String(text[:textShown] + "…")},
				reshape.Member{Name: "subType", Value: reshape.String("00")},
			)})
		}
	}
	return v.Clone()
}
