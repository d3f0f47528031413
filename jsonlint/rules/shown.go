package rules

import (
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// shownBytes bounds the document that a plan is shown with.
const shownBytes = 6 << 10

// shown returns a document small enough to print: as it is, or with long
// lists and texts cut, or nil if that is not enough.
func shown(v *reshape.Value, bytes, elements int) (short *reshape.Value, cut bool) {
	if bytes <= shownBytes && len(v.AppendJSON(nil)) <= shownBytes/2 {
		return v, false
	}
	short = cutLong(v, elements)
	if len(short.AppendJSON(nil)) > shownBytes {
		return nil, false
	}
	return short, true
}

const textShown = 120

// cutLong returns a copy with at most so many elements of each array and
// short texts.
func cutLong(v *reshape.Value, elements int) *reshape.Value {
	switch v.Kind() {
	case scan.Object:
		out := reshape.Object()
		for _, m := range v.Members() {
			out.Set(m.Name, cutLong(m.Value, elements))
		}
		return out
	case scan.Array:
		out := reshape.Array()
		for _, e := range v.Elements()[:min(elements, v.Len())] {
			out.Append(cutLong(e, elements))
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
