package report

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/internal/term"
)

var safetyText = map[finding.Safety]string{
	finding.Safe:   "safe: --fix applies it",
	finding.Unsafe: "unsafe: --unsafe-fixes applies it",
	finding.Plan:   "a plan, never applied",
}

// fix prints what to do and how documents look before and after: in full, or
// the differences on a given number of lines. It prints nothing for a plan
// without changes.
func (t *textWriter) fix(f *finding.Finding, fix finding.Fix, lines int) {
	reshapes := fix.Before != nil || len(fix.After) > 0
	changes := folded(f, fix, t.textWidth())
	if reshapes && changes == nil && len(fix.Edits) == 0 {
		return
	}
	title := term.Clean(fix.Title)
	if note := safetyText[fix.Safety]; note != "" && (fix.Safety == finding.Plan || len(fix.Edits) > 0) {
		title += " (" + note + ")"
	}
	wrapped := t.wrap(title)
	t.labelled("fix", wrapped)
	switch {
	case !reshapes:
	case t.showFixes:
		t.documentsOf(fix)
	default:
		lines = max(minFolded, lines-len(wrapped))
		if len(changes) > lines {
			left := len(changes) - (lines - 1)
			changes = append(changes[:lines-1:lines-1], "… "+quantity.Of(int64(left), "more line")+": --show-fixes")
		}
		for _, line := range changes {
			t.line("  " + strings.Repeat(" ", labelWidth) + t.signed(line))
		}
	}
}

// signed colours a line according to its sign.
func (t *textWriter) signed(line string) string {
	switch sign := strings.IndexAny(line, "-+…"); {
	case sign >= 0 && line[sign] == '-':
		return t.style.Red(line)
	case sign >= 0 && line[sign] == '+':
		return t.style.Green(line)
	}
	return t.style.Dim(line)
}

// documentsOf shows the documents of a fix before and after.
func (t *textWriter) documentsOf(fix finding.Fix) {
	t.line("")
	if t.width >= sideBySide && fix.Before != nil && len(fix.After) > 0 {
		half := (t.width - 2 - 3) / 2
		t.columns(t.before(fix, half), t.after(fix, half), half)
	} else {
		width := t.width - 4
		for _, line := range append(t.before(fix, width), t.after(fix, width)...) {
			t.line("    " + line)
		}
	}
	t.line("")
}

func (t *textWriter) before(fix finding.Fix, width int) []string {
	if fix.Before == nil {
		return nil
	}
	if places := inPlace(fix.Before); places != nil {
		return t.documents("before", places, width)
	}
	return append([]string{t.style.Bold("before")}, documentLines(fix.Before, width)...)
}

func (t *textWriter) after(fix finding.Fix, width int) []string {
	return t.documents("after", fix.After, width)
}

// inPlace parses documents of several collections in the form of
// [finding.Fix.After]. It returns nil for a single stored document.
func inPlace(before json.RawMessage) []finding.DocumentInPlace {
	decoder := json.NewDecoder(bytes.NewReader(before))
	decoder.DisallowUnknownFields()
	var places []finding.DocumentInPlace
	if err := decoder.Decode(&places); err != nil {
		return nil
	}
	for _, place := range places {
		if place.Collection == "" || place.Document == nil {
			return nil
		}
	}
	return places
}

// documents lists documents by collection.
func (t *textWriter) documents(label string, places []finding.DocumentInPlace, width int) []string {
	var lines []string
	for _, group := range byCollection(places) {
		lines = append(lines, t.style.Bold(label)+t.style.Green("  "+term.Clean(group[0].Collection)))
		lines = append(lines, someDocuments(group, width)...)
	}
	return lines
}

func byCollection(places []finding.DocumentInPlace) [][]finding.DocumentInPlace {
	return runs(places, func(a, b finding.DocumentInPlace) bool { return a.Collection == b.Collection })
}

// someDocuments prints the first documents of a collection and counts the rest.
func someDocuments(places []finding.DocumentInPlace, width int) (lines []string) {
	shown := places
	if len(shown) > maxShown+1 {
		shown = shown[:maxShown]
	}
	for _, place := range shown {
		lines = append(lines, documentLines(place.Document, width)...)
	}
	if left := len(places) - len(shown); left > 0 {
		lines = append(lines, "… "+quantity.Of(int64(left), "more document"))
	}
	return lines
}

func (t *textWriter) columns(left, right []string, width int) {
	for i := range max(len(left), len(right)) {
		var l, r string
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		t.line("  " + term.Pad(l, width) + t.style.Dim(" │ ") + r)
	}
}
