package report_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/report"
)

// TestEveryFormatShowsBothPlaces is about a mistake that code and documents
// show.
func TestEveryFormatShowsBothPlaces(t *testing.T) {
	t.Parallel()
	r := &finding.Report{Findings: []finding.Finding{{
		Rule: "unbounded-array", Severity: finding.Warning, Confidence: 0.9, Message: "comments grows", Fingerprint: "unbounded-array:m.Post.Comments",
		Subject:  finding.Subject{Kind: finding.KindGo, Symbol: "m.Post.Comments"},
		Location: finding.Location{File: "m/m.go", Line: 3, Column: 2, EndLine: 3, EndColumn: 9},
		Related: []finding.Related{
			finding.InDocuments("up to 300 elements", finding.Location{File: "samples/posts.jsonl", Line: 7, Column: 20, EndLine: 7, EndColumn: 28}),
			{Message: "it is added here", Location: finding.Location{File: "m/m.go", Line: 9, Column: 1, EndLine: 9, EndColumn: 4}},
		},
		Also: []finding.Twin{{Fingerprint: "unbounded-array:posts:comments"}},
	}}}
	for _, format := range report.Formats() {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			require.NoError(t, report.Write(&out, format, r, report.Options{ToolVersion: "v1"}))
			assert.Contains(t, out.String(), "m/m.go")
			assert.Contains(t, out.String(), "samples/posts.jsonl")
		})
	}
}
