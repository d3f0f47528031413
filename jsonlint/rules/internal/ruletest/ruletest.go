// Package ruletest runs rules on small databases, for their tests.
package ruletest

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/source"
)

// An Expectation lists where one rule must report, ordered by place: severity,
// path and the text at line:column.
type Expectation struct {
	Name      string
	Documents []string
	Options   jsonlint.Options
	Want      []string // "error path line:column"; empty if the rule must not report
	Message   string   // part of the first message
}

// Expect runs a rule on each case's documents as a collection "items".
func Expect(t *testing.T, rule string, cases []Expectation) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			found := FindingsOf(t, rule, Database{"items": c.Documents}, c.Options)
			got := make([]string, 0, len(found))
			for _, f := range found {
				got = append(got, fmt.Sprintf("%s %s %d:%d", f.Severity, f.Subject.Path, f.Location.Line, f.Location.Column))
				for _, fix := range f.Fixes {
					AssertKeepsValues(t, fix)
				}
			}
			want := c.Want
			if want == nil {
				want = []string{}
			}
			require.Equal(t, want, got)
			if c.Message != "" {
				assert.Contains(t, found[0].Message, c.Message)
			}
		})
	}
}

// AssertKeepsValues checks the law of every plan: no value is lost. A number
// may become a string.
func AssertKeepsValues(t *testing.T, fix finding.Fix) {
	t.Helper()
	if fix.Before == nil {
		return
	}
	var after []string
	for _, d := range fix.After {
		after = append(after, leaves(t, d.Document)...)
	}
	for _, leaf := range leaves(t, fix.Before) {
		assert.Contains(t, after, leaf, "%s loses a value", fix.Title)
	}
}

func leaves(t *testing.T, text []byte) (out []string) {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	var v any
	require.NoError(t, decoder.Decode(&v))
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, m := range v {
				walk(m)
			}
		case []any:
			for _, e := range v {
				walk(e)
			}
		default:
			out = append(out, fmt.Sprint(v))
		}
	}
	walk(v)
	return out
}

// Numbered makes n documents from a format in which every verb gets the
// document's number, counted from 1.
func Numbered(n int, format string) []string {
	out := make([]string, n)
	for i := range out {
		args := make([]any, strings.Count(format, "%d"))
		for j := range args {
			args[j] = i + 1
		}
		out[i] = fmt.Sprintf(format, args...)
	}
	return out
}

// A Database is the documents of each collection.
type Database map[string][]string

// FindingsOf checks a database and returns the default findings of one rule. It
// also checks that they do not depend on the number of workers.
func FindingsOf(t *testing.T, rule string, db Database, options jsonlint.Options) []finding.Finding {
	t.Helper()
	dir := t.TempDir()
	var inputs []string
	for name, documents := range db {
		file := filepath.Join(dir, name+".jsonl")
		require.NoError(t, os.WriteFile(file, []byte(strings.Join(documents, "\n")+"\n"), 0o600))
		inputs = append(inputs, file)
	}
	options.Jobs = 1
	one := FindingsIn(t, rule, inputs, options)
	options.Jobs = 8
	eight := FindingsIn(t, rule, inputs, options)
	require.Equal(t, one, eight)
	return one
}

// splitParts is the number of files into which splitFindings splits a
// collection.
const splitParts = 10

// splitFindings checks the same database with each collection split into
// several files, and returns the findings with their places in a single file.
func splitFindings(t *testing.T, rule string, db Database, options jsonlint.Options) []finding.Finding {
	t.Helper()
	dir := t.TempDir()
	var inputs []string
	before := map[string]int{} // number of lines before the first line of a file
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
	found := FindingsIn(t, rule, inputs, options)
	for i := range found {
		whole(&found[i].Location)
		for j := range found[i].Related {
			whole(&found[i].Related[j].Location)
		}
	}
	return found
}

func FindingsIn(t *testing.T, rule string, inputs []string, options jsonlint.Options) []finding.Finding {
	t.Helper()
	report, err := jsonlint.Check(context.Background(), inputs, options)
	require.NoError(t, err)
	require.Empty(t, report.Problems)
	var found []finding.Finding
	for _, f := range report.Findings {
		if f.Rule == rule && (f.Confidence >= finding.Probable || options.Strict) {
			require.Positive(t, f.Location.Line)
			require.NotEmpty(t, f.Advice)
			require.NotEmpty(t, f.Evidence)
			assertReadable(t, f.Message)
			f.Location.File = filepath.Base(f.Location.File)
			for i := range f.Related {
				assertReadable(t, f.Related[i].Message)
				f.Related[i].Location.File = filepath.Base(f.Related[i].Location.File)
			}
			found = append(found, f)
		}
	}
	return found
}

// assertReadable requires that a message writes values as people do:
// ObjectId("…") rather than the wrapper of Extended JSON.
func assertReadable(t *testing.T, message string) {
	t.Helper()
	require.NotRegexp(t, wrapper, message)
}

var wrapper = regexp.MustCompile(`\{\s*"\$(oid|date|number\w+|uuid|binary)"\s*:`)

// withoutEdits removes the edits, whose files and offsets differ.
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

// ShapeCase is a database with the required findings of one rule, each as
// "severity file:line path".
type ShapeCase struct {
	Name string
	DB   Database
	Want []string
	Says string // part of the first message
}

func Run(t *testing.T, rule string, cases []ShapeCase) {
	t.Helper()
	for _, test := range cases {
		t.Run(test.Name, func(t *testing.T) {
			t.Parallel()
			found := FindingsOf(t, rule, test.DB, jsonlint.Options{})
			require.Equal(t, withoutEdits(found), withoutEdits(splitFindings(t, rule, test.DB, jsonlint.Options{Jobs: 4})), "one file or several")
			got := make([]string, 0, len(found))
			for _, f := range found {
				got = append(got, fmt.Sprintf("%s %s:%d %s", f.Severity, f.Location.File, f.Location.Line, f.Subject.Path))
			}
			if test.Want == nil {
				test.Want = []string{}
			}
			messages := make([]string, 0, len(found))
			for _, f := range found {
				messages = append(messages, f.Message)
			}
			assert.Equal(t, test.Want, got, "%v", messages)
			if test.Says != "" && assert.NotEmpty(t, found) {
				assert.Contains(t, found[0].Message, test.Says)
			}
			survives(t, test.DB)
		})
	}
}

// Times makes n documents from a format in which %[1]d is the document's
// number, counted from first.
func Times(first, n int, format string) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf(format, first+i)
	}
	return out
}

func Concat(lists ...[]string) (all []string) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// Joined makes n elements and joins them with commas.
func Joined(n int, element func(i int) string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = element(i)
	}
	return strings.Join(all, ",")
}

// AssertNothingLost checks that every value before a fix is there after it.
func AssertNothingLost(t *testing.T, fix finding.Fix) {
	t.Helper()
	var before any
	require.NoError(t, json.Unmarshal(fix.Before, &before))
	after := map[string]bool{}
	for _, d := range fix.After {
		var v any
		require.NoError(t, json.Unmarshal(d.Document, &v))
		for _, s := range scalars(v) {
			after[s] = true
		}
	}
	for _, s := range scalars(before) {
		assert.True(t, after[s], "%s is lost", s)
	}
}

func scalars(v any) (out []string) {
	switch v := v.(type) {
	case map[string]any:
		for _, m := range v {
			out = append(out, scalars(m)...)
		}
	case []any:
		for _, e := range v {
			out = append(out, scalars(e)...)
		}
	default:
		out = append(out, fmt.Sprintf("%T %v", v, v))
	}
	return out
}

// Documents makes n documents. body gets a random source that is the same in
// every run.
func Documents(n int, body func(i int, r *rand.Rand) string) []string {
	r := rand.New(rand.NewPCG(1, 2))
	out := make([]string, 0, n)
	for i := range n {
		out = append(out, body(i, r))
	}
	return out
}

// Some joins a random number of elements between low and high.
func Some(r *rand.Rand, low, high int, element func(k int) string) string {
	var parts []string
	for k := range low + r.IntN(high-low+1) {
		parts = append(parts, element(k))
	}
	return "[" + strings.Join(parts, ",") + "]"
}
