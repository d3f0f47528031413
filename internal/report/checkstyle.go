package report

import (
	"encoding/xml"
	"io"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/term"
)

// The XML report of Checkstyle, which many servers read: XMLLogger at
// https://checkstyle.org.
type (
	checkstyleReport struct {
		XMLName xml.Name         `xml:"checkstyle"`
		Version string           `xml:"version,attr"`
		Files   []checkstyleFile `xml:"file"`
	}
	checkstyleFile struct {
		Name   string            `xml:"name,attr"`
		Errors []checkstyleError `xml:"error"`
	}
	checkstyleError struct {
		Line     int    `xml:"line,attr"`
		Column   int    `xml:"column,attr,omitempty"`
		Severity string `xml:"severity,attr"`
		Message  string `xml:"message,attr"`
		Source   string `xml:"source,attr"`
	}
)

func writeCheckstyle(w io.Writer, r *finding.Report, _ Options) error {
	report := checkstyleReport{Version: "8.0"}
	add := func(l finding.Location, e checkstyleError) {
		e.Line, e.Column = max(1, l.Line), l.Column
		for i := range report.Files {
			if report.Files[i].Name == fileName(l) {
				report.Files[i].Errors = append(report.Files[i].Errors, e)
				return
			}
		}
		report.Files = append(report.Files, checkstyleFile{Name: fileName(l), Errors: []checkstyleError{e}})
	}
	for _, f := range r.Findings {
		add(f.Location, checkstyleError{
			Severity: f.Severity.String(), Message: term.Clean(sentences(oneLine(f), f.Advice)), Source: "shapevet." + f.Rule,
		})
	}
	for _, problem := range r.Problems {
		add(problem.Location, checkstyleError{
			Severity: "error", Message: term.Clean(sentences(problem.Message, problem.Hint)), Source: "shapevet",
		})
	}
	return writeXML(w, report)
}
