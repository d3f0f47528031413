// Package fixes applies the fixes of findings to files.
package fixes

import (
	"bytes"
	"cmp"
	"fmt"
	"go/format"
	"maps"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
)

// A Result is the outcome of applying fixes.
type Result struct {
	Files     map[string][]byte // new contents, by file name in edits
	Before    map[string][]byte // previous contents, by the same name
	Applied   int               // number of fixes
	Conflicts int               // number of fixes left out because they overlap another; they apply in a second run
}

// Apply applies the first fix of each finding that has edits and one of the
// given safeties. It applies a fix completely or not at all: one that overlaps
// an earlier fix is left out. It makes identical edits once. A formatted Go
// file stays formatted.
func Apply(findings []finding.Finding, read func(name string) ([]byte, error), safeties ...finding.Safety) (*Result, error) {
	r := &Result{Files: map[string][]byte{}, Before: map[string][]byte{}}
	accepted := map[string][]finding.Edit{}
	for _, f := range findings {
		i := slices.IndexFunc(f.Fixes, func(fix finding.Fix) bool { return len(fix.Edits) > 0 && slices.Contains(safeties, fix.Safety) })
		if i < 0 {
			continue
		}
		if merged, ok := merge(accepted, f.Fixes[i].Edits); ok {
			accepted = merged
			r.Applied++
		} else {
			r.Conflicts++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(accepted)) {
		before, err := read(name)
		if err != nil {
			return nil, fmt.Errorf("apply fixes: %w", err)
		}
		after, err := Edited(before, accepted[name])
		if err != nil {
			return nil, fmt.Errorf("apply fixes to %s: %w", name, err)
		}
		if strings.HasSuffix(name, ".go") {
			if after, err = formatted(before, after); err != nil {
				return nil, fmt.Errorf("apply fixes to %s: %w", name, err)
			}
		}
		r.Files[name], r.Before[name] = after, before
	}
	return r, nil
}

// merge adds the edits of one fix to those accepted. ok is false if they
// overlap; accepted is then unchanged.
func merge(accepted map[string][]finding.Edit, edits []finding.Edit) (merged map[string][]finding.Edit, ok bool) {
	merged = maps.Clone(accepted)
	for _, edit := range edits {
		there := merged[edit.File]
		if slices.Contains(there, edit) {
			continue
		}
		if slices.ContainsFunc(there, func(other finding.Edit) bool { return overlap(edit, other) }) {
			return nil, false
		}
		merged[edit.File] = append(slices.Clip(there), edit)
	}
	return merged, true
}

// overlap reports whether two edits touch the same bytes. Insertions at the
// same place, or beside replaced text, do not overlap.
func overlap(a, b finding.Edit) bool {
	if a.Start == a.End && b.Start == b.End {
		return false
	}
	return a.Start < b.End && b.Start < a.End
}

// Edited returns a text with edits applied. The edits must not overlap.
func Edited(text []byte, edits []finding.Edit) ([]byte, error) {
	ordered := slices.Clone(edits)
	slices.SortStableFunc(ordered, func(a, b finding.Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	var out bytes.Buffer
	at := int64(0)
	for _, edit := range ordered {
		if edit.Start < at || edit.End < edit.Start || edit.End > int64(len(text)) {
			return nil, fmt.Errorf("bytes %d to %d of %d cannot be edited: has the file changed?", edit.Start, edit.End, len(text))
		}
		out.Write(text[at:edit.Start])
		out.WriteString(edit.NewText)
		at = edit.End
	}
	out.Write(text[at:])
	return out.Bytes(), nil
}

// formatted formats a Go file if it was formatted before the edit. It does not
// change other files.
func formatted(before, after []byte) ([]byte, error) {
	clean, err := format.Source(before)
	if err != nil || !bytes.Equal(clean, before) {
		return after, nil
	}
	return format.Source(after)
}
