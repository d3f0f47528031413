package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/quantity"
)

// PageURL returns the URL of a rule's page.
func PageURL(rule string) string { return pageURL(rule) }

// maxShownLines is how many lines of a document a hover shows.
const maxShownLines = 30

// Hover returns what an editor shows about a finding, in Markdown: what was
// seen, how certain it is, what to do, and fixes to make by hand.
func Hover(f finding.Finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**[%s](%s)** · %s · %.0f%% sure\n\n%s\n", f.Rule, pageURL(f.Rule), f.Severity, f.Confidence*100, hoverText(f.Message))
	if f.Advice != "" {
		fmt.Fprintf(&b, "\n**Advice** %s\n", hoverText(f.Advice))
	}
	if len(f.Evidence) > 0 {
		b.WriteString("\n**Seen**\n\n")
		for _, text := range seen(f.Evidence) {
			fmt.Fprintf(&b, "- %s\n", hoverText(text))
		}
	}
	for _, fix := range f.Fixes {
		fmt.Fprintf(&b, "\n**Fix** (%s) %s\n", fix.Safety, hoverText(fix.Title))
		if len(fix.Edits) > 0 {
			continue // offered as an action
		}
		if len(fix.Before) > 0 {
			b.WriteString("\nbefore:\n\n" + hoverDocument(fix.Before))
		}
		for i, after := range fix.After {
			if i == maxShown {
				fmt.Fprintf(&b, "\nand %s more\n", quantity.Of(int64(len(fix.After)-i), "document"))
				break
			}
			fmt.Fprintf(&b, "\nafter, in %s:\n\n%s", hoverText(after.Collection), hoverDocument(after.Document))
		}
	}
	return b.String()
}

// hoverText escapes text for Markdown and keeps it from mentioning users.
func hoverText(text string) string { return strings.ReplaceAll(markdownText(text), "@\u200b", "@") }

// hoverDocument shows the first lines of a document as a code block.
func hoverDocument(document json.RawMessage) string {
	var indented bytes.Buffer
	if json.Indent(&indented, document, "", "  ") != nil {
		indented.Reset()
		indented.Write(document)
	}
	lines := strings.Split(indented.String(), "\n")
	if len(lines) > maxShownLines {
		lines = append(lines[:maxShownLines:maxShownLines], "…")
	}
	text := strings.Join(lines, "\n")
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "json\n" + text + "\n" + fence + "\n"
}
