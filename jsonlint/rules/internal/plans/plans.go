// Package plans shows documents before and after a fix that no program can
// apply.
package plans

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

const (
	ValuesShown   = 5 // values named in the message
	DocumentBytes = 8 << 10
)

// Placed is a document of an example and its collection.
type Placed struct {
	Collection string         `json:"collection"`
	Document   *reshape.Value `json:"document"`
}

// ExampleBytes is the size up to which a document serves as an example.
const ExampleBytes = 16 << 10

// EditsKept is the number of values that are edited in place; more of them
// are the work of a migration.
const EditsKept = 100

// ExampleDocuments is the number of documents below which a sample is an
// example, of which shares say nothing.
const ExampleDocuments = 20

// Fix shows one document before and after.
func Fix(title, collection string, before, after *reshape.Value) (finding.Fix, error) {
	fix := finding.Fix{Title: title, Safety: finding.Plan}
	var err error
	if fix.Before, err = json.Marshal(before); err != nil {
		return finding.Fix{}, err
	}
	text, err := json.Marshal(after)
	fix.After = []finding.DocumentInPlace{{Collection: collection, Document: text}}
	return fix, err
}

// Retype returns the scalar in the type and spelling of another one; it is
// not ok if that type cannot hold it.
func Retype(v, like *reshape.Value) (*reshape.Value, bool) {
	text, err := like.MarshalJSON()
	if err != nil {
		return nil, false
	}
	quoted, old := strconv.Quote(v.Text()), []byte(strconv.Quote(like.Text()))
	switch {
	case bytes.HasPrefix(text, []byte("{")): // {"$numberInt":"12"}, {"$oid":"…"}
		text = bytes.Replace(text, old, []byte(quoted), 1)
	case bytes.HasPrefix(text, []byte(`"`)):
		return reshape.String(v.Text()), true
	default:
		text = []byte(v.Text())
	}
	out, err := reshape.Raw(text)
	return out, err == nil && out.Kind() == like.Kind()
}

// ShownBytes bounds the document that a plan is shown with.
const ShownBytes = 6 << 10

// Shown returns a document small enough to print: as it is, or with long
// lists and texts cut, or nil if that is not enough. Of a large document only
// what is shown is looked at.
func Shown(d *scan.Document, elements int) (short *reshape.Value, cut bool) {
	if len(d.Raw(0)) <= ShownBytes {
		if v := reshape.From(d, 0); len(v.AppendJSON(nil)) <= ShownBytes/2 {
			return v, false
		}
	}
	return ShownCut(d, elements)
}

// ShownCut is [Shown] for a document whose lists and texts are cut however
// small it is.
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

// CutLong returns a copy with at most so many elements of each array and
// short texts.
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
