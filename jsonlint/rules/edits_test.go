package rules_test

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

// TestEditsMend applies the edits of findings to their file: what comes out is
// JSON, as long as before, and has no such finding any more.
func TestEditsMend(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule      string
		documents []string
		edits     int
	}{
		{"mixed-types", ruletest.Concat(ruletest.Times(1, 5, `{"id":"%[1]d","name":"n%[1]d"}`), []string{`{"id":"9","name": 88}`, `{"id":"10","name":1.50 }`}), 2},
		{"mixed-types", ruletest.Concat(ruletest.Times(1, 5, `{"id":"%[1]d","n":%[1]d}`), []string{`{"id":"9","n":"8"}`}), 1},
		{"mixed-types", ruletest.Concat(ruletest.Times(1, 5, `{"id":"%[1]d","tags":["a"]}`), []string{`{"id":"9","tags":"x\"y"}`}), 1},
		{"field-name-variant", []string{`{"id":"1","postCode":"1"}`, `{"id":"2","postCode":"2"}`, `{"id":"3","post\u0063ode":"3"}`}, 1},
		{"inconsistent-discriminator", ruletest.Concat(
			ruletest.Times(1000, 12, `{"id":"%[1]d","type":"book","name":"n%[1]d","pages":%[1]d}`),
			ruletest.Times(1100, 2, `{"id":"%[1]d","type":"Book","name":"n%[1]d","pages":%[1]d}`),
			ruletest.Times(2000, 20, `{"id":"%[1]d","type":"review","about":"1001","content":"c%[1]d","stars":4}`)), 2},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "things.jsonl")
			require.NoError(t, os.WriteFile(file, []byte(strings.Join(test.documents, "\n")+"\n"), 0o600))
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			edits := editsOf(t, test.rule, file)
			require.Len(t, edits, test.edits)
			slices.SortFunc(edits, func(a, b finding.Edit) int { return cmp.Compare(b.Start, a.Start) })
			for _, e := range edits {
				text = slices.Concat(text[:e.Start], []byte(e.NewText), text[e.End:])
			}
			lines := strings.Split(strings.TrimSpace(string(text)), "\n")
			require.Len(t, lines, len(test.documents))
			for _, line := range lines {
				assert.True(t, json.Valid([]byte(line)), line)
			}
			require.NoError(t, os.WriteFile(file, text, 0o600))
			assert.Empty(t, editsOf(t, test.rule, file))
		})
	}
}

func editsOf(t *testing.T, rule, file string) (edits []finding.Edit) {
	t.Helper()
	report, err := jsonlint.Check(context.Background(), []string{file}, jsonlint.Options{})
	require.NoError(t, err)
	for _, f := range report.Findings {
		if f.Rule != rule {
			continue
		}
		for _, fix := range f.Fixes {
			edits = append(edits, fix.Edits...)
		}
	}
	return edits
}
