package report

import (
	"io"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/term"
)

// The Reviewdog Diagnostic Format: proto/rdf/reviewdog.proto in
// reviewdog/reviewdog. Columns count bytes from 1; ends are exclusive.
type (
	rdResult struct {
		Source      rdSource       `json:"source"`
		Severity    string         `json:"severity"`
		Diagnostics []rdDiagnostic `json:"diagnostics"`
	}
	rdSource struct {
		Name string `json:"name"`
		URL  string `json:"url"`
	}
	rdDiagnostic struct {
		Message          string         `json:"message"`
		Location         rdLocation     `json:"location"`
		Severity         string         `json:"severity"`
		Code             *rdCode        `json:"code,omitempty"`
		Suggestions      []rdSuggestion `json:"suggestions,omitempty"`
		RelatedLocations []rdRelated    `json:"related_locations,omitempty"`
	}
	rdCode struct {
		Value string `json:"value"`
		URL   string `json:"url"`
	}
	rdLocation struct {
		Path  string   `json:"path"`
		Range *rdRange `json:"range,omitempty"`
	}
	rdRange struct {
		Start rdPosition  `json:"start"`
		End   *rdPosition `json:"end,omitempty"`
	}
	rdPosition struct {
		Line   int `json:"line"`
		Column int `json:"column,omitempty"`
	}
	rdSuggestion struct {
		Range rdRange `json:"range"`
		Text  string  `json:"text"`
	}
	rdRelated struct {
		Message  string     `json:"message"`
		Location rdLocation `json:"location"`
	}
)

func writeRDJSON(w io.Writer, r *finding.Report, o Options) error {
	result := rdResult{
		Source: rdSource{Name: "shapevet", URL: homePage}, Severity: "WARNING", Diagnostics: []rdDiagnostic{},
	}
	for _, f := range r.Findings {
		d := rdDiagnostic{
			Message: cleanLines(joinLines(f.Message, f.Advice)), Location: rdLocationOf(f.Location),
			Severity: strings.ToUpper(f.Severity.String()), Code: &rdCode{Value: f.Rule, URL: pageURL(f.Rule)},
			Suggestions: rdSuggestions(f, o),
		}
		for _, related := range f.Related {
			d.RelatedLocations = append(d.RelatedLocations, rdRelated{Message: term.Clean(related.Message), Location: rdLocationOf(related.Location)})
		}
		result.Diagnostics = append(result.Diagnostics, d)
	}
	for _, problem := range r.Problems {
		result.Diagnostics = append(result.Diagnostics, rdDiagnostic{
			Message: cleanLines(joinLines(problem.Message, problem.Hint)), Location: rdLocationOf(problem.Location), Severity: "ERROR",
		})
	}
	return writeIndented(w, result)
}

func rdLocationOf(l finding.Location) rdLocation {
	location := rdLocation{Path: l.File}
	if l.Line > 0 {
		location.Range = &rdRange{Start: rdPosition{Line: l.Line, Column: l.Column}}
		if l.EndLine > l.Line || l.EndLine == l.Line && l.EndColumn > l.Column {
			location.Range.End = &rdPosition{Line: l.EndLine, Column: l.EndColumn}
		}
	}
	return location
}

// rdSuggestions returns the edits of a fix. Reviewers accept each edit
// separately, so a fix with several edits, or one in another file, is only
// described in the text.
func rdSuggestions(f finding.Finding, o Options) []rdSuggestion {
	for _, fix := range f.Fixes {
		if len(fix.Edits) != 1 || fix.Edits[0].File != f.Location.File || o.Position == nil {
			continue
		}
		edit := fix.Edits[0]
		start, ok := rdPositionOf(o, edit.File, edit.Start)
		end, found := rdPositionOf(o, edit.File, edit.End)
		if ok && found {
			return []rdSuggestion{{Range: rdRange{Start: start, End: &end}, Text: edit.NewText}}
		}
	}
	return nil
}

func rdPositionOf(o Options, file string, offset int64) (rdPosition, bool) {
	line, column, ok := o.Position(file, offset)
	return rdPosition{Line: line, Column: column}, ok
}
