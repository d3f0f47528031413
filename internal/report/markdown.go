package report

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
	"github.com/shapevet/shapevet/internal/term"
)

// maxComment keeps the text below GitHub's limit of 65,536 characters per
// comment.
const maxComment = 60_000

var severityMarks = map[finding.Severity]string{finding.Error: "❌", finding.Warning: "⚠️", finding.Info: "ℹ️"}

// writeMarkdown prints a comment for a pull request: a line of counts, a table
// of findings, and the advice in a folded section below.
func writeMarkdown(w io.Writer, r *finding.Report, o Options) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "### shapevet: %s\n\n", (&textWriter{}).counts(r.Summary)+" in "+whatWasRead(r.Summary))
	for _, problem := range r.Problems {
		fmt.Fprintf(&b, "- ❌ **not checked**: %s\n", markdownText(strings.TrimPrefix(position(problem.Location)+" ", " ")+sentences(problem.Message, problem.Hint)))
	}
	if len(r.Problems) > 0 {
		b.WriteByte('\n')
	}
	if len(r.Findings) > 0 {
		b.WriteString("| | where | rule | what |\n| --- | --- | --- | --- |\n")
	}
	shown := 0
	var details bytes.Buffer
	for _, f := range arrange(r.Findings, cmp.Or(o.Sort, BySeverity)) {
		row := fmt.Sprintf("| %s | %s | [`%s`](%s) | %s |\n",
			severityMarks[f.Severity], markdownCode(position(f.Location)), f.Rule, pageURL(f.Rule), markdownText(f.Message))
		detail := markdownDetail(f)
		if b.Len()+details.Len()+len(row)+len(detail) > maxComment {
			break
		}
		b.WriteString(row)
		details.WriteString(detail)
		shown++
	}
	if left := len(r.Findings) - shown; left > 0 {
		fmt.Fprintf(&b, "\n%s more do not fit into this comment.\n", quantity.Of(int64(left), "finding"))
	}
	if details.Len() > 0 {
		fmt.Fprintf(&b, "\n<details><summary>What to do</summary>\n\n%s</details>\n", details.Bytes())
	}
	_, err := w.Write(b.Bytes())
	return err
}

func markdownDetail(f finding.Finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s** %s: %s\n\n", f.Rule, markdownCode(position(f.Location)), markdownText(f.Message))
	if f.Advice != "" {
		fmt.Fprintf(&b, "%s\n\n", markdownText(f.Advice))
	}
	for _, related := range f.Related {
		fmt.Fprintf(&b, "- %s %s\n", markdownCode(position(related.Location)), markdownText(related.Message))
	}
	if len(f.Related) > 0 {
		b.WriteByte('\n')
	}
	for _, fix := range f.Fixes {
		fmt.Fprintf(&b, "Fix (%s): %s\n\n", fix.Safety, markdownText(fix.Title))
	}
	return b.String()
}

// escapeMarkdown keeps quotes from documents plain text in Markdown, also in
// table cells.
var escapeMarkdown = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "<", "&lt;", ">", "&gt;", "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "]", `\]`, "#", `\#`, "~", `\~`, "@", "@\u200b",
)

func markdownText(text string) string { return escapeMarkdown.Replace(term.Clean(text)) }

// markdownCode quotes a place. A path may hold a bar, which would end a cell,
// or a backtick, which would end a code span.
func markdownCode(text string) string {
	if text == "" {
		return ""
	}
	if strings.ContainsAny(text, "`|") {
		return markdownText(text)
	}
	return "`" + text + "`"
}
