package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/term"
)

// The escapes of workflow commands: actions/toolkit,
// packages/core/src/command.ts.
var (
	escapeData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	escapeProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

var gitHubCommands = map[finding.Severity]string{
	finding.Error: "error", finding.Warning: "warning", finding.Info: "notice",
}

// writeGitHub prints workflow commands, which GitHub Actions turns into
// annotations. Problems become errors.
func writeGitHub(w io.Writer, r *finding.Report, _ Options) error {
	for _, f := range r.Findings {
		if err := gitHubCommand(w, gitHubCommands[f.Severity], f.Rule, f.Location, joinLines(oneLine(f), f.Advice)); err != nil {
			return err
		}
	}
	for _, problem := range r.Problems {
		if err := gitHubCommand(w, "error", "shapevet", problem.Location, joinLines(problem.Message, problem.Hint)); err != nil {
			return err
		}
	}
	return nil
}

func gitHubCommand(w io.Writer, command, title string, l finding.Location, text string) error {
	var properties []string
	add := func(name string, value any) {
		properties = append(properties, name+"="+escapeProperty.Replace(fmt.Sprint(value)))
	}
	if l.File != "" {
		add("file", term.Clean(l.File))
	}
	if l.Line > 0 {
		add("line", l.Line)
		if l.EndLine > l.Line {
			add("endLine", l.EndLine)
		} else if l.Column > 0 { // GitHub refuses columns in a range of several lines
			add("col", l.Column)
			if l.EndColumn > l.Column {
				add("endColumn", l.EndColumn)
			}
		}
	}
	add("title", title)
	_, err := fmt.Fprintf(w, "::%s %s::%s\n", command, strings.Join(properties, ","), escapeData.Replace(cleanLines(text)))
	return err
}

// cleanLines keeps text from documents from controlling the log that shows it.
func cleanLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = term.Clean(line)
	}
	return strings.Join(lines, "\n")
}
