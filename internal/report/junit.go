package report

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/term"
)

// The XML that CI servers read as the result of a JUnit run, as Jenkins defines
// it: junit-10.xsd in https://github.com/jenkinsci/xunit-plugin.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name      string        `xml:"name,attr"`
		ClassName string        `xml:"classname,attr"`
		Failure   *junitOutcome `xml:"failure"`
		Error     *junitOutcome `xml:"error"`
		SystemOut string        `xml:"system-out,omitempty"`
	}
	junitOutcome struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// writeJUnit prints one suite per file and one case per finding. Findings below
// the severity that fails a run are passing cases with text. A run without
// findings is one passing case, because servers take an empty report for a
// broken run.
func writeJUnit(w io.Writer, r *finding.Report, o Options) error {
	suites := junitSuites{Name: "shapevet"}
	for _, group := range runs(r.Findings, func(a, b finding.Finding) bool { return a.Location.File == b.Location.File }) {
		suite := junitSuite{Name: fileName(group[0].Location)}
		for _, f := range group {
			text := findingText(f)
			c := junitCase{Name: junitName(f), ClassName: "shapevet." + f.Rule}
			if o.FailOn > 0 && f.Severity >= o.FailOn {
				suite.Failures++
				c.Failure = &junitOutcome{Message: term.Clean(f.Message), Type: f.Severity.String(), Text: text}
			} else {
				c.SystemOut = text
			}
			suite.Cases = append(suite.Cases, c)
		}
		suites.add(suite)
	}
	if len(r.Problems) > 0 {
		suite := junitSuite{Name: "not checked"}
		for _, problem := range r.Problems {
			suite.Errors++
			suite.Cases = append(suite.Cases, junitCase{
				Name: position(problem.Location), ClassName: "shapevet",
				Error: &junitOutcome{Message: term.Clean(problem.Message), Type: "error", Text: term.Clean(problem.Hint)},
			})
		}
		suites.add(suite)
	}
	if len(suites.Suites) == 0 {
		suites.add(junitSuite{Name: "shapevet", Cases: []junitCase{{Name: "no findings", ClassName: "shapevet"}}})
	}
	return writeXML(w, suites)
}

func (s *junitSuites) add(suite junitSuite) {
	suite.Tests = len(suite.Cases)
	s.Tests += suite.Tests
	s.Failures += suite.Failures
	s.Errors += suite.Errors
	s.Suites = append(s.Suites, suite)
}

// junitName returns a name that is unique among a rule's findings in a file but
// has no line number, so that a server can track it from run to run.
func junitName(f finding.Finding) string {
	name := f.Subject.Collection
	if f.Subject.Path != "" {
		name += ":" + f.Subject.Path
	}
	return strings.TrimSuffix(f.Rule+" "+term.Clean(cmp.Or(f.Subject.Symbol, name)), " ")
}

// findingText returns a finding as a few lines of plain text.
func findingText(f finding.Finding) string {
	text := fmt.Sprintf("%s: %s: %s [%s]\n", position(f.Location), f.Severity, term.Clean(f.Message), f.Rule)
	if f.Advice != "" {
		text += term.Clean(f.Advice) + "\n"
	}
	for _, related := range f.Related {
		text += position(related.Location) + ": " + term.Clean(related.Message) + "\n"
	}
	return text
}

func fileName(l finding.Location) string {
	return cmp.Or(l.File, "(no file)")
}

func writeXML(w io.Writer, document any) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	var text bytes.Buffer // the encoder may write parts of characters
	encoder := xml.NewEncoder(&text)
	encoder.Indent("", "  ")
	if err := encoder.Encode(document); err != nil {
		return err
	}
	_, err := escaper{w, func(r rune) string { return fmt.Sprintf("&#x%X;", r) }}.Write(append(text.Bytes(), '\n'))
	return err
}
