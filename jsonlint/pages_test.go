package jsonlint_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/schema"
	"github.com/shapevet/shapevet/jsonlint/source/dumptest"
	"github.com/shapevet/shapevet/rulebook"
)

// TestPages runs the examples on every rule's page: exactly this rule must
// report the bad documents, and no rule the good ones.
func TestPages(t *testing.T) {
	t.Parallel()
	for _, page := range rulebook.All() {
		if !slices.Contains(page.Applies, rulebook.ToDocuments) {
			continue
		}
		t.Run(page.Name, func(t *testing.T) {
			t.Parallel()
			bad := check(t, page, page.Bad())
			assert.NotEmpty(t, bad, "the bad example is not reported")
			for _, f := range bad {
				assert.Equal(t, page.Name, f.Rule, "the bad example is reported by another rule: %s %s", f.Subject.Path, f.Message)
			}
			for _, f := range check(t, page, page.Good()) {
				assert.Fail(t, "the good example is reported", "%s %s: %s", f.Rule, f.Subject.Path, f.Message)
			}
		})
	}
}

// check runs the blocks of each name as one database and returns the findings
// that a user would see by default.
func check(t *testing.T, page rulebook.Page, blocks []rulebook.Block) []finding.Finding {
	t.Helper()
	databases := map[string][]rulebook.Block{}
	for _, b := range blocks {
		if b.Language == "json" {
			databases[b.Name] = append(databases[b.Name], b)
		}
	}
	require.NotEmpty(t, databases, "%s has no JSON example", page.Name)
	var findings []finding.Finding
	for _, name := range slices.Sorted(maps.Keys(databases)) {
		found := checkDatabase(t, databases[name])
		findings = append(findings, found...)
	}
	return findings
}

// checkDatabase writes the blocks into files named after their collections.
func checkDatabase(t *testing.T, blocks []rulebook.Block) []finding.Finding {
	t.Helper()
	dir := t.TempDir()
	var inputs []string
	options := jsonlint.Options{Jobs: 2, Collections: map[string]jsonlint.CollectionOptions{}}
	var schemas []schema.Source
	dumped := map[string]bool{}
	for _, b := range blocks {
		dumped[b.Collection] = dumped[b.Collection] || b.Attributes["as"] == "metadata"
	}
	for i, b := range blocks {
		if b.Attributes["as"] == "metadata" {
			require.NoError(t, os.WriteFile(filepath.Join(dir, b.Collection+".metadata.json"), []byte(b.Text), 0o600))
			continue
		}
		if b.Attributes["as"] == "schema" {
			file := filepath.Join(dir, b.Collection+".schema.json")
			require.NoError(t, os.WriteFile(file, []byte(b.Text), 0o600))
			schemas = append(schemas, schema.Source{Collection: b.Collection, Path: file})
			continue
		}
		name := cmp.Or(b.Collection, fmt.Sprintf("documents%d", i))
		options.DB = cmp.Or(b.Attributes["db"], options.DB)
		if key := b.Attributes["partition"]; key != "" {
			options.Collections[name] = jsonlint.CollectionOptions{PartitionKey: key}
		}
		file, text := filepath.Join(dir, name+".json"), []byte(strings.TrimSpace(expand(t, b.Text))+"\n")
		if dumped[b.Collection] { // indexes come with a dump
			file, text = filepath.Join(dir, name+".bson"), dumptest.Documents(string(text))
		}
		require.NoError(t, os.WriteFile(file, text, 0o600))
		inputs = append(inputs, file)
	}
	if schemas != nil {
		options.Schemas = schema.Load(schemas)
	}
	report, err := jsonlint.Check(context.Background(), inputs, options)
	require.NoError(t, err)
	require.Empty(t, report.Problems)
	return slices.DeleteFunc(report.Findings, func(f finding.Finding) bool { return f.Confidence < 0.5 })
}

var more = regexp.MustCompile(`…\((\d+) more\)`)

// expand writes out long values that a page abbreviates: "iVBOR…(20000 more)"
// stands for a text with 20,000 more letters.
func expand(t *testing.T, text string) string {
	t.Helper()
	return more.ReplaceAllStringFunc(text, func(hint string) string {
		n, err := strconv.Atoi(more.FindStringSubmatch(hint)[1])
		require.NoError(t, err)
		return strings.Repeat("A", n)
	})
}
