package jsonlint_test

import (
	"encoding/json"
	"errors"
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

// shard lets the given number of shards read documents, starting with another
// one each round, and merges the results.
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

// TestShards: shards have the same findings as a single run.
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

// TestShardsOfRecords: the account and the profile of a user are in the files of
// different shards, and an address in both is still no reference.
func TestShardsOfRecords(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var accounts, profiles strings.Builder
	for i := range 30 {
		fmt.Fprintf(&accounts, `{"_id":"w%02dKq","username":"Person %[1]d Smith","emails":[{"address":"p%[1]d@example.com","verified":true}]}`+"\n", i)
		name := fmt.Sprintf("Person %d Smith", i)
		if i == 29 {
			name = " "
		}
		fmt.Fprintf(&profiles, `{"_id":"w%02dKq","fullName":%q,"email":"p%[1]d@example.com"}`+"\n", i, name)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "users.jsonl"), []byte(accounts.String()), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "students.jsonl"), []byte(profiles.String()), 0o600))
	one, err := jsonlint.Check(t.Context(), []string{dir}, jsonlint.Options{})
	require.NoError(t, err)
	assert.Empty(t, one.Findings)
	assert.Equal(t, text(t, one), text(t, shard(t, []string{dir}, jsonlint.Options{}, 2)))
}

// TestShardsValidate: each shard compares its own documents with the schemas.
func TestShardsValidate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	var lines strings.Builder
	for i := range 400 {
		fmt.Fprintf(&lines, "{\"id\": \"p%03d\", \"title\": %d, \"tags\": [\"a\", %d], \"more\": 1}\n", i, i%7, i%3)
	}
	documents := write("posts.jsonl", lines.String())
	path := write("posts.schema.json", `{"required": ["id", "author"], "additionalProperties": false, "properties": {
		"id": {}, "author": {}, "title": {"exclusiveMaximum": 5}, "tags": {"items": {"oneOf": [{"type": "string"}, {"minimum": 1}, {"maximum": 1}]}}}}`)
	options := func() jsonlint.Options {
		return jsonlint.Options{Strict: true, Jobs: 2, Schemas: schema.Load([]schema.Source{{Collection: "posts", Path: path}})}
	}
	one, err := jsonlint.Check(t.Context(), []string{documents}, options())
	require.NoError(t, err)
	violated := slices.DeleteFunc(slices.Clone(one.Findings), func(f finding.Finding) bool { return f.Rule != "schema-violation" })
	require.Len(t, violated, 4)
	many := shard(t, []string{documents}, options(), 5)
	assert.Equal(t, text(t, one), text(t, many))

	states, o := t.TempDir(), options()
	o.Part = &jsonlint.Part{Shard: 1, Shards: 2, Dir: states}
	_, err = jsonlint.Check(t.Context(), []string{documents}, o)
	require.ErrorAs(t, err, new(*jsonlint.UnfinishedError))
	write("posts.schema.json", `{"required": ["id"]}`)
	o = options()
	o.Part = &jsonlint.Part{Shard: 2, Shards: 2, Dir: states}
	_, err = jsonlint.Check(t.Context(), []string{documents}, o)
	require.ErrorContains(t, err, "other options")
}

// TestStatesMergeInAnyOrder: a scheduler that passes states on itself may merge
// any number of them in any order.
func TestStatesMergeInAnyOrder(t *testing.T) {
	t.Parallel()
	inputs, options := []string{"../testdata/accuracy/fhir"}, jsonlint.Options{Strict: true, Jobs: 2}
	one, err := jsonlint.Check(t.Context(), inputs, options)
	require.NoError(t, err)
	const shards = 5
	known := map[jsonlint.Round][]byte{}
	// in makes a directory with the known states and lets a shard do what it can
	// there.
	in := func(dir string, shard int) (*finding.Report, jsonlint.Part, error) {
		for r, merged := range known {
			require.NoError(t, os.WriteFile(jsonlint.Part{Shards: shards, Dir: dir}.File(r), merged, 0o600))
		}
		o := options
		o.Part = &jsonlint.Part{Shard: shard, Shards: shards, Dir: dir}
		report, err := jsonlint.Check(t.Context(), inputs, o)
		return report, *o.Part, err
	}
	merge := func(states ...[]byte) []byte {
		merged, err := jsonlint.MergeStates(states...)
		require.NoError(t, err)
		return merged
	}
	for _, r := range []jsonlint.Round{jsonlint.Profiles, jsonlint.Kinds} {
		var s [shards][]byte
		for i := range s {
			var unfinished *jsonlint.UnfinishedError
			_, part, err := in(t.TempDir(), i+1)
			require.ErrorAs(t, err, &unfinished)
			require.Equal(t, r, unfinished.Round)
			s[i], err = os.ReadFile(part.File(r))
			require.NoError(t, err)
		}
		known[r] = merge(s[4], merge(s[2], s[0]), merge(merge(s[3]), s[1]))
		_, err := jsonlint.MergeStates(s[0], s[1][:len(s[1])-1])
		require.ErrorContains(t, err, "damaged or cut off")
	}
	_, err = jsonlint.MergeStates(known[jsonlint.Profiles], known[jsonlint.Kinds])
	require.ErrorContains(t, err, "another round")
	_, err = jsonlint.MergeStates()
	require.Error(t, err)
	dir := t.TempDir()
	for i := range shards {
		_, part, err := in(dir, i+1)
		require.ErrorIs(t, err, jsonlint.ErrShardDone)
		probes, err := os.ReadFile(part.File(jsonlint.Probes))
		require.NoError(t, err)
		_, err = jsonlint.MergeStates(probes)
		require.ErrorContains(t, err, "without a run")
	}
	report, _, err := in(dir, 0)
	require.NoError(t, err)
	assert.Equal(t, text(t, one), text(t, report))
}
