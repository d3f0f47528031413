package finding_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/shapevet/shapevet/internal/finding"
)

func found(rule, collection, path string, severity finding.Severity, confidence float64, line int) finding.Finding {
	return finding.Finding{
		Rule: rule, Severity: severity, Confidence: confidence,
		Subject:     finding.Subject{Kind: finding.KindDocument, Collection: collection, Path: path},
		Location:    finding.Location{File: collection + ".json", Line: line, Column: 1},
		Fingerprint: fmt.Sprintf("%s:%s:%s:%d", rule, collection, path, line),
	}
}

func sample() *finding.Report {
	return &finding.Report{Findings: []finding.Finding{
		found("volatile-embed", "persons", "holdings[].stock", finding.Warning, 0.6, 3),
		found("unbounded-array", "posts", "comments", finding.Warning, 0.9, 7),
		found("deep-nesting", "posts", "a.b.c", finding.Info, 0.4, 5),
		found("input-error", "posts", "", finding.Error, 0.95, 9),
	}}
}

func rules(r *finding.Report) []string {
	names := []string{}
	for _, f := range r.Findings {
		names = append(names, f.Rule)
	}
	return names
}

func TestFilter(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name       string
		filter     finding.Filter
		want       []string
		suppressed int
		hidden     int
		elsewhere  int
		unused     []int
	}{
		{
			name: "nothing", filter: finding.Filter{},
			want: []string{"volatile-embed", "deep-nesting", "unbounded-array", "input-error"},
		},
		{
			name: "confidence", filter: finding.Filter{MinConfidence: 0.5},
			want: []string{"volatile-embed", "unbounded-array", "input-error"}, hidden: 1,
		},
		{
			name: "scope", filter: finding.Filter{MinConfidence: 0.5, Scope: func(f *finding.Finding) bool { return f.Subject.Collection == "posts" }},
			want: []string{"unbounded-array", "input-error"}, hidden: 1, elsewhere: 1,
		},
		{
			name: "select keeps input-error", filter: finding.Filter{Select: []string{"unbounded-array"}},
			want: []string{"unbounded-array", "input-error"},
		},
		{
			name: "ignore beats select", filter: finding.Filter{
				Select: []string{"unbounded-array", "deep-nesting"}, Ignore: []string{"unbounded-array", "input-error"},
			},
			want: []string{"deep-nesting"},
		},
		{
			name: "suppressions", filter: finding.Filter{Suppressions: []finding.Suppression{
				{Rule: "unbounded-array", Collection: "posts", Path: "comments"},
				{Rule: "unbounded-array", Collection: "posts", Path: "tags"},
				{Rule: "volatile-embed"},
			}},
			want: []string{"deep-nesting", "input-error"}, suppressed: 2, unused: []int{1},
		},
		{
			name: "a suppression of a rule that did not run is not unused", filter: finding.Filter{
				Ignore: []string{"volatile-embed"}, Suppressions: []finding.Suppression{{Rule: "volatile-embed"}},
			},
			want: []string{"deep-nesting", "unbounded-array", "input-error"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			report := sample()
			unused := test.filter.Apply(report)
			assert.Equal(t, test.want, rules(report))
			assert.Equal(t, test.suppressed, report.Summary.Suppressed)
			assert.Equal(t, test.hidden, report.Summary.Hidden)
			assert.Equal(t, test.elsewhere, report.Summary.Elsewhere)
			assert.Equal(t, test.unused, unused)
			s := report.Summary
			assert.Equal(t, len(report.Findings), s.Error+s.Warning+s.Info)
		})
	}
}

func TestFilterSeverity(t *testing.T) {
	t.Parallel()
	report := sample()
	finding.Filter{Severity: map[string]finding.Severity{"unbounded-array": finding.Error}}.Apply(report)
	assert.Equal(t, 2, report.Summary.Error)
	assert.Equal(t, 2, report.Summary.AtLeast(finding.Error))
	assert.Equal(t, 3, report.Summary.AtLeast(finding.Warning))
	assert.Equal(t, 4, report.Summary.AtLeast(finding.Info))
}

func TestFilterKeepsTheGravest(t *testing.T) {
	t.Parallel()
	report := &finding.Report{}
	for line := 1; line <= 9; line++ {
		severity := finding.Warning
		if line == 9 {
			severity = finding.Error
		}
		report.Findings = append(report.Findings, found("dangling-reference", "books", "author", severity, 0.9, line))
	}
	report.Findings = append(report.Findings, found("dangling-reference", "books", "editor", finding.Warning, 0.9, 1))
	finding.Filter{MaxPerPath: 3}.Apply(report)
	assert.Equal(t, 6, report.Summary.Truncated)
	lines := []int{}
	for _, f := range report.Findings {
		lines = append(lines, f.Location.Line)
	}
	assert.Equal(t, []int{1, 1, 2, 9}, lines)
}

// TestFilterKnowsBothPlaces accepts a mistake of code and documents by either.
func TestFilterKnowsBothPlaces(t *testing.T) {
	t.Parallel()
	for _, suppression := range []finding.Suppression{
		{Rule: "unbounded-array", Path: "comments"},
		{Rule: "unbounded-array", Collection: "posts", Path: "comments[]"},
	} {
		r := &finding.Report{Findings: []finding.Finding{{
			Rule: "unbounded-array", Confidence: 0.9,
			Subject: finding.Subject{Kind: finding.KindGo, Path: "comments", Symbol: "m.Post.Comments"},
			Also:    []finding.Twin{{Rule: "unbounded-array", Subject: finding.Subject{Kind: finding.KindDocument, Collection: "posts", Path: "comments[]"}}},
		}}}
		assert.Empty(t, finding.Filter{Suppressions: []finding.Suppression{suppression}}.Apply(r), "it is used")
		assert.Empty(t, r.Findings)
		assert.Equal(t, 1, r.Summary.Suppressed)
	}
}
