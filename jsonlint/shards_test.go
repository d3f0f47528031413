package jsonlint_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
)

// shard has so many shards read documents, in turns that begin with another one
// each round, and merges what they have gathered.
func shard(t *testing.T, inputs []string, o jsonlint.Options, shards int) *finding.Report {
	t.Helper()
	dir := t.TempDir()
	done := 0
	for round := range 3 {
		done = 0
		for i := range shards {
			o.Part = &jsonlint.Part{Shard: (i+round)%shards + 1, Shards: shards, Dir: dir}
			_, err := jsonlint.Check(t.Context(), inputs, o)
			if errors.Is(err, jsonlint.ErrShardDone) {
				done++
				continue
			}
			var unfinished *jsonlint.UnfinishedError
			require.ErrorAs(t, err, &unfinished)
		}
	}
	require.Equal(t, shards, done, "after three rounds")
	found, err := jsonlint.ShardsIn(dir)
	require.NoError(t, err)
	o.Part = &jsonlint.Part{Shards: found, Dir: dir}
	report, err := jsonlint.Check(t.Context(), inputs, o)
	require.NoError(t, err)
	return report
}

func text(t *testing.T, report *finding.Report) string {
	t.Helper()
	report.Hashes = nil
	out, err := json.MarshalIndent(report, "", " ")
	require.NoError(t, err)
	return string(out)
}

// TestShards: shards find what one run finds.
func TestShards(t *testing.T) {
	t.Parallel()
	sets, err := filepath.Glob("../testdata/accuracy/*")
	require.NoError(t, err)
	options := jsonlint.Options{Strict: true, Jobs: 2}
	for _, set := range sets {
		if info, err := os.Stat(set); err != nil || !info.IsDir() || filepath.Base(set) == "licences" {
			continue
		}
		t.Run(set, func(t *testing.T) {
			t.Parallel()
			one, err := jsonlint.Check(t.Context(), []string{set}, options)
			require.NoError(t, err)
			shards := 3
			if filepath.Base(set) == "cosmicworks" {
				shards = 17
			}
			assert.Equal(t, text(t, one), text(t, shard(t, []string{set}, options, shards)))
		})
	}
}
