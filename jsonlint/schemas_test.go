package jsonlint_test

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
	"github.com/shapevet/shapevet/jsonlint/schema"
)

// judged checks the documents of one collection, with a schema unless it is "",
// and returns the findings of a rule.
func judged(t *testing.T, rule, text string, jobs int, document func(i int) string) []finding.Finding {
	t.Helper()
	dir := t.TempDir()
	var lines []string
	for i := range 400 {
		lines = append(lines, document(i))
	}
	file := filepath.Join(dir, "posts.jsonl")
	require.NoError(t, os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o600))
	options := jsonlint.Options{Jobs: jobs}
	if text != "" {
		path := filepath.Join(dir, "posts.schema.json")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		options.Schemas = schema.Load([]schema.Source{{Collection: "posts", Path: path}})
	}
	report, err := jsonlint.Check(context.Background(), []string{file}, options)
	require.NoError(t, err)
	require.Empty(t, report.Problems)
	return slices.DeleteFunc(report.Findings, func(f finding.Finding) bool { return f.Rule != rule })
}

// TestDeclaredBound: a list bounded by the schema is fine while the documents
// respect the bound.
func TestDeclaredBound(t *testing.T) {
	t.Parallel()
	comments := func(i int) string {
		var list []string
		for n := range 1 + i {
			list = append(list, fmt.Sprintf(`{"id": %d, "at": "2026-01-31T10:00:00Z", "text": "x"}`, n))
		}
		return fmt.Sprintf(`{"id": %d, "comments": [%s]}`, i, strings.Join(list, ","))
	}
	bounded := func(n int) string {
		return fmt.Sprintf(`{"properties": {"comments": {"type": "array", "maxItems": %d, "items": {"type": "object"}}}}`, n)
	}
	assert.Len(t, judged(t, "unbounded-array", "", 2, comments), 1)
	assert.Empty(t, judged(t, "unbounded-array", bounded(500), 2, comments))
	assert.Empty(t, judged(t, "schema-violation", bounded(500), 2, comments))
	assert.Len(t, judged(t, "unbounded-array", bounded(300), 2, comments), 1, "they do not keep to it")
	assert.Len(t, judged(t, "schema-violation", bounded(300), 2, comments), 1)

	found := judged(t, "unbounded-array", bounded(5_000), 2, comments)
	require.Len(t, found, 1, "documents and schema show the same")
	assert.Equal(t, "posts.jsonl", filepath.Base(found[0].Location.File))
	last := found[0].Related[len(found[0].Related)-1]
	assert.Equal(t, "posts.schema.json", filepath.Base(last.Location.File))
	assert.Contains(t, last.Message, "5,000")
}

func TestDeclaredMap(t *testing.T) {
	t.Parallel()
	scores := func(i int) string {
		return fmt.Sprintf(`{"id": %d, "scores": {"u%d": 1, "u%d": 2}}`, i, 7*i+1000, 7*i+1001)
	}
	assert.Len(t, judged(t, "dynamic-keys", "", 2, scores), 1)
	assert.Len(t, judged(t, "dynamic-keys", `{"properties": {"scores": {"type": "object"}}}`, 2, scores), 1)
	assert.Empty(t, judged(t, "dynamic-keys", `{"properties": {"scores": {"additionalProperties": {"type": "integer"}}}}`, 2, scores))
}

// TestDeclaredDiscriminator: documents without a discriminator are told to use
// the field in the schema.
func TestDeclaredDiscriminator(t *testing.T) {
	t.Parallel()
	kinds := func(i int) string {
		if i%2 == 0 {
			return fmt.Sprintf(`{"id": %d, "title": "T", "pages": 3, "isbn": "x%d"}`, i, i)
		}
		return fmt.Sprintf(`{"id": %d, "stars": 3, "text": "t", "author": "a%d"}`, i, i)
	}
	text := `{"oneOf": [{"properties": {"sort": {"const": "book"}, "title": {"type": "string"}}}, {"properties": {"sort": {"const": "review"}, "stars": {"type": "integer"}}}]}`
	found := judged(t, "missing-discriminator", "", 2, kinds)
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Advice, "a field type")
	found = judged(t, "missing-discriminator", text, 2, kinds)
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Advice, "a field sort")
}

// TestViolationsWithManyWorkers: the number of workers does not matter.
func TestViolationsWithManyWorkers(t *testing.T) {
	t.Parallel()
	document := func(i int) string { return fmt.Sprintf(`{"id": %d, "n": %d, "x%d": 1}`, i, i%7, i%3) }
	text := `{"properties": {"id": {"maximum": 200}, "n": {"enum": [1, 2, 3]}}, "additionalProperties": false, "required": ["x1"]}`
	one := judged(t, "schema-violation", text, 1, document)
	many := judged(t, "schema-violation", text, 4, document)
	require.Len(t, one, 4)
	for i := range one {
		assert.Equal(t, one[i].Message, many[i].Message)
		assert.Equal(t, one[i].Location.Line, many[i].Location.Line)
		assert.Len(t, one[i].Related, 4, "the schema, and three more places")
		assert.Equal(t, "posts.schema.json", filepath.Base(one[i].Related[3].Location.File))
	}
}

func TestCheckSchemas(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "posts.json")
	require.NoError(t, os.WriteFile(path, []byte(`{"properties": {"comments": {"type": "array", "items": {"type": "object"}}}}`), 0o600))
	options := jsonlint.Options{Schemas: schema.Load([]schema.Source{{Collection: "posts", Path: path}, {Collection: "gone", Path: path + ".gone"}})}
	report, err := jsonlint.CheckSchemas(options)
	require.NoError(t, err)
	require.Len(t, report.Findings, 1)
	assert.Equal(t, "unbounded-array", report.Findings[0].Rule)
	assert.Len(t, report.Problems, 1)
	options.Rules = map[string]jsonlint.RuleOptions{"unbounded-array": {Disabled: true}}
	report, err = jsonlint.CheckSchemas(options)
	require.NoError(t, err)
	assert.Empty(t, report.Findings)
}
