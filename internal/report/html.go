package report

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/internal/report/html"
	"github.com/shapevet/shapevet/internal/term"
	"github.com/shapevet/shapevet/rulebook"
)

const (
	htmlLine   = 60  // cells per line of a document, which is shown beside another
	htmlAround = 70  // characters shown before and after a marked part
	htmlMarked = 160 // characters shown of the marked part
	htmlEdits  = 8   // edits listed for a fix
)

// writeHTML prints one page with the picture of the collections and every
// finding with charts of its evidence.
func writeHTML(w io.Writer, r *finding.Report, o Options) error {
	sorted := *r
	sorted.Findings = arrange(r.Findings, cmp.Or(o.Sort, BySeverity))
	r = &sorted
	s := r.Summary
	page := html.Page{
		Version: o.ToolVersion,
		Summary: "Checked " + whatWasRead(s) + ".",
		Diagram: diagramOf(r),
		Tiles: []html.Tile{
			{Value: quantity.Grouped(int64(s.Error)), Label: plural(s.Error, "error"), Tone: "error"},
			{Value: quantity.Grouped(int64(s.Warning)), Label: plural(s.Warning, "warning"), Tone: "warning"},
			{Value: quantity.Grouped(int64(s.Info)), Label: "info", Tone: "info"},
		},
	}
	if s.Documents > 0 || s.Packages == 0 {
		page.Tiles = append(page.Tiles,
			html.Tile{Value: quantity.Grouped(s.Documents), Label: plural(int(s.Documents), "document")},
			html.Tile{Value: quantity.Grouped(int64(s.Collections)), Label: plural(s.Collections, "collection")},
			html.Tile{Value: quantity.Bytes(s.Bytes), Label: "read"},
		)
	}
	if s.Packages > 0 {
		page.Tiles = append(page.Tiles, html.Tile{Value: quantity.Grouped(int64(s.Packages)), Label: "Go " + plural(s.Packages, "package")})
	}
	page.Notes = append(page.Notes, leftOut(r, o.MinConfidence)...)
	for _, p := range r.Problems {
		page.Problems = append(page.Problems, html.Problem{Where: position(p.Location), Message: term.Clean(p.Message), Hint: term.Clean(p.Hint)})
	}
	v := htmlView{o: o, pages: o.Pages(), measured: measuredIn(r.Picture)}
	for i, f := range r.Findings {
		page.Findings = append(page.Findings, v.finding(i, f))
	}
	page.Rules = choices(page.Findings, func(f html.Finding) string { return f.Rule })
	page.Collections = choices(page.Findings, func(f html.Finding) string { return f.Collection })
	return html.Write(w, page)
}

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// choices counts the values of a filter, by name.
func choices(findings []html.Finding, value func(html.Finding) string) []html.Choice {
	var out []html.Choice
	for _, f := range findings {
		name := value(f)
		if name == "" {
			continue
		}
		i, known := slices.BinarySearchFunc(out, name, func(c html.Choice, name string) int { return cmp.Compare(c.Name, name) })
		if !known {
			out = slices.Insert(out, i, html.Choice{Name: name})
		}
		out[i].Count++
	}
	return out
}

// findingID returns the id of the element for a finding.
func findingID(i int) string { return fmt.Sprintf("f%d", i+1) }

type htmlView struct {
	o        Options
	pages    []rulebook.Page
	measured measured
}

func (v *htmlView) finding(i int, f finding.Finding) html.Finding {
	out := html.Finding{
		ID: findingID(i), Severity: f.Severity.String(), Rule: f.Rule, Message: term.Clean(f.Message), Advice: term.Clean(f.Advice),
		Subject: term.Clean(cmp.Or(f.Subject.Path, f.Subject.Symbol)), Collection: term.Clean(f.Subject.Collection),
		Where: position(f.Location), Frame: htmlFrame(f.Location), Confidence: int(math.Round(f.Confidence * 100)),
		URL: pageURL(f.Rule),
	}
	if f.Subject.Kind == finding.KindGo && f.Subject.Symbol != "" {
		out.Subject = term.Clean(f.Subject.Symbol)
	}
	out.Short = out.Subject
	if f.Subject.Kind == finding.KindGo {
		out.Short = out.Subject[strings.LastIndexByte(out.Subject, '/')+1:]
	}
	for _, page := range v.pages {
		if page.Name == f.Rule {
			out.About = page.Summary
		}
	}
	e := evidenceOf(f, v.measured)
	out.Charts, out.Facts = e.charts, e.facts
	out.Values = valuesOf(f)
	for _, fix := range f.Fixes {
		out.Fixes = append(out.Fixes, v.fix(fix))
	}
	for _, r := range f.Related {
		out.Related = append(out.Related, html.Place{Message: term.Clean(r.Message), Where: position(r.Location), Frame: htmlFrame(r.Location)})
	}
	return out
}

// htmlFrame returns the line of a location, or nil if it is unknown.
func htmlFrame(l finding.Location) *html.Frame {
	before, marked, after, ok := splitSnippet(l)
	if !ok {
		return nil
	}
	before = strings.TrimLeft(before, " \t")
	if rest := strings.TrimSpace(before + marked + after); len(rest) < 2 {
		return nil // a bracket alone is of no use
	}
	if n := utf8.RuneCountInString(before); n > htmlAround {
		before = "…" + string([]rune(before)[n-htmlAround:])
	}
	return &html.Frame{
		Line: l.Line, Before: cleanLine(before), Marked: cleanLine(cutRunes(marked, htmlMarked)), After: cleanLine(cutRunes(after, htmlAround)),
	}
}

func cleanLine(text string) string { return term.Clean(strings.ReplaceAll(text, "\t", "  ")) }

func cutRunes(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most]) + "…"
}

// splitSnippet splits the line of a location at its range.
func splitSnippet(l finding.Location) (before, marked, after string, ok bool) {
	snippet := strings.TrimRight(l.Snippet, "\r\n")
	start, end := bytesOf(l, snippet)
	if l.Line <= 0 || start != l.Column-max(1, l.SnippetColumn) || strings.TrimSpace(snippet) == "" {
		return "", "", "", false
	}
	end = min(end, len(snippet))
	valid := func(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }
	return valid(snippet[:start]), valid(snippet[start:max(start, end)]), valid(snippet[max(start, end):]), true
}

// valuesOf returns the values at a finding's first two places, if they differ.
func valuesOf(f finding.Finding) []html.Value {
	const most = 2
	var out []html.Value
	add := func(label string, l finding.Location) {
		before, marked, after, ok := splitSnippet(l)
		marked = strings.TrimSpace(marked)
		switch {
		case !ok || marked == "" || len(out) == most || l.EndLine > l.Line || l.EndColumn <= l.Column:
			return
		case strings.HasPrefix(strings.TrimLeft(after, " \t"), ":"), strings.ContainsAny(marked[:1], "{}[]"):
			return // a name or a container, not a value
		case len(before)+len(marked) >= len(l.Snippet) && !strings.HasSuffix(marked, `"`) && strings.HasPrefix(marked, `"`):
			return // cut off
		}
		out = append(out, html.Value{Label: term.Clean(label), Text: cleanLine(cutRunes(marked, htmlMarked)), Where: position(l)})
	}
	if f.Subject.Kind != finding.KindDocument || f.Rule == finding.InputError {
		return nil
	}
	add("here", f.Location)
	for _, r := range f.Related {
		add(r.Message, r.Location)
	}
	if len(out) < most || out[0].Text == out[1].Text {
		return nil
	}
	return out
}

func (v *htmlView) fix(fix finding.Fix) html.Fix {
	out := html.Fix{Title: term.Clean(fix.Title), Safety: string(fix.Safety), SafetyText: safetyText[fix.Safety]}
	if fix.Before != nil {
		places := inPlace(fix.Before)
		if places == nil {
			places = []finding.DocumentInPlace{{Document: fix.Before}}
			if len(fix.After) > 0 {
				places[0].Collection = fix.After[0].Collection
			}
		}
		out.Before = htmlDocuments(places)
	}
	out.After = htmlDocuments(fix.After)
	if out.Before != nil && out.After != nil {
		markChanges(out.Before, out.After)
	}
	for i, edit := range fix.Edits {
		if i == htmlEdits {
			out.Edits = append(out.Edits, html.Edit{Where: "… and " + quantity.Of(int64(len(fix.Edits)-i), "more edit")})
			break
		}
		where := term.Clean(edit.File)
		if v.o.Position != nil {
			if line, column, ok := v.o.Position(edit.File, edit.Start); ok {
				where = position(finding.Location{File: edit.File, Line: line, Column: column})
			}
		}
		out.Edits = append(out.Edits, html.Edit{Where: where, Lines: editLines(edit)})
	}
	return out
}

// editLines returns the lines that an edit writes.
func editLines(edit finding.Edit) []string {
	if edit.NewText == "" {
		return []string{fmt.Sprintf("(removes %s)", quantity.Of(edit.End-edit.Start, "byte"))}
	}
	var lines []string
	for line := range strings.Lines(strings.TrimRight(strings.TrimLeft(strings.ToValidUTF8(edit.NewText, "\uFFFD"), "\r\n"), " \t\r\n")) {
		if len(lines) == maxLines {
			return append(lines, "…")
		}
		lines = append(lines, cleanLine(cutRunes(strings.TrimRight(line, "\r\n"), htmlMarked)))
	}
	if lines == nil {
		return []string{"(white space)"}
	}
	return lines
}

// htmlDocuments prints a few documents of each collection.
func htmlDocuments(places []finding.DocumentInPlace) []html.Document {
	var out []html.Document
	for _, group := range byCollection(places) {
		document := html.Document{Collection: term.Clean(group[0].Collection)}
		for _, line := range someDocuments(group, htmlLine) {
			document.Lines = append(document.Lines, html.Line{Text: line})
		}
		out = append(out, document)
	}
	return out
}

// markChanges marks lines that are on one side only. A comma at the end does
// not count.
func markChanges(before, after []html.Document) {
	key := func(l html.Line) string { return strings.TrimSuffix(strings.TrimSpace(l.Text), ",") }
	lines := func(documents []html.Document) map[string]bool {
		set := map[string]bool{}
		for _, d := range documents {
			for _, l := range d.Lines {
				set[key(l)] = true
			}
		}
		return set
	}
	mark := func(documents []html.Document, other map[string]bool) {
		for i := range documents {
			for j := range documents[i].Lines {
				l := &documents[i].Lines[j]
				l.Changed = !other[key(*l)] && !strings.HasPrefix(key(*l), "…")
			}
		}
	}
	old, now := lines(before), lines(after)
	mark(before, now)
	mark(after, old)
}
