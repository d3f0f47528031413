package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/report"
	"github.com/shapevet/shapevet/rulebook"
)

// An output is a format and its file; no file means standard output.
type output struct{ format, file string }

func parseOutputs(values []string) ([]output, error) {
	var outputs []output
	seen := map[string]bool{}
	for _, value := range values {
		format, file, named := strings.Cut(value, "=")
		if err := report.Known(format); err != nil {
			return nil, fmt.Errorf("--output: %w", err)
		}
		if named && file == "" {
			return nil, fmt.Errorf("--output %s: name a file after =, or leave out =", value)
		}
		place := file
		if named {
			place = filepath.Clean(file)
		}
		if seen[place] {
			if named {
				return nil, fmt.Errorf("--output: two formats are written to %s: give each its own file", file)
			}
			return nil, errors.New("--output: two formats are written to standard output: give one a file, as in json=findings.json")
		}
		seen[place] = true
		outputs = append(outputs, output{format, file})
	}
	return outputs, nil
}

// counted reports whether a format can include statistics.
func (o output) counted() bool { return o.format == "text" || o.format == "concise" }

// open fails if one of the files cannot be written. It is called before the
// work starts.
func open(outputs []output) error {
	var problems []error
	for _, out := range outputs {
		if out.file != "" {
			problems = append(problems, writable(out.file))
		}
	}
	return errors.Join(problems...)
}

func (a *app) writeOutputs(ctx context.Context, outputs []output, r *finding.Report, s *settings) error {
	var problems []error
	lookup := positions{}
	for _, out := range outputs {
		options := report.Options{ToolVersion: toolVersion(), Pages: rulebook.All, Statistics: s.Statistics, MinConfidence: s.MinConfidence, ShowFixes: s.ShowFixes, Sort: s.Sort, GroupBy: s.GroupBy, MaxPerRule: s.MaxPerRule, Position: lookup.position}
		// The one word that is not a severity, never, gives zero.
		options.FailOn, _ = finding.ParseSeverity(s.FailOn)
		options.Color = s.Color == "always"
		if out.file == "" {
			options.Color, options.Width = colored(s.Color, a.stdout), width(a.stdout)
		}
		var text bytes.Buffer
		if err := abandonable(ctx, func() error { return report.Write(&text, out.format, r, options) }); err != nil {
			return err
		}
		problems = append(problems, a.writeText(text.Bytes(), out.file))
	}
	if s.Statistics && !slices.ContainsFunc(outputs, output.counted) {
		problems = append(problems, report.Statistics(a.stderr, r, report.Options{Color: colored(s.Color, a.stderr)}))
	}
	return errors.Join(problems...)
}

// positions finds lines and columns in the files that fixes edit, by path. It
// has none for a file that has become unreadable.
type positions map[string][]byte

func (p positions) position(file string, offset int64) (line, column int, ok bool) {
	text, read := p[file]
	if !read {
		text, _ = os.ReadFile(file)
		p[file] = text
	}
	if offset < 0 || offset > int64(len(text)) || text == nil {
		return 0, 0, false
	}
	before := text[:offset]
	return 1 + bytes.Count(before, []byte{'\n'}), len(before) - bytes.LastIndexByte(before, '\n'), true
}

// writeJSON writes a value as indented JSON.
func writeJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}
