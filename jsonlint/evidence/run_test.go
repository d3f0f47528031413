package evidence_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/datasets"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/evidence"
	"github.com/shapevet/shapevet/jsonlint/model"
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

// shards profiles the documents in parts. of returns the part of document i of
// n.
func shards(t *testing.T, dir string, parts int, collections map[string][]string, of func(i, n int) int) (files []*evidence.File) {
	t.Helper()
	for part := range parts {
		path := filepath.Join(dir, fmt.Sprint(part))
		if datasets.Write(t, path, collections, func(i, n int) bool { return of(i, n) == part }) > 0 {
			files = append(files, profiled(t, path, 8, evidence.Options{Discriminators: true}))
		}
		require.NoError(t, os.RemoveAll(path))
	}
	return files
}

func merge(t *testing.T, files ...*evidence.File) *evidence.File {
	t.Helper()
	merged, err := evidence.Merge(files...)
	require.NoError(t, err)
	return merged
}

// eachSet runs a test on each set of real documents.
func eachSet(t *testing.T, test func(t *testing.T, collections map[string][]string)) {
	for _, set := range datasets.All(t, "../../testdata/accuracy") {
		t.Run(set.Name, func(t *testing.T) {
			t.Parallel()
			if collections := set.Read(t); len(collections) > 0 {
				test(t, collections)
			}
		})
	}
}

// TestMergeOfShards checks the laws of merging on real documents. The counts,
// types, sizes and lengths of merged shards must equal those of the whole, byte
// for byte, and their ranges of distinct values must contain those of the
// whole, in any order and grouping. Merging the file of no documents changes
// nothing.
func TestMergeOfShards(t *testing.T) {
	t.Parallel()
	eachSet(t, func(t *testing.T, collections map[string][]string) {
		r := rand.New(rand.NewPCG(7, uint64(len(collections))))
		dir := t.TempDir()
		datasets.Write(t, filepath.Join(dir, "whole"), collections, all)
		whole := profiled(t, filepath.Join(dir, "whole"), 1, evidence.Options{Discriminators: true})
		parts := shards(t, filepath.Join(dir, "alternating"), 10, collections, func(i, _ int) int { return i % 10 })
		uneven := merge(t, shards(t, filepath.Join(dir, "uneven"), 3, collections, func(i, n int) int { return min(2, 5*i/n) })...)
		require.Equal(t, evidence.Comparable(whole, uneven), evidence.Comparable(uneven, whole))
		evidence.RequireWithin(t, whole, uneven)
		merged := merge(t, parts...)
		require.Equal(t, evidence.Comparable(whole, merged), evidence.Comparable(merged, whole))
		evidence.RequireWithin(t, whole, merged)

		none := evidence.New(&model.Database{}, evidence.Options{Tool: "v1", Date: day})
		require.Equal(t, evidence.Exact(whole), evidence.Exact(merge(t, none, whole)), "with the file of no documents")
		require.Equal(t, text(t, whole), text(t, merge(t, whole)), "alone")

		r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		require.Equal(t, text(t, merged), text(t, merge(t, parts...)), "in any order")
		for range min(3, len(parts)-1) {
			cut := 1 + r.IntN(len(parts)-1)
			both := merge(t, merge(t, parts[:cut]...), merge(t, parts[cut:]...))
			require.Equal(t, evidence.Comparable(both, merged), evidence.Comparable(merged, both), "in any grouping")
		}
	})
}

func all(int, int) bool { return true }

// TestMergeIsTheWhole merges shards that agree on maps and kinds. The result
// must be the file of the whole, except for the number of parts and the ranges
// of distinct values.
func TestMergeIsTheWhole(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	blog := map[string][]string{}
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
			blog["blog"] = append(blog["blog"], string(line))
		}
	}
	for _, told := range []bool{false, true} {
		dir := t.TempDir()
		datasets.Write(t, filepath.Join(dir, "whole"), blog, all)
		whole := profiled(t, filepath.Join(dir, "whole"), 2, evidence.Options{Discriminators: told})
		require.Len(t, whole.Collections[0].Kinds, 2)
		var parts []*evidence.File
		for i, shard := range slices.Collect(slices.Chunk(blog["blog"], 300)) {
			path := filepath.Join(dir, fmt.Sprint(i))
			datasets.Write(t, path, map[string][]string{"blog": shard}, all)
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
	eachSet(t, func(t *testing.T, collections map[string][]string) {
		dir := t.TempDir()
		datasets.Write(t, dir, collections, all)
		one := profiled(t, dir, 1, evidence.Options{Discriminators: true})
		require.Equal(t, text(t, one), text(t, profiled(t, dir, 8, evidence.Options{Discriminators: true})))

		parsed, err := evidence.Parse([]byte(text(t, one)))
		require.NoError(t, err)
		require.Equal(t, text(t, one), text(t, parsed), "written and read")
	})
}

// secrets makes a document with a secret in every kind of field, and in keys of
// maps.
func secrets(i int) (document string, hidden []string) {
	secret := func(kind string) string {
		s := fmt.Sprintf("SECRET-%s-%d-hush", kind, i)
		hidden = append(hidden, s)
		return s
	}
	number := 7_310_000_000 + i
	hidden = append(hidden, fmt.Sprint(number), fmt.Sprintf("alice%d@example.com", i), fmt.Sprintf("5f0c%020x", i))
	person := func(i int) string { // a name like that of a person
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

// TestFewObjects checks what is revealed of objects too few to vary.
func TestFewObjects(t *testing.T) {
	t.Parallel()
	for document, want := range map[string][]string{
		`{"id": 1, "scores": {"alice": 1, "bob": 2}}`:                                    {"id", "scores", "scores{}"},
		`{"id": 1, "friends": {"alice": {"status": 1}, "bob": {"status": 2}}}`:           {"friends", "friends{}", "friends{}.status", "id"},
		`{"id": 1, "titles": {"en": "A", "de": "B"}}`:                                    {"id", "titles", "titles{}"},
		`{"id": 1, "by": {"alice": 1}}`:                                                  {"by", "by{}", "id"},
		`{"id": 1, "address": {"street": "A", "zip": "1", "city": "B", "country": "C"}}`: {"address", "address.city", "address.country", "address.street", "address.zip", "id"},
		`{"id": 1, "item": {"price": 1, "shade": "red", "weight": 2, "size": null}}`:     {"id", "item", "item.price", "item.shade", "item.size", "item.weight"},
		`{"id": 1, "owner": {"ownerId": 7}, "lines": [{"productId": 1, "n": 2}]}`:        {"id", "lines", "lines[]", "lines[].n", "lines[].productId", "owner", "owner.ownerId"},
		`{"alice": 1, "bob": 2}`:                                                         {"{}"},
		`{"alice": {"since": 2020, "role": "x"}, "bob": {"since": 2021, "role": "y"}}`:   {"{}", "{}.role", "{}.since"},
		`{"street": "A", "rooms": 2}`:                                                    {"rooms", "street"},
	} {
		for documents, shared := range map[int]bool{1: true, evidence.FewObjects - 1: true, evidence.FewObjects: true, 0: false} {
			dir := t.TempDir()
			lines := slices.Repeat([]string{document}, max(1, documents))
			datasets.Write(t, dir, map[string][]string{"c": lines}, all)
			f := profiled(t, dir, 1, evidence.Options{Shared: shared})
			paths := evidence.Paths(f)
			if shared && documents < evidence.FewObjects {
				assert.Equal(t, want, paths, "%d times %s", documents, document)
			} else {
				assert.NotContains(t, strings.Join(paths, " "), "{}", "%d times %s", documents, document)
			}
			parsed, err := evidence.Parse([]byte(text(t, f)))
			require.NoError(t, err)
			assert.Equal(t, text(t, f), text(t, parsed))
		}
	}
}

// TestFewObjectsInCommon checks objects whose values have several types: names
// that both objects have are fields.
func TestFewObjectsInCommon(t *testing.T) {
	t.Parallel()
	for paths, documents := range map[string][]string{
		"by by{} id":           {`{"id": 1, "by": {"alice": 1, "bob": "x"}}`},
		"by by.foo by.qux id":  {`{"id": 1, "by": {"foo": 1, "qux": "x"}}`, `{"id": 2, "by": {"foo": 2, "qux": "y"}}`},
		"by by{} id ":          {`{"id": 1, "by": {"alice": 1, "bob": "x"}}`, `{"id": 2, "by": {"carol": 2, "dave": "y"}}`},
		"by by{} id (numbers)": {`{"id": 1, "by": {"alice": 1, "bob": 2}}`, `{"id": 2, "by": {"alice": 2, "bob": 3}}`},
	} {
		dir := t.TempDir()
		datasets.Write(t, dir, map[string][]string{"c": documents}, all)
		f := profiled(t, dir, 1, evidence.Options{Shared: true})
		assert.Equal(t, strings.Fields(strings.TrimSuffix(paths, "(numbers)")), evidence.Paths(f), "%v", documents)
	}
}

func TestNoSecrets(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 3, 4, 12, 60, 700} {
		for _, told := range []bool{false, true} {
			dir := t.TempDir()
			var documents, hidden []string
			for i := range n {
				d, h := secrets(i)
				documents, hidden = append(documents, d), append(hidden, h...)
			}
			datasets.Write(t, dir, map[string][]string{"people": documents}, all)
			f := profiled(t, dir, 2, evidence.Options{Discriminators: told, Shared: true})
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
			require.Contains(t, text(t, f), `"path":"email"`, "names of fields are told")
			if n >= evidence.FewObjects {
				require.Contains(t, text(t, f), `"path":"list[].inner"`, "also in objects that are no documents")
			}
		}
	}
}
