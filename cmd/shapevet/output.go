package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/report"
	"github.com/shapevet/shapevet/rulebook"
)

// An output is a format and where it goes; no file is standard output.
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
			return nil, fmt.Errorf("--output %s: name a file behind =, or leave = out", value)
		}
		place := file
		if named {
			place = filepath.Clean(file)
		}
		if seen[place] {
			if named {
				return nil, fmt.Errorf("--output: two formats go to %s: give each its own file", file)
			}
			return nil, errors.New("--output: two formats go to standard output: give one a file, as in json=findings.json")
		}
		seen[place] = true
		outputs = append(outputs, output{format, file})
	}
	return outputs, nil
}

func (a *app) writeOutputs(outputs []output, r *finding.Report, s *settings) error {
	var problems []error
	for _, out := range outputs {
		options := report.Options{ToolVersion: toolVersion(), Pages: rulebook.All(), Statistics: s.Statistics}
		if out.file == "" {
			options.Color, options.Width = colored(s.Color, a.stdout), width(a.stdout)
			problems = append(problems, report.Write(a.stdout, out.format, r, options))
			continue
		}
		options.Color = s.Color == "always"
		problems = append(problems, writeFile(out.file, func(w io.Writer) error {
			return report.Write(w, out.format, r, options)
		}))
	}
	return errors.Join(problems...)
}
