package structdrift_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/shapevet/shapevet/analyzers/check"
	"github.com/shapevet/shapevet/analyzers/guided"
	"github.com/shapevet/shapevet/analyzers/structdrift"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/evidence"
)

var update = flag.Bool("update", false, "write the evidence file of the fixtures")

func testdata(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", "testdata"))
	require.NoError(t, err)
	return dir
}

func Test(t *testing.T) {
	t.Parallel()
	dir := testdata(t)
	seen, err := guided.New(guided.Options{Files: []string{filepath.Join(dir, "src", "structdrift", "default.shapevet.json")}})
	require.NoError(t, err)
	analyzer := check.Suite(check.Options{Evidence: seen}, structdrift.Rule)[0]
	analysistest.Run(t, dir, analyzer, "structdrift/...")
}

// TestWithoutEvidence makes sure that code alone is never reported.
func TestWithoutEvidence(t *testing.T) {
	t.Parallel()
	results := analysistest.Run(ignoreWants{t}, testdata(t), check.Suite(check.Options{}, structdrift.Rule)[0], "structdrift/...")
	for _, r := range results {
		assert.Empty(t, r.Diagnostics)
	}
}

// ignoreWants leaves out that the expectations of the fixtures are not met.
type ignoreWants struct{ *testing.T }

func (ignoreWants) Errorf(string, ...any) {}

// TestEvidence keeps the evidence file of the fixtures up to date with their
// documents.
func TestEvidence(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(testdata(t), "src", "structdrift")
	db, _, err := jsonlint.Profile(context.Background(), []string{filepath.Join(dir, "documents")}, jsonlint.Options{})
	require.NoError(t, err)
	got, err := evidence.New(db, evidence.Options{Tool: "test", Date: time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)}).Marshal()
	require.NoError(t, err)
	name := filepath.Join(dir, "default.shapevet.json")
	if *update {
		require.NoError(t, os.WriteFile(name, got, 0o644))
	}
	want, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got), "-update writes it")
}

// TestConstants is about strings, which documents of the same run tell, and
// evidence files do not.
func TestConstants(t *testing.T) {
	t.Parallel()
	dir := testdata(t)
	db, _, err := jsonlint.Profile(context.Background(), []string{filepath.Join(dir, "src", "structdrift", "documents")}, jsonlint.Options{})
	require.NoError(t, err)
	seen, err := guided.New(guided.Options{Seen: evidence.New(db, evidence.Options{Tool: "test", Date: time.Now()})})
	require.NoError(t, err)
	var messages []string
	analyzer := check.Suite(check.Options{Evidence: seen}, structdrift.Rule)[0]
	for _, r := range analysistest.Run(ignoreWants{t}, dir, analyzer, "structdrift/states") {
		for _, d := range r.Diagnostics {
			messages = append(messages, d.Message)
		}
	}
	assert.Equal(t, []string{
		`state holds "archived" (in 12) and "Open" (in 6) of 120 strings that no constant of State has (struct-drift)`,
		`steps[] holds "gone" (in 120) of 240 strings that no constant of State has (struct-drift)`,
	}, messages)
}
