package report

import (
	"cmp"
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
	sideBySide   = 100 // width from which before and after are shown side by side
	labelWidth   = 8   // for the words before evidence, advice and fix
	maxShown     = 3   // documents of a fix shown per collection

	// By default, a finding takes about this many lines. The changes of a fix get
	// the lines that remain.
	findingLines = 12
	minFolded    = 4 // lines of a fix's changes
	maxSeen      = 2 // lines of evidence
	maxRelated   = 2 // related places per finding
	maxAlike     = 3 // further places per cause
)

// textWriter prints reports for people.
type textWriter struct {
	out           io.Writer
	style         term.Style
	width         int
	minConfidence float64
	showFixes     bool
	all           bool // show all places of a cause
	printed       int  // lines of this finding so far
	err           error
}

func writeText(w io.Writer, r *finding.Report, o Options) error {
	t := &textWriter{
		out: w, style: term.Style{Color: o.Color}, width: max(minWidth, cmp.Or(o.Width, defaultWidth)),
		minConfidence: o.MinConfidence, showFixes: o.ShowFixes, all: o.MaxPerRule == 0,
	}
	t.head(r)
	all, dropped := perRule(causes(arrange(r.Findings, cmp.Or(o.Sort, BySeverity))), o.MaxPerRule)
	for _, s := range sections(all, o.GroupBy) {
		if s.heading != "" {
			t.line("")
			t.line(t.style.Bold(t.style.Underline(term.Clean(s.heading))) + t.style.Dim("  "+quantity.Of(int64(s.count), "finding")))
		}
		for _, c := range s.causes {
			t.line("")
			t.cause(c)
		}
	}
	t.foot(r, o, dropped)
	return t.err
}

func (t *textWriter) line(text string) {
	t.printed++
	if t.err == nil {
		_, t.err = fmt.Fprintln(t.out, strings.TrimRight(text, " "))
	}
}

// cause prints its first finding in full, and the places of the others.
func (t *textWriter) cause(c cause) {
	f := c[0]
	head := t.severity(f.Severity) + "  " + t.style.Bold(f.Rule) + t.style.Dim(fmt.Sprintf("  %.0f%% sure", math.Round(f.Confidence*100)))
	if at := position(f.Location); at != "" {
		head = t.style.Cyan(at) + document(f.Location) + "  " + head
	}
	t.printed = 0
	t.line(head)
	for _, line := range term.Wrap(term.Clean(f.Message), t.width-2) {
		t.line("  " + line)
	}
	for _, line := range frame(f.Location, t.width, t.style) {
		t.line(line)
	}
	t.labelled("seen", t.atMost(maxSeen, t.joined(seen(f.Evidence))))
	t.labelled("also", t.related(f.Related))
	t.labelled("advice", t.wrap(term.Clean(f.Advice)))
	t.labelled("same", t.alike(c[1:]))
	for _, fix := range f.Fixes {
		t.fix(&f, fix, findingLines-t.printed)
	}
}

// alike lists further findings of a cause.
func (t *textWriter) alike(others []finding.Finding) []string {
	var lines []string
	for i, f := range others {
		if i == maxAlike && len(others) > maxAlike+1 && !t.all {
			lines = append(lines, fmt.Sprintf("… and %s: --max-per-rule 0", quantity.Of(int64(len(others)-i), "more place")))
			break
		}
		lines = append(lines, term.Truncate(position(f.Location)+"  "+term.Clean(f.Message), t.textWidth()))
	}
	return lines
}

// atMost returns the first n lines.
func (t *textWriter) atMost(n int, lines []string) []string { return lines[:min(n, len(lines))] }

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

// labelled prints lines with a label before the first. It prints nothing if
// there are no lines.
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

// joined arranges pieces on as few lines as possible.
func (t *textWriter) joined(pieces []string) []string {
	const separator = " · "
	var lines []string
	for _, text := range pieces {
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
			return append(lines, t.atMost(maxRelated, t.joined(alikePlaces(places[i:])))...)
		}
		message, at := term.Clean(place.Message), position(place.Location)
		if at == "" {
			lines = append(lines, t.wrap(message)...)
			continue
		}
		if line := at + "  " + message; term.Width(line) <= t.textWidth() {
			lines = append(lines, line)
			continue
		}
		lines = append(lines, at)
		for _, part := range term.Wrap(message, t.textWidth()-2) {
			lines = append(lines, "  "+part)
		}
	}
	return lines
}

// alikePlaces returns the places that have the same mistake, as their messages name them.
func alikePlaces(places []finding.Related) (names []string) {
	for _, place := range places {
		if name, ok := strings.CutPrefix(term.Clean(place.Message), "the same "); ok {
			names = append(names, name)
		}
	}
	return names
}

// Statistics counts findings by rule, most frequent first.
func Statistics(w io.Writer, r *finding.Report, o Options) error {
	t := &textWriter{out: w, style: term.Style{Color: o.Color}}
	t.statistics(r.Findings)
	return t.err
}

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

// paragraph prints text on as many lines as needed.
func (t *textWriter) paragraph(text string) {
	for _, line := range term.Wrap(text, t.width) {
		t.line(line)
	}
}

// head prints what was found and read, at the top.
func (t *textWriter) head(r *finding.Report) {
	t.paragraph(t.style.Bold(t.counts(r.Summary)) + " in " + whatWasRead(r.Summary))
}

// foot prints what is not shown and where to read on.
func (t *textWriter) foot(r *finding.Report, o Options, dropped []string) {
	if len(r.Findings) > 0 {
		t.line("")
	}
	if o.Statistics {
		t.statistics(r.Findings)
	}
	for _, line := range slices.Concat(dropped, leftOut(r, t.minConfidence)) {
		t.paragraph(line)
	}
	if len(r.Findings) > 0 {
		t.paragraph("\"shapevet explain " + arrange(r.Findings, BySeverity)[0].Rule + "\" says why this matters")
	}
	if n := len(r.Problems); n > 0 {
		t.paragraph(t.style.Red(quantity.Of(int64(n), "problem")) + ": not everything was checked")
	}
}

// counts returns the number of findings per severity.
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
