package rules_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/source"
)

// A database is the documents of each collection.
type database map[string][]string

// findingsOf checks a database and returns what one rule reports by default.
// It also checks that the findings do not depend on the number of workers.
func findingsOf(t *testing.T, rule string, db database, options jsonlint.Options) []finding.Finding {
	t.Helper()
	dir := t.TempDir()
	var inputs []string
	for name, documents := range db {
		file := filepath.Join(dir, name+".jsonl")
		require.NoError(t, os.WriteFile(file, []byte(strings.Join(documents, "\n")+"\n"), 0o600))
		inputs = append(inputs, file)
	}
	options.Jobs = 1
	one := findingsIn(t, rule, inputs, options)
	options.Jobs = 8
	eight := findingsIn(t, rule, inputs, options)
	require.Equal(t, one, eight)
	return one
}

// splitParts is the number of files that splitFindings makes of a collection.
const splitParts = 10

// splitFindings checks the same database with each collection split into
// several files, and returns the findings with the places they have in one.
func splitFindings(t *testing.T, rule string, db database, options jsonlint.Options) []finding.Finding {
	t.Helper()
	dir := t.TempDir()
	var inputs []string
	before := map[string]int{} // lines before the first one of a file
	for name, documents := range db {
		options.Source.Collections = append(options.Source.Collections, source.CollectionRule{Name: name, Glob: name + ".part*.jsonl"})
		size := (len(documents) + splitParts - 1) / splitParts
		for i := 0; i*size < len(documents); i++ {
			file := fmt.Sprintf("%s.part%02d.jsonl", name, i)
			part := documents[i*size : min(len(documents), (i+1)*size)]
			require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(strings.Join(part, "\n")+"\n"), 0o600))
			inputs = append(inputs, filepath.Join(dir, file))
			before[file] = i * size
		}
	}
	whole := func(l *finding.Location) {
		l.Line += before[l.File]
		l.EndLine += before[l.File]
		l.File = strings.SplitN(l.File, ".", 2)[0] + ".jsonl"
	}
	found := findingsIn(t, rule, inputs, options)
	for i := range found {
		whole(&found[i].Location)
		for j := range found[i].Related {
			whole(&found[i].Related[j].Location)
		}
	}
	return found
}

func findingsIn(t *testing.T, rule string, inputs []string, options jsonlint.Options) []finding.Finding {
	t.Helper()
	report, err := jsonlint.Check(context.Background(), inputs, options)
	require.NoError(t, err)
	require.Empty(t, report.Problems)
	var found []finding.Finding
	for _, f := range report.Findings {
		if f.Rule == rule && (f.Confidence >= 0.5 || options.Strict) {
			require.Positive(t, f.Location.Line)
			require.NotEmpty(t, f.Advice)
			require.NotEmpty(t, f.Evidence)
			f.Location.File = filepath.Base(f.Location.File)
			for i := range f.Related {
				f.Related[i].Location.File = filepath.Base(f.Related[i].Location.File)
			}
			found = append(found, f)
		}
	}
	return found
}

// withoutEdits leaves out the edits, whose files and offsets differ.
func withoutEdits(findings []finding.Finding) []finding.Finding {
	out := slices.Clone(findings)
	for i := range out {
		out[i].Fixes = slices.Clone(out[i].Fixes)
		for j := range out[i].Fixes {
			out[i].Fixes[j].Edits = nil
		}
	}
	return out
}

// shapeCase is a database and what one rule must say of it: "severity
// file:line path" for each finding.
type shapeCase struct {
	name string
	db   database
	want []string
	says string // a part of the first message
}

func runShapeCases(t *testing.T, rule string, cases []shapeCase) {
	t.Helper()
	for _, test := range cases {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			found := findingsOf(t, rule, test.db, jsonlint.Options{})
			require.Equal(t, withoutEdits(found), withoutEdits(splitFindings(t, rule, test.db, jsonlint.Options{Jobs: 4})), "one file or several")
			got := make([]string, 0, len(found))
			for _, f := range found {
				got = append(got, fmt.Sprintf("%s %s:%d %s", f.Severity, f.Location.File, f.Location.Line, f.Subject.Path))
			}
			if test.want == nil {
				test.want = []string{}
			}
			messages := make([]string, 0, len(found))
			for _, f := range found {
				messages = append(messages, f.Message)
			}
			assert.Equal(t, test.want, got, "%v", messages)
			if test.says != "" && assert.NotEmpty(t, found) {
				assert.Contains(t, found[0].Message, test.says)
			}
		})
	}
}

// times makes n documents; %[1]d in the format becomes their number from
// first.
func times(first, n int, format string) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf(format, first+i)
	}
	return out
}

func concat(lists ...[]string) (all []string) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}
