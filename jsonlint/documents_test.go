package jsonlint_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/evidence"
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/source"
)

// TestDocuments finds places in documents after the check, including standard
// input.
func TestDocuments(t *testing.T) {
	t.Parallel()
	const text = `{"_id": 1, "age": 30}
{"_id": 2, "age": "31", "tags": ["a"]}
{"_id": 3, "age": 32, "tags": ["a", "b", "c"]}
`
	file := filepath.Join(t.TempDir(), "people.jsonl")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	for _, test := range []struct {
		input   string
		options jsonlint.Options
	}{
		{input: file},
		{input: "-", options: jsonlint.Options{Source: source.Options{Stdin: strings.NewReader(text), StdinFilename: "people.jsonl"}}},
	} {
		t.Run(test.input, func(t *testing.T) {
			t.Parallel()
			var documents *jsonlint.Documents
			var root *evidence.Node
			test.options.Keep = func(d *jsonlint.Documents) { documents = d }
			test.options.Observe = func(db *model.Database) {
				root = evidence.New(db, evidence.Options{}).Collection("people").Whole().Root
			}
			_, err := jsonlint.Check(context.Background(), []string{test.input}, test.options)
			require.NoError(t, err)
			require.NotNil(t, documents)
			age, tags := root.At("age"), root.At("tags")
			found, err := documents.Locate(context.Background(), []profile.Pos{
				age.First(profile.String), age.First(profile.Date), age.FirstAny(), tags.Longest(), tags.First(profile.Array),
			})
			require.NoError(t, err)
			var lines []int
			for _, l := range found {
				lines = append(lines, l.Line)
			}
			assert.Equal(t, []int{2, 0, 1, 3, 2}, lines)
			assert.Equal(t, finding.Location{}, found[1], "there is none")
			assert.Equal(t, "people.jsonl", filepath.Base(found[0].File))
			require.NoError(t, documents.Close())
		})
	}
	ended, end := context.WithCancel(context.Background())
	end()
	_, err := jsonlint.Check(ended, []string{file}, jsonlint.Options{
		Keep: func(*jsonlint.Documents) { assert.Fail(t, "nothing was checked") },
	})
	require.Error(t, err)
}
