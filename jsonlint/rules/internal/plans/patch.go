package plans

import (
	"encoding/json"
	"slices"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/reshape"
	"github.com/shapevet/shapevet/jsonlint/rules/check"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/places"
)

// Mend adds to a finding on documents of e a fix that makes all edits, with one
// document before and after if it can be shown. If the edits are incomplete,
// the fix is a plan. Otherwise it changes stored data, which code that reads it
// must expect.
func Mend(p *check.Pass, e *model.Entity, r *check.Raw, title string, shown profile.Pos, edits []check.RawEdit, complete bool) {
	fix := finding.Fix{Title: title, Safety: finding.Plan}
	before, after, err := Patched(p, shown, edits)
	if err != nil || before == nil && !complete {
		return
	}
	if before != nil {
		fix.Before = before
		fix.After = []finding.DocumentInPlace{{Collection: e.Collection.Name, Document: after}}
	}
	if complete {
		fix.Safety, r.Edits = finding.Unsafe, edits
	}
	r.Fixes = []finding.Fix{fix}
}

// Rewritten returns the fix, and its edits, that writes the stored text at each
// place found. It shows the smallest document after change. If there are more
// places than are kept, there are no edits and the fix is a plan.
func Rewritten(p *check.Pass, collection, title string, found *places.Found, change func(*reshape.Value) bool) (fixes []finding.Fix, edits []check.RawEdit) {
	fix := finding.Fix{Title: title, Safety: finding.Plan}
	smallest := profile.Pos{}
	for _, place := range found.Places {
		smallest = places.SmallerDocument(smallest, place.At)
	}
	if d, err := p.Document(smallest); err == nil {
		if before, _ := Shown(d.Document, 3); before != nil {
			if after := before.Clone(); change(after) {
				fix = Fix(title, collection, before, after)
			}
		}
	}
	if found.Count <= EditsKept {
		fix.Safety = finding.Unsafe // code may rely on the current data
		for _, place := range found.Places {
			edits = append(edits, check.RawEdit{At: place.At, NewText: place.Text})
		}
	}
	if fix.Before == nil && edits == nil {
		return nil, nil
	}
	return []finding.Fix{fix}, edits
}

// Patched returns the document at a position before and after those edits that
// lie in it. Both are nil if the document is long or damaged.
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
		return nil, nil, nil // the text is damaged, so offsets do not match what was read
	}
	return before, after, nil
}
