package profile

import "github.com/shapevet/shapevet/jsonlint/scan"

// CompactLen is the length of a document without the white space between its
// parts: no database stores that. The first name tells whether there is any.
// The tokens of a document that was mended may overlap.
func CompactLen(d *scan.Document) int64 {
	root := &d.Tokens[0]
	length := int64(root.End - root.Start)
	if len(d.Tokens) < 3 || d.Tokens[1].Start == root.Start+1 && d.Tokens[2].Start == d.Tokens[1].End+1 {
		return length
	}
	at := root.Start + 1
	for i := 1; i < len(d.Tokens); i++ {
		t := &d.Tokens[i]
		length -= spaces(d.Src[at:max(at, t.Start)])
		end := t.End
		switch {
		case t.Kind == scan.Object || t.Kind == scan.Array:
			end = t.Start + 1
		case t.Flags&scan.Wrapped != 0:
			length -= spaces(d.Src[t.Start:t.End])
		}
		at = max(at, end)
	}
	return length - spaces(d.Src[at:max(at, root.End)])
}

func spaces(text []byte) (n int64) {
	for _, c := range text {
		if c == ' ' || c == '\n' || c == '\t' || c == '\r' {
			n++
		}
	}
	return n
}
