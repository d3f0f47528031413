package guided_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/guided"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/evidence"
	"github.com/shapevet/shapevet/jsonlint/schema"
)

// withSchema judges by the schema of a collection, and by documents if there
// are any.
func withSchema(t *testing.T, collection, text string, seen *evidence.File) *guided.Evidence {
	t.Helper()
	path := filepath.Join(t.TempDir(), "schema.json")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	set := schema.Load([]schema.Source{{Collection: collection, Path: path}})
	require.Empty(t, set.Problems())
	e, err := guided.New(guided.Options{Seen: seen, Documents: 100, Declared: set.Declared()})
	require.NoError(t, err)
	return e
}

// TestWeighBySchema: what a schema declares withdraws a finding on code, unless
// documents show that nobody keeps to it.
func TestWeighBySchema(t *testing.T) {
	t.Parallel()
	p := program(t, models)
	d := named(t, p, "Post")
	tests := []struct {
		name, rule, path   string
		collection, schema string
		seen               *evidence.File
		withdrawn          bool
	}{
		{"bound", "unbounded-array", "comments", "posts", `{"properties": {"comments": {"type": "array", "maxItems": 20}}}`, nil, true},
		{"singular", "unbounded-array", "comments", "post", `{"properties": {"comments": {"type": "array", "maxItems": 20}}}`, nil, true},
		{"bound inside", "unbounded-array", "comments[].replies", "posts", `{"properties": {"comments": {"items": {"properties": {"replies": {"type": "array", "maxItems": 5}}}}}}`, nil, true},
		{"no bound", "unbounded-array", "comments", "posts", `{"properties": {"comments": {"type": "array"}}}`, nil, false},
		{"large bound", "unbounded-array", "comments", "posts", `{"properties": {"comments": {"type": "array", "maxItems": 5000}}}`, nil, false},
		{"other collection", "unbounded-array", "comments", "drafts", `{"properties": {"comments": {"type": "array", "maxItems": 20}}}`, nil, false},
		{"kept", "unbounded-array", "comments", "posts", `{"properties": {"comments": {"type": "array", "maxItems": 20}}}`,
			observe(t, 30, map[string]func(int) document{"posts": post}), true},
		{"not kept", "unbounded-array", "comments", "posts", `{"properties": {"comments": {"type": "array", "maxItems": 0}}}`,
			observe(t, 30, map[string]func(int) document{"posts": post}), false},
		{"map", "dynamic-keys", "author", "posts", `{"properties": {"author": {"additionalProperties": {"type": "string"}}}}`, nil, true},
		{"no map", "dynamic-keys", "author", "posts", `{"properties": {"author": {"properties": {"id": {}}}}}`, nil, false},
		{"discriminator that the type has", "missing-discriminator", "", "posts", `{"oneOf": [{"properties": {"title": {"const": "a"}}}, {"properties": {"title": {"const": "b"}}}]}`, nil, true},
		{"discriminator that it lacks", "missing-discriminator", "", "posts", `{"oneOf": [{"properties": {"type": {"const": "a"}}}, {"properties": {"type": {"const": "b"}}}]}`, nil, false},
		{"another rule", "inline-blob", "body", "posts", `{"properties": {"body": {"maxLength": 5}}}`, nil, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			e := withSchema(t, test.collection, test.schema, test.seen)
			f := &check.Finding{Rule: test.rule, Document: d, Message: "m", Confidence: 0.9, Severity: finding.Warning}
			if test.path != "" {
				f.Field = field(t, d, test.path)
			}
			e.Weigh(p, rule(f.Rule), f)
			if !test.withdrawn {
				assert.NotContains(t, f.Message, "withdrawn: the schema")
				assert.NotContains(t, f.Message, "withdrawn: by the schema")
				return
			}
			assert.Contains(t, f.Message, "m; withdrawn: ")
			assert.Contains(t, f.Message, "schema.json:1)")
			assert.InDelta(t, 0.2, f.Confidence, 0)
			assert.Equal(t, finding.Info, f.Severity)
		})
	}
}
