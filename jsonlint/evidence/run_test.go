package evidence_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/evidence"
)

var day = time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)

func profiled(t *testing.T, dir string, jobs int, options evidence.Options) *evidence.File {
	t.Helper()
	db, report, err := jsonlint.Profile(context.Background(), []string{dir}, jsonlint.Options{Jobs: jobs})
	require.NoError(t, err)
	require.Empty(t, report.Problems)
	options.Tool, options.Date = "v1", day
	return evidence.New(db, options)
}

func text(t *testing.T, f *evidence.File) string {
	t.Helper()
	out, err := f.Marshal()
	require.NoError(t, err)
	return string(out)
}

// write writes documents as JSON Lines, a file for each collection.
func write(t *testing.T, dir string, collections map[string][]string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o700))
	for name, documents := range collections {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".jsonl"), []byte(strings.Join(documents, "\n")+"\n"), 0o600))
	}
}

// dataSets are the documents of testdata/accuracy, by data set and collection.
func dataSets(t *testing.T) map[string]map[string][]string {
	t.Helper()
	const root = "../../testdata/accuracy"
	sets := map[string]map[string][]string{}
	require.NoError(t, filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(file) != ".jsonl" || filepath.Dir(file) == root {
			return err
		}
		content, err := os.ReadFile(file)
		set := strings.ReplaceAll(filepath.ToSlash(strings.TrimPrefix(filepath.Dir(file), root+"/")), "/", " ")
		if sets[set] == nil {
			sets[set] = map[string][]string{}
		}
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		for line := range strings.Lines(string(content)) {
			if line = strings.TrimSpace(line); line != "" {
				sets[set][name] = append(sets[set][name], line)
			}
		}
		return err
	}))
	require.Greater(t, len(sets), 10)
	return sets
}

// shards profiles the documents in parts: of tells which part the document i of
// n belongs to.
func shards(t *testing.T, dir string, parts int, collections map[string][]string, of func(i, n int) int) (files []*evidence.File) {
	t.Helper()
	for part := range parts {
		mine := map[string][]string{}
		for name, documents := range collections {
			for i, d := range documents {
				if of(i, len(documents)) == part {
					mine[name] = append(mine[name], d)
				}
			}
		}
		path := filepath.Join(dir, fmt.Sprint(part))
		write(t, path, mine)
		files = append(files, profiled(t, path, 1, evidence.Options{Discriminators: true}))
	}
	return files
}

// TestMergeOfShards checks the law of merging on real documents: the counts,
// types, sizes and lengths of shards put together are those of the whole, byte
// for byte, and the ranges of distinct values hold those of the whole.
func TestMergeOfShards(t *testing.T) {
	t.Parallel()
	for set, collections := range dataSets(t) {
		t.Run(set, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(7, uint64(len(set))))
			dir := t.TempDir()
			write(t, filepath.Join(dir, "whole"), collections)
			whole := profiled(t, filepath.Join(dir, "whole"), 2, evidence.Options{Discriminators: true})
			parts := shards(t, filepath.Join(dir, "alternating"), 10, collections, func(i, _ int) int { return i % 10 })
			uneven, err := evidence.Merge(shards(t, filepath.Join(dir, "uneven"), 3, collections, func(i, n int) int { return min(2, 5*i/n) })...)
			require.NoError(t, err)
			require.Equal(t, evidence.Comparable(whole, uneven), evidence.Comparable(uneven, whole))
			evidence.RequireWithin(t, whole, uneven)
			merged, err := evidence.Merge(parts...)
			require.NoError(t, err)
			require.Equal(t, evidence.Comparable(whole, merged), evidence.Comparable(merged, whole))
			evidence.RequireWithin(t, whole, merged)

			r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
			again, err := evidence.Merge(parts...)
			require.NoError(t, err)
			assert.Equal(t, text(t, merged), text(t, again), "in any order")
			left, err := evidence.Merge(parts[:4]...)
			require.NoError(t, err)
			right, err := evidence.Merge(parts[4:]...)
			require.NoError(t, err)
			both, err := evidence.Merge(left, right)
			require.NoError(t, err)
			require.Equal(t, evidence.Comparable(both, merged), evidence.Comparable(merged, both), "in any grouping")
		})
	}
}

// TestMergeIsTheWhole merges shards that agree on what is a map and which
// kinds there are: then the file is that of the whole, apart from the number of
// parts and the ranges of distinct values.
func TestMergeIsTheWhole(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	all := map[string][]string{}
	for i := range 900 {
		comments := make([]any, r.IntN(40))
		for j := range comments {
			comments[j] = map[string]any{"id": j, "text": strings.Repeat("x", r.IntN(300)), "likes": map[string]any{fmt.Sprintf("%024x", r.Uint64()): true}}
		}
		post := map[string]any{"id": fmt.Sprint("p", i), "type": "post", "title": fmt.Sprint("Title ", i), "body": "b", "comments": comments, "views": i}
		review := map[string]any{"id": fmt.Sprint("r", i), "type": "review", "stars": i % 5, "postId": fmt.Sprint("p", i), "critic": nil}
		for _, d := range []any{post, review} {
			line, err := json.Marshal(d)
			require.NoError(t, err)
			all["blog"] = append(all["blog"], string(line))
		}
	}
	for _, told := range []bool{false, true} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, "whole"), all)
		whole := profiled(t, filepath.Join(dir, "whole"), 2, evidence.Options{Discriminators: told})
		require.Len(t, whole.Collections[0].Kinds, 2)
		var parts []*evidence.File
		for i, shard := range slices.Collect(slices.Chunk(all["blog"], 300)) {
			path := filepath.Join(dir, fmt.Sprint(i))
			write(t, path, map[string][]string{"blog": shard})
			parts = append(parts, profiled(t, path, 1, evidence.Options{Discriminators: told}))
		}
		merged, err := evidence.Merge(parts...)
		require.NoError(t, err)
		assert.Equal(t, evidence.Exact(whole), evidence.Exact(merged))
		evidence.RequireWithin(t, whole, merged)
		assert.Equal(t, 6, merged.Parts)
	}
}

func TestJobsDoNotMatter(t *testing.T) {
	t.Parallel()
	for set, collections := range dataSets(t) {
		t.Run(set, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, dir, collections)
			assert.Equal(t, text(t, profiled(t, dir, 1, evidence.Options{})), text(t, profiled(t, dir, 8, evidence.Options{})))
		})
	}
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for set, collections := range dataSets(t) {
		dir := filepath.Join(t.TempDir(), set)
		write(t, dir, collections)
		f := profiled(t, dir, 2, evidence.Options{Discriminators: true})
		first := text(t, f)
		parsed, err := evidence.Parse([]byte(first))
		require.NoError(t, err, set)
		assert.Equal(t, first, text(t, parsed), set)
		assert.True(t, json.Valid([]byte(first)))
	}
}

// secrets makes a document with a secret in every kind of field, and as keys
// of maps.
func secrets(i int) (document string, hidden []string) {
	secret := func(kind string) string {
		s := fmt.Sprintf("SECRET-%s-%d-hush", kind, i)
		hidden = append(hidden, s)
		return s
	}
	number := 7_310_000_000 + i
	hidden = append(hidden, fmt.Sprint(number), fmt.Sprintf("alice%d@example.com", i), fmt.Sprintf("5f0c%020x", i))
	person := func(i int) string { // a name as of a person
		name := ""
		for n := i + 27; n > 0; n /= 26 {
			name += string(rune('a' + n%26))
		}
		hidden = append(hidden, "mallory"+name)
		return "mallory" + name
	}
	d := map[string]any{
		"_id": map[string]any{"$oid": fmt.Sprintf("5f0c%020x", i)}, "id": secret("id"), "name": secret("name"), "phone": number, "ratio": float64(number) + 0.25,
		"email": fmt.Sprintf("alice%d@example.com", i), "type": []string{"public", "private"}[i%2], "flag": true, "none": nil,
		"at":   map[string]any{"$date": "2026-01-31T10:00:00Z"},
		"list": []any{secret("element"), map[string]any{"inner": secret("inner")}},
		"url":  "https://example.com/" + secret("url"), "long": strings.Repeat("z", 20_000) + secret("long"),
		"byUser":     map[string]any{secret("key"): 1, secret("other"): 2},
		"byEmail":    map[string]any{fmt.Sprintf("alice%d@example.com", i): map[string]any{"score": 1}},
		"byId":       map[string]any{fmt.Sprintf("5f0c%020x", i): true},
		"byNumber":   map[string]any{fmt.Sprint(number): 1},
		"byPerson":   map[string]any{person(i): 1},
		"mixed":      map[string]any{person(i + 5000): 1, secret("mixed"): "x"},
		"nested":     map[string]any{"deep": []any{map[string]any{"by": map[string]any{person(i + 10000): map[string]any{person(i + 15000): 1}}}}},
		"elementMap": []any{map[string]any{person(i + 20000): 1}, map[string]any{person(i + 30000): 1}},
	}
	if i%2 == 0 {
		d["subject"], d["owner"], d["price"] = secret("subject"), secret("owner"), 1
	} else {
		d["target"], d["place"], d["cost"] = secret("target"), secret("place"), 2
	}
	line, err := json.Marshal(d)
	if err != nil {
		panic(err)
	}
	return string(line), hidden
}

func TestNoSecrets(t *testing.T) {
	t.Parallel()
	for _, n := range []int{3, 4, 12, 60, 700} {
		for _, told := range []bool{false, true} {
			dir := t.TempDir()
			var documents, hidden []string
			for i := range n {
				d, h := secrets(i)
				documents, hidden = append(documents, d), append(hidden, h...)
			}
			write(t, dir, map[string][]string{"people": documents})
			f := profiled(t, dir, 2, evidence.Options{Discriminators: told})
			half, err := evidence.Merge(f, f)
			require.NoError(t, err)
			for _, out := range []string{text(t, f), text(t, half)} {
				for _, s := range hidden {
					require.NotContains(t, out, s, "of %d documents", n)
				}
				require.NotContains(t, out, "hush")
				require.NotContains(t, out, "mallory")
				if !told {
					require.NotContains(t, out, `"public"`)
				}
			}
			require.Contains(t, text(t, f), `"path":"byUser{}"`)
			require.Contains(t, text(t, f), `"path":"list[].inner"`, "names of fields are told")
		}
	}
}
