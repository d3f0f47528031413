package report_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/report"
)

// dates has findings that one change in the importer would fix, and another
// finding.
func dates(fields int) *finding.Report {
	r := &finding.Report{Summary: finding.Summary{Documents: 100, Collections: 1, Bytes: 2048, Error: 1, Warning: fields}}
	for i := range fields {
		name := fmt.Sprintf("date%d", i)
		r.Findings = append(r.Findings, finding.Finding{
			Rule: "inconsistent-date-format", Severity: finding.Warning, Confidence: 0.7,
			Message: name + " writes dates in 2 ways", Advice: "Write " + name + " in one form.",
			Subject:  finding.Subject{Kind: finding.KindDocument, Collection: "visits", Path: name},
			Location: finding.Location{File: "visits.jsonl", Line: i + 1, Column: 3},
		})
	}
	r.Findings = append(r.Findings, finding.Finding{
		Rule: "duplicate-id", Severity: finding.Error, Confidence: 0.95, Message: "two visits have one id", Advice: "Remove one.",
		Subject:  finding.Subject{Kind: finding.KindDocument, Collection: "visits"},
		Location: finding.Location{File: "visits.jsonl", Line: 90, Column: 3},
	})
	return r
}

// TestTextNamesAlikePlaces: places that are only counted are named if they have the same mistake.
func TestTextNamesAlikePlaces(t *testing.T) {
	t.Parallel()
	r := dates(1)
	for _, message := range []string{"the first number", "the same at a", "the same at b.c", "the same in d", "elsewhere"} {
		r.Findings[0].Related = append(r.Findings[0].Related, finding.Related{Message: message, Location: finding.Location{File: "visits.jsonl", Line: 7}})
	}
	assert.Contains(t, write(t, "text", r, report.Options{}), "the same at a\n          … and 3 more places\n          at b.c · in d\n")
}

// TestTextTellsACauseOnce has 45 findings of one cause. They must be printed
// once with places, below the error.
func TestTextTellsACauseOnce(t *testing.T) {
	t.Parallel()
	got := write(t, "text", dates(45), report.Options{MaxPerRule: 10})
	assert.True(t, strings.HasPrefix(got, "1 error, 45 warnings in 100 documents of 1 collection (2 KB)\n\nvisits.jsonl:90:3  error  duplicate-id"), got)
	assert.Equal(t, 1, strings.Count(got, "advice  Write date0 in one form."))
	assert.Contains(t, got, "same    visits.jsonl:2:3  date1 writes dates in 2 ways\n")
	assert.Contains(t, got, "… and 41 more places: --max-per-rule 0\n")
	assert.Less(t, strings.Count(got, "\n"), 20)
	all := write(t, "text", dates(45), report.Options{})
	assert.Contains(t, all, "visits.jsonl:45:3  date44 writes dates in 2 ways\n")
	assert.Equal(t, 46, strings.Count(write(t, "jsonl", dates(45), report.Options{}), `"type":"finding"`), "programs read all")
}

// TestTextLimitsRules has 12 findings of one rule with different causes.
func TestTextLimitsRules(t *testing.T) {
	t.Parallel()
	r := dates(12)
	for i := range r.Findings {
		r.Findings[i].Advice = fmt.Sprint("way ", i)
	}
	got := write(t, "text", r, report.Options{MaxPerRule: 10})
	assert.Equal(t, 10, strings.Count(got, "  warning  "))
	assert.Contains(t, got, "\n2 more of inconsistent-date-format: --max-per-rule 0 shows them\n")
}

func TestSortAndGroup(t *testing.T) {
	t.Parallel()
	r := fixture()
	for _, test := range []struct {
		order, by string
		want      []string
	}{
		{"", "", []string{"input-error", "join-document", "unbounded-array", "unbounded-array", "retired-rule"}},
		{"place", "", []string{"input-error", "unbounded-array", "unbounded-array", "join-document", "retired-rule"}},
		{"rule", "", []string{"input-error", "join-document", "retired-rule", "unbounded-array", "unbounded-array"}},
		{"", "file", []string{"input-error", "unbounded-array", "unbounded-array", "join-document", "retired-rule"}},
	} {
		got := write(t, "text", r, report.Options{Sort: test.order, GroupBy: test.by})
		var rules []string
		for line := range strings.Lines(got) {
			if before, _, ok := strings.Cut(line, "% sure"); ok {
				words := strings.Fields(before)
				rules = append(rules, words[len(words)-2])
			}
		}
		assert.Equal(t, test.want, rules, "%+v", test)
	}
	assert.Contains(t, write(t, "text", r, report.Options{GroupBy: "collection"}), "\nposts  3 findings\n")
	assert.Contains(t, write(t, "text", r, report.Options{GroupBy: "rule"}), "\nunbounded-array  2 findings\n")
	concise := write(t, "concise", r, report.Options{Sort: "severity"})
	assert.Less(t, strings.Index(concise, "join-document"), strings.Index(concise, "unbounded-array"))
}

// TestTextIsShort limits a finding with everything to about a dozen lines.
func TestTextIsShort(t *testing.T) {
	t.Parallel()
	got := write(t, "text", fixture(), report.Options{})
	for part := range strings.SplitSeq(got, "\n\n") {
		assert.LessOrEqual(t, strings.Count(part, "\n"), 16, part)
	}
	assert.NotContains(t, got, "length.p50", "names made for programs")
	assert.Contains(t, got, "40 documents")
	assert.Contains(t, got, "longest 1,204 elements")
}

// TestFold checks how changes of a fix are shown: values as people write them,
// long ones without their middle, and nothing if nothing changes.
func TestFold(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, before, after string
		want                []string
	}{
		{
			"a field", `{"_id":{"$oid":"6801ee3b5f2c9a1d4c7e8f90"},"n":1}`, `{"_id":{"$oid":"6801ee3b5f2c9a1d4c7e8f90"},"n":"1"}`,
			[]string{"- n: 1", `+ n: "1"`},
		},
		{
			"extended JSON", `{"by":"6801ee3b5f2c9a1d4c7e8f90","at":"x","n":0}`,
			`{"by":{"$oid":"6801ee3b5f2c9a1d4c7e8f90"},"at":{"$date":{"$numberLong":"1706695200000"}},"n":{"$numberLong":"7"}}`,
			[]string{`- by: "6801ee3b5f2c9a1d4c7e8f90"`, `+ by: ObjectId("6801ee3b5f2c9a1d4c7e8f90")`, `- at: "x"`, "+ at: 2024-01-31T10:00:00Z", "- n: 0", "+ n: 7"},
		},
		{"deep", `{"a":[{"b":{"c":1}},{"b":{"c":2}}]}`, `{"a":[{"b":{"c":1}},{"b":{"d":2}}]}`, []string{"- a[1].b.c: 2", "+ a[1].b.d: 2"}},
		{"a name", `{"old name":1}`, `{"newName":1}`, []string{`- "old name": 1`, "+ newName: 1"}},
		{
			"long", `{"a":1}`, `{"a":"` + strings.Repeat("x", 100) + `the end"}`,
			[]string{"- a: 1", `+ a: "` + strings.Repeat("x", 42) + "…" + strings.Repeat("x", 13) + `the end"`},
		},
	} {
		r := &finding.Report{Findings: []finding.Finding{{
			Rule: "r", Subject: finding.Subject{Collection: "c"},
			Fixes: []finding.Fix{{
				Title: "do it", Safety: finding.Plan, Before: json.RawMessage(test.before),
				After: []finding.DocumentInPlace{{Collection: "c", Document: json.RawMessage(test.after)}},
			}},
		}}}
		got := write(t, "text", r, report.Options{})
		assert.Contains(t, got, "fix     do it (a plan, never applied)\n          "+strings.Join(test.want, "\n          ")+"\n", test.name)
		r.Findings[0].Fixes[0].After[0].Document = json.RawMessage(test.before)
		assert.NotContains(t, write(t, "text", r, report.Options{}), "do it", "a plan that changes nothing")
	}
}
