package report

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/shapevet/shapevet/internal/finding"
)

// formatVersion is the version of the JSON formats. Adding fields does not
// change it.
const formatVersion = 1

type tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

func describeTool(o Options) tool { return tool{Name: "shapevet", Version: o.ToolVersion} }

// writeJSON prints one object.
func writeJSON(w io.Writer, r *finding.Report, o Options) error {
	report := struct {
		Version  int               `json:"version"`
		Tool     tool              `json:"tool"`
		Summary  finding.Summary   `json:"summary"`
		Findings []finding.Finding `json:"findings"`
		Errors   []finding.Problem `json:"errors"`

		Unchecked []finding.Unchecked `json:"unchecked"`
		Notes     []string            `json:"notes,omitempty"`
	}{formatVersion, describeTool(o), r.Summary, make([]finding.Finding, len(r.Findings)), orEmpty(r.Problems), orEmpty(r.Unchecked), r.Notes}
	for i, f := range r.Findings {
		report.Findings[i] = complete(f)
	}
	return writeIndented(w, report)
}

func writeIndented(w io.Writer, value any) error {
	encoder := newEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// writeJSONLines prints one object per line: findings, errors, and finally the
// summary. The field type distinguishes them.
func writeJSONLines(w io.Writer, r *finding.Report, o Options) error {
	encoder := newEncoder(w)
	for _, f := range r.Findings {
		line := struct {
			Type string `json:"type"`
			finding.Finding
		}{"finding", complete(f)}
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	for _, problem := range r.Problems {
		line := struct {
			Type string `json:"type"`
			finding.Problem
		}{"error", problem}
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	return encoder.Encode(struct {
		Type    string          `json:"type"`
		Version int             `json:"version"`
		Tool    tool            `json:"tool"`
		Summary finding.Summary `json:"summary"`
	}{"summary", formatVersion, describeTool(o), r.Summary})
}

func newEncoder(w io.Writer) *json.Encoder {
	encoder := json.NewEncoder(escaper{w, func(r rune) string { return fmt.Sprintf(`\u%04x`, r) }})
	encoder.SetEscapeHTML(false)
	return encoder
}

// complete returns the finding with [] for nil lists and with evidence that
// JSON can represent.
func complete(f finding.Finding) finding.Finding {
	f.Evidence = slices.Clone(orEmpty(f.Evidence))
	for i, evidence := range f.Evidence {
		f.Evidence[i].Value = finite(evidence.Value)
	}
	f.Related = orEmpty(f.Related)
	f.Fixes = slices.Clone(orEmpty(f.Fixes))
	for i, fix := range f.Fixes {
		f.Fixes[i].Edits = orEmpty(fix.Edits)
	}
	return f
}

// finite returns numbers that JSON lacks as strings.
func finite(value any) any {
	switch v := value.(type) {
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return strconv.FormatFloat(v, 'g', -1, 64)
		}
	case []float64:
		numbers := make([]any, len(v))
		for i, number := range v {
			numbers[i] = finite(number)
		}
		return numbers
	}
	return value
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
