package cli

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/internal/term"
	"github.com/shapevet/shapevet/jsonlint/evidence"
)

// headings are the column headings of a table.
var headings = []string{"path", "types", "present", "length p50/p95/max", "longest", "distinct", "refers to"}

// cells returns the cells of a row as text.
func cells(r evidence.Row) []string {
	types := make([]string, len(r.Types))
	for i, t := range r.Types {
		types[i] = t.Type
		if len(r.Types) > 1 {
			types[i] += " " + quantity.Percent(t.Share)
		}
	}
	length, distinct := "", ""
	if l := r.Length; l != nil {
		length = fmt.Sprintf("%d/%d/%d", l.P50, l.P95, l.Max)
	}
	if r.Distinct != nil {
		distinct = evidence.Range(*r.Distinct).String()
	}
	links := make([]string, len(r.References))
	for i, link := range r.References {
		least := ""
		if link.AtLeast {
			least = "at least "
		}
		links[i] = fmt.Sprintf("%s, %s%s", link.To, least, quantity.Percent(link.Resolved))
	}
	return []string{r.Path, strings.Join(types, ", "), quantity.Percent(r.Present), length, quantity.Bytes(r.Longest), distinct, strings.Join(links, "; ")}
}

func fileTitle(f *evidence.File) string {
	when := f.Until
	if f.From != f.Until {
		when = f.From + " to " + f.Until
	}
	parts := ""
	if f.Parts > 1 {
		parts = fmt.Sprintf(", merged from %d files", f.Parts)
	}
	return fmt.Sprintf("%s of %s, read on %s by shapevet %s%s",
		quantity.Of(f.Documents(), "document"), quantity.Of(int64(len(f.Collections)), "collection"), when, strings.Join(f.Tools, ", "), parts)
}

func tableTitle(t *evidence.Table) (name, about string) {
	name = t.Collection
	if t.Kind != "" {
		name += " (" + t.Kind + ")"
	}
	about = fmt.Sprintf("%s, %s median, %s at most, %s at most",
		quantity.Of(t.Documents, "document"), quantity.Bytes(t.Bytes.P50), quantity.Bytes(t.Bytes.Max), quantity.Of(t.Levels.Max, "level"))
	return name, about
}

func showText(w io.Writer, f *evidence.File, color bool) error {
	style := term.Style{Color: color}
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, term.Clean(fileTitle(f)))
	tables := f.Tables()
	for i := range tables {
		name, about := tableTitle(&tables[i])
		fmt.Fprintf(out, "\n%s: %s\n", style.Bold(term.Clean(name)), about)
		writeColumns(out, tables[i].Rows, style)
	}
	return out.Flush()
}

func writeColumns(out io.Writer, rows []evidence.Row, style term.Style) {
	lines := [][]string{headings}
	widths := make([]int, len(headings))
	for _, r := range rows {
		line := cells(r)
		for i := range line {
			line[i] = term.Clean(line[i])
		}
		lines = append(lines, line)
	}
	for _, line := range lines {
		for i, cell := range line {
			widths[i] = max(widths[i], term.Width(cell))
		}
	}
	for i, line := range lines {
		var b strings.Builder
		for j, cell := range line {
			b.WriteString("  ")
			b.WriteString(term.Pad(cell, widths[j]))
		}
		text := strings.TrimRight(b.String(), " ")
		if i == 0 {
			text = style.Dim(text)
		}
		fmt.Fprintln(out, text)
	}
}

func showMarkdown(w io.Writer, f *evidence.File) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, escapeMarkdown(fileTitle(f)))
	tables := f.Tables()
	for i := range tables {
		name, about := tableTitle(&tables[i])
		fmt.Fprintf(out, "\n## %s\n\n%s\n\n| %s |\n|%s\n", escapeMarkdown(name), about, strings.Join(headings, " | "), strings.Repeat(" --- |", len(headings)))
		for _, r := range tables[i].Rows {
			line := cells(r)
			for j := range line {
				line[j] = escapeMarkdown(line[j])
			}
			fmt.Fprintf(out, "| %s |\n", strings.Join(line, " | "))
		}
	}
	return out.Flush()
}

func escapeMarkdown(text string) string {
	return strings.NewReplacer(`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "<", "&lt;", "[", `\[`, "\n", " ").Replace(term.Clean(text))
}

func showJSON(w io.Writer, f *evidence.File) error {
	return writeJSON(w, struct {
		Documents int64            `json:"documents"`
		From      string           `json:"from"`
		Until     string           `json:"until"`
		Tools     []string         `json:"tools"`
		Parts     int              `json:"parts"`
		Tables    []evidence.Table `json:"tables"`
	}{f.Documents(), f.From, f.Until, f.Tools, f.Parts, f.Tables()})
}
