package jsonlint_test

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
)

var update = flag.Bool("update", false, "write the accuracy table in docs")

const (
	accuracyData  = "../testdata/accuracy"
	accuracyTable = "../docs/accuracy.md"
)

// A label says whether a rule must report a path of a collection. The files
// of a label are one database and are checked together.
type label struct {
	Expect     string   `json:"expect"` // report or silent
	Rule       string   `json:"rule"`
	Files      []string `json:"files"`
	Collection string   `json:"collection"`
	Path       string   `json:"path"`
	Why        string   `json:"why"`
}

func (l label) met(findings []finding.Finding) bool {
	found := slices.ContainsFunc(findings, func(f finding.Finding) bool {
		return f.Rule == l.Rule && f.Subject.Collection == l.Collection && strings.TrimSuffix(f.Subject.Path, "[]") == strings.TrimSuffix(l.Path, "[]")
	})
	return found == (l.Expect == "report")
}

type tally struct{ right, missed, wrong, silent int }

// TestAccuracy measures the rules on excerpts of public data sets. Every label
// must hold; the table in docs is made from the same counts.
func TestAccuracy(t *testing.T) {
	t.Parallel()
	labels := readLabels(t)
	runs := map[string][]finding.Finding{}
	tallies := map[string]*tally{}
	for _, l := range labels {
		key := strings.Join(l.Files, " ")
		findings, done := runs[key]
		if !done {
			findings = checkAccuracy(t, l.Files)
			runs[key] = findings
		}
		c := tallies[l.Rule]
		if c == nil {
			c = &tally{}
			tallies[l.Rule] = c
		}
		met := l.met(findings)
		switch {
		case l.Expect == "report" && met:
			c.right++
		case l.Expect == "report":
			c.missed++
		case met:
			c.silent++
		default:
			c.wrong++
		}
		assert.True(t, met, "%s must be %s at %s of %s: %s", l.Rule, l.Expect, cmp.Or(l.Path, "the document"), key, l.Why)
	}
	table := accuracyMarkdown(tallies, len(runs))
	page, err := os.ReadFile(accuracyTable)
	require.NoError(t, err)
	written, byHand, _ := strings.Cut(string(page), "\n## ")
	if *update {
		require.NoError(t, os.WriteFile(accuracyTable, []byte(table+"\n## "+byHand), 0o644))
		written = table
	}
	assert.Equal(t, table, written, "the table is out of date: go test ./jsonlint -run TestAccuracy -update")
}

func checkAccuracy(t *testing.T, files []string) []finding.Finding {
	t.Helper()
	var inputs []string
	for _, f := range files {
		inputs = append(inputs, filepath.Join(accuracyData, filepath.FromSlash(f)))
	}
	report, err := jsonlint.Check(context.Background(), inputs, jsonlint.Options{Jobs: 2})
	require.NoError(t, err)
	require.Empty(t, report.Problems)
	return slices.DeleteFunc(report.Findings, func(f finding.Finding) bool { return f.Confidence < 0.5 })
}

func readLabels(t *testing.T) []label {
	t.Helper()
	f, err := os.Open(filepath.Join(accuracyData, "labels.jsonl"))
	require.NoError(t, err)
	defer f.Close()
	var labels []label
	for s := bufio.NewScanner(f); s.Scan(); {
		var l label
		require.NoError(t, json.Unmarshal(s.Bytes(), &l))
		require.Contains(t, []string{"report", "silent"}, l.Expect)
		labels = append(labels, l)
	}
	require.NotEmpty(t, labels)
	return labels
}

func accuracyMarkdown(tallies map[string]*tally, runs int) string {
	var b strings.Builder
	b.WriteString("# Accuracy\n\n")
	fmt.Fprintf(&b, "This table counts the findings on excerpts of public data sets in `testdata/accuracy` (%d runs) against the labels beside them.\n", runs)
	b.WriteString("`go test` checks it, and `go test ./jsonlint -run TestAccuracy -update` writes it.\n\n")
	b.WriteString("| rule | reported, rightly | missed | reported, wrongly | silent, rightly |\n| --- | ---: | ---: | ---: | ---: |\n")
	var sum tally
	for _, rule := range slices.Sorted(maps.Keys(tallies)) {
		c := tallies[rule]
		fmt.Fprintf(&b, "| `%s` | %d | %d | %d | %d |\n", rule, c.right, c.missed, c.wrong, c.silent)
		sum = tally{sum.right + c.right, sum.missed + c.missed, sum.wrong + c.wrong, sum.silent + c.silent}
	}
	fmt.Fprintf(&b, "| all | %d | %d | %d | %d |\n", sum.right, sum.missed, sum.wrong, sum.silent)
	return b.String()
}
