package plans

import (
	"encoding/json"
	"slices"

	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
)

// Patched returns the document at a position as it is, and as it is after
// those edits that lie in it. Both are nil if the document is long or damaged.
func Patched(p *check.Pass, at profile.Pos, edits []check.RawEdit) (before, after []byte, err error) {
	if at.DocLen > ShownBytes {
		return nil, nil, nil
	}
	d, err := p.Document(at)
	if err != nil {
		return nil, nil, err
	}
	root := d.Tokens[0]
	start, end := d.Base+int64(root.Start), d.Base+int64(root.End)
	before = slices.Clone(d.Src[root.Start:root.End])
	sorted := slices.Clone(edits)
	slices.SortFunc(sorted, func(a, b check.RawEdit) int { return a.At.Compare(b.At) })
	done := start
	for _, e := range sorted {
		from, to := e.At.Off, e.At.Off+int64(e.At.Len)
		if e.At.File != at.File || from < done || to > end {
			continue
		}
		after = append(after, before[done-start:from-start]...)
		after = append(after, e.NewText...)
		done = to
	}
	after = append(after, before[done-start:]...)
	if !json.Valid(before) || !json.Valid(after) {
		return nil, nil, nil // the text is damaged: what was read of it stands nowhere
	}
	return before, after, nil
}
