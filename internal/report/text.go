package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/internal/term"
)

const (
	defaultWidth = 80
	minWidth     = 40
	sideBySide   = 100 // from this width on, before and after stand beside each other
	labelWidth   = 8   // of the words in front of evidence, advice and fix
	maxRelated   = 5   // places shown for one finding
	maxShown     = 3   // documents of a fix shown for one collection
)

// textWriter prints reports for people.
type textWriter struct {
	out       io.Writer
	style     term.Style
	width     int
	explained map[string]bool // rules whose page has been pointed to
	err       error
}

func writeText(w io.Writer, r *finding.Report, o Options) error {
	t := &textWriter{
		out: w, style: term.Style{Color: o.Color}, width: max(minWidth, cmp.Or(o.Width, defaultWidth)),
		explained: map[string]bool{},
	}
	for _, group := range byFile(r.Findings) {
		if len(group) > 1 {
			t.line(t.heading(group))
			t.line("")
		}
		for _, f := range group {
			t.finding(f)
		}
	}
	if o.Statistics {
		t.statistics(r.Findings)
	}
	t.summary(r)
	return t.err
}

func (t *textWriter) line(text string) {
	if t.err == nil {
		_, t.err = fmt.Fprintln(t.out, strings.TrimRight(text, " "))
	}
}

// byFile splits sorted findings where the file changes.
func byFile(findings []finding.Finding) [][]finding.Finding {
	var groups [][]finding.Finding
	for start := 0; start < len(findings); {
		end := start + 1
		for end < len(findings) && findings[end].Location.File == findings[start].Location.File {
			end++
		}
		groups = append(groups, findings[start:end])
		start = end
	}
	return groups
}

func (t *textWriter) heading(group []finding.Finding) string {
	name := term.Clean(group[0].Location.File)
	if name == "" {
		name = "(no file)"
	}
	return t.style.Bold(t.style.Underline(name)) + t.style.Dim("  "+quantity.Of(int64(len(group)), "finding"))
}

func (t *textWriter) finding(f finding.Finding) {
	head := t.severity(f.Severity) + "  " + t.style.Bold(f.Rule) + t.style.Dim(fmt.Sprintf("  %.0f%% sure", math.Round(f.Confidence*100)))
	if at := position(f.Location); at != "" {
		head = t.style.Cyan(at) + "  " + head
	}
	t.line(head)
	for _, line := range term.Wrap(term.Clean(f.Message), t.width-2) {
		t.line("  " + line)
	}
	if lines := frame(f.Location, t.width, t.style); lines != nil {
		t.line("")
		for _, line := range lines {
			t.line(line)
		}
	}
	t.line("")
	t.labelled("seen", t.evidence(f.Evidence))
	t.labelled("also", t.related(f.Related))
	t.labelled("advice", t.wrap(term.Clean(f.Advice)))
	for _, fix := range f.Fixes {
		t.fix(fix)
	}
	if !t.explained[f.Rule] {
		t.explained[f.Rule] = true
		t.labelled("why", []string{"shapevet explain " + f.Rule})
	}
	t.line("")
}

func (t *textWriter) severity(s finding.Severity) string {
	switch s {
	case finding.Error:
		return t.style.Red(s.String())
	case finding.Warning:
		return t.style.Yellow(s.String())
	default:
		return t.style.Blue(s.String())
	}
}

// labelled prints lines with a word in front of the first; no lines, no word.
func (t *textWriter) labelled(label string, lines []string) {
	for i, line := range lines {
		word := strings.Repeat(" ", labelWidth)
		if i == 0 {
			word = t.style.Dim(term.Pad(label, labelWidth))
		}
		t.line("  " + word + line)
	}
}

func (t *textWriter) wrap(text string) []string {
	if text == "" {
		return nil
	}
	return term.Wrap(text, t.textWidth())
}

func (t *textWriter) textWidth() int { return t.width - 2 - labelWidth }

// evidence joins the pieces into as few lines as they fit on.
func (t *textWriter) evidence(evidence []finding.Evidence) []string {
	const separator = " · "
	var lines []string
	for _, piece := range evidence {
		text := evidenceText(piece)
		if last := len(lines) - 1; last >= 0 && term.Width(lines[last]+separator+text) <= t.textWidth() {
			lines[last] += separator + text
		} else {
			lines = append(lines, term.Truncate(text, t.textWidth()))
		}
	}
	return lines
}

func (t *textWriter) related(places []finding.Related) []string {
	var lines []string
	for i, place := range places {
		if i == maxRelated && len(places) > maxRelated+1 {
			lines = append(lines, fmt.Sprintf("… and %s", quantity.Of(int64(len(places)-i), "more place")))
			break
		}
		message, at := term.Clean(place.Message), position(place.Location)
		switch line := at + "  " + message; {
		case at == "":
			lines = append(lines, t.wrap(message)...)
		case term.Width(line) <= t.textWidth():
			lines = append(lines, line)
		default:
			lines = append(lines, at)
			for _, part := range term.Wrap(message, t.textWidth()-2) {
				lines = append(lines, "  "+part)
			}
		}
	}
	return lines
}

var safetyText = map[finding.Safety]string{
	finding.Safe:   "safe: keeps the build and the stored format",
	finding.Unsafe: "unsafe: read it before applying it",
	finding.Plan:   "a plan: shown, never applied",
}

func (t *textWriter) fix(fix finding.Fix) {
	title := term.Clean(fix.Title)
	if note := safetyText[fix.Safety]; note != "" {
		title += " (" + note + ")"
	}
	t.labelled("fix", t.wrap(title))
	if fix.Before == nil && len(fix.After) == 0 {
		return
	}
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

// inPlace reads documents of several collections, which have the form of
// [finding.Fix.After]; nil if it is one document as it is stored.
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

// documents lists documents under the names of their collections.
func (t *textWriter) documents(label string, places []finding.DocumentInPlace, width int) []string {
	var lines []string
	for start := 0; start < len(places); {
		name := places[start].Collection
		end := start + 1
		for end < len(places) && places[end].Collection == name {
			end++
		}
		lines = append(lines, t.style.Bold(label)+t.style.Green("  "+term.Clean(name)))
		shown := places[start:end]
		if len(shown) > maxShown+1 {
			shown = shown[:maxShown]
		}
		for _, place := range shown {
			lines = append(lines, documentLines(place.Document, width)...)
		}
		if left := end - start - len(shown); left > 0 {
			lines = append(lines, "… "+quantity.Of(int64(left), "more document"))
		}
		start = end
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

// statistics counts findings by rule, the most frequent first.
func (t *textWriter) statistics(findings []finding.Finding) {
	type row struct {
		rule     string
		severity finding.Severity
		count    int
	}
	var rows []row
	for _, f := range findings {
		i := slices.IndexFunc(rows, func(r row) bool { return r.rule == f.Rule && r.severity == f.Severity })
		if i < 0 {
			i = len(rows)
			rows = append(rows, row{f.Rule, f.Severity, 0})
		}
		rows[i].count++
	}
	if rows == nil {
		return
	}
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(b.severity, a.severity), cmp.Compare(a.rule, b.rule))
	})
	width := len(quantity.Grouped(int64(rows[0].count)))
	for _, r := range rows {
		number := quantity.Grouped(int64(r.count))
		severity := r.severity.String()
		t.line(strings.Repeat(" ", 2+width-len(number)) + number + "  " +
			t.severity(r.severity) + strings.Repeat(" ", 9-len(severity)) + r.rule)
	}
	t.line("")
}

// paragraph prints text over as many lines as it needs.
func (t *textWriter) paragraph(text string) {
	for _, line := range term.Wrap(text, t.width) {
		t.line(line)
	}
}

func (t *textWriter) summary(r *finding.Report) {
	s := r.Summary
	t.paragraph(t.style.Bold(t.counts(s)) + " in " + whatWasRead(s))
	if s.Truncated > 0 {
		t.paragraph(quantity.Of(int64(s.Truncated), "more finding") + " at the same paths not shown: --max-findings 0 shows all")
	}
	var hidden []string
	if s.Suppressed > 0 {
		hidden = append(hidden, quantity.Grouped(int64(s.Suppressed))+" suppressed")
	}
	if s.Baselined > 0 {
		hidden = append(hidden, quantity.Grouped(int64(s.Baselined))+" in the baseline")
	}
	if hidden != nil {
		t.paragraph(strings.Join(hidden, ", "))
	}
	if n := len(r.Problems); n > 0 {
		t.paragraph(t.style.Red(quantity.Of(int64(n), "problem")) + " kept something from being checked")
	}
}

// counts says how many findings there are of each severity.
func (t *textWriter) counts(s finding.Summary) string {
	var counts []string
	if s.Error > 0 {
		counts = append(counts, t.style.Red(quantity.Of(int64(s.Error), "error")))
	}
	if s.Warning > 0 {
		counts = append(counts, t.style.Yellow(quantity.Of(int64(s.Warning), "warning")))
	}
	if s.Info > 0 {
		counts = append(counts, t.style.Blue(quantity.Grouped(int64(s.Info))+" info"))
	}
	if counts == nil {
		return t.style.Green("No findings")
	}
	return strings.Join(counts, ", ")
}

func whatWasRead(s finding.Summary) string {
	documents := fmt.Sprintf("%s of %s (%s)", quantity.Of(s.Documents, "document"), quantity.Of(int64(s.Collections), "collection"), size(s.Bytes))
	packages := quantity.Of(int64(s.Packages), "Go package")
	switch {
	case s.Packages > 0 && s.Documents > 0:
		return documents + " and " + packages
	case s.Packages > 0:
		return packages
	}
	return documents
}
