package guided_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/guided"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/evidence"
)

// TestStored shows where documents hold what a finding is about: in those of
// every type that holds the struct.
func TestStored(t *testing.T) {
	t.Parallel()
	p := program(t, models)
	d := named(t, p, "Post")
	e := judge(t, observe(t, 60, map[string]func(int) document{"posts": post, "people": user}))
	stored := func(path string) []finding.Place {
		f := &check.Finding{Rule: "inline-blob", Document: d, Confidence: 0.7}
		if path != "" {
			f.Field = field(t, d, path)
		}
		e.Weigh(p, rule(f.Rule), f)
		return f.Stored
	}
	assert.Equal(t, []finding.Place{{Collection: "posts"}}, stored(""))
	assert.Equal(t, []finding.Place{{Collection: "posts", Path: "author.rating"}}, stored("author.rating"))
	f := &check.Finding{Rule: "inline-blob", Document: named(t, p, "Gone"), Confidence: 0.7}
	e.Weigh(p, rule(f.Rule), f)
	assert.Empty(t, f.Stored, "no documents are its own")

	fromFile, err := guided.New(guided.Options{Documents: 100})
	require.NoError(t, err)
	f = &check.Finding{Rule: "inline-blob", Document: d, Confidence: 0.7}
	fromFile.Weigh(p, rule(f.Rule), f)
	assert.Empty(t, f.Stored, "no documents in this run")
}

// TestShownIsNotWithdrawn keeps what a rule on documents reports, whatever the
// numbers alone say.
func TestShownIsNotWithdrawn(t *testing.T) {
	t.Parallel()
	p := program(t, models)
	d := named(t, p, "Post")
	seen := observe(t, 200, map[string]func(int) document{"posts": post})
	for _, test := range []struct {
		name       string
		confidence float64
		path       string
		withdrawn  bool
	}{
		{"shown", 0.9, "comments", false},
		{"guessed", 0.3, "comments", true},
		{"shown elsewhere", 0.9, "author", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			e, err := guided.New(guided.Options{Seen: seen, Documents: 100, Found: []finding.Finding{{
				Rule: "unbounded-array", Confidence: test.confidence,
				Subject: finding.Subject{Kind: finding.KindDocument, Collection: "posts", Path: test.path},
			}}})
			require.NoError(t, err)
			f := &check.Finding{Rule: "unbounded-array", Document: d, Field: field(t, d, "comments"), Confidence: 0.7, Severity: finding.Warning}
			e.Weigh(p, rule(f.Rule), f)
			assert.Equal(t, test.withdrawn, f.Confidence < 0.5)
			assert.Equal(t, test.withdrawn, f.Severity == finding.Info)
		})
	}
}

// TestSightings points at the documents that confirm, where no rule on
// documents does.
func TestSightings(t *testing.T) {
	t.Parallel()
	p := program(t, models)
	d := named(t, p, "Post")
	long := func(i int) document {
		made := post(i)
		for range 300 {
			made["comments"] = append(made["comments"].([]any), document{"text": "x"})
		}
		return made
	}
	e := judge(t, observe(t, 20, map[string]func(int) document{"posts": long}))
	f := &check.Finding{Rule: "unbounded-array", Document: d, Field: field(t, d, "comments"), Confidence: 0.7, Severity: finding.Info}
	e.Weigh(p, rule(f.Rule), f)
	require.Len(t, f.Sightings, 1)
	assert.Equal(t, "up to 301 elements, p95 301", f.Sightings[0].Message)
	assert.True(t, f.Sightings[0].At.Known())
}

// TestSightingsBesideFile finds in documents of this run what a file says of
// them, unless it is about others.
func TestSightingsBesideFile(t *testing.T) {
	t.Parallel()
	p := program(t, models)
	d := named(t, p, "Post")
	of := func(length int) *evidence.File {
		return observe(t, 20, map[string]func(int) document{"posts": func(i int) document {
			made := post(i)
			made["comments"] = slices.Repeat([]any{document{"text": "x"}}, length)
			return made
		}})
	}
	text, err := of(300).Marshal()
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "evidence.json")
	require.NoError(t, os.WriteFile(file, text, 0o600))
	for length, want := range map[int]int{300: 1, 400: 1, 200: 0} {
		e, err := guided.New(guided.Options{Files: []string{file}, Seen: of(length), Documents: 100})
		require.NoError(t, err)
		f := &check.Finding{Rule: "unbounded-array", Document: d, Field: field(t, d, "comments"), Confidence: 0.7}
		e.Weigh(p, rule(f.Rule), f)
		assert.Contains(t, f.Message, "observed up to 300 elements")
		assert.Len(t, f.Sightings, want, "%d elements in documents of this run", length)
	}
}
