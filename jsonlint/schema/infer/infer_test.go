package infer_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/evidence"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/schema"
	"github.com/shapevet/shapevet/jsonlint/schema/infer"
)

// fixtures are the directories of documents that lie in the repository.
func fixtures(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for _, root := range []string{"accuracy", "article"} {
		root = filepath.Join("../../../testdata", root)
		require.NoError(t, filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
			if err == nil && slices.Contains([]string{".json", ".jsonl"}, filepath.Ext(path)) {
				out[filepath.Dir(path)] = append(out[filepath.Dir(path)], path)
			}
			return err
		}))
	}
	require.NotEmpty(t, out)
	return out
}

// TestFixtures: a schema accepts every document that it was made from, and none
// with a value of another type at a required path.
func TestFixtures(t *testing.T) {
	t.Parallel()
	for dir, files := range fixtures(t) {
		for _, format := range formats {
			t.Run(format+" "+filepath.Base(dir), func(t *testing.T) {
				t.Parallel()
				r, err := measure(context.Background(), files, format, t.TempDir(), 100)
				require.NoError(t, err)
				assert.Positive(t, r.Documents)
				assert.Positive(t, r.Mutated)
				assert.Equal(t, r.Documents, r.Accepted, r.First)
				assert.Equal(t, r.Mutated, r.Rejected, r.First)
			})
		}
	}
}

// values are all kinds of value, as Extended JSON and plain JSON write them.
func values(depth int) *rapid.Generator[string] {
	scalars := rapid.SampledFrom([]string{
		`null`, `true`, `1`, `-7`, `3000000000`, `123456789012345678901234567890`, `1.5`, `1e3`, `"text"`, `""`, `"2026-01-31"`, `"2026-01-31T10:00:00Z"`,
		`"3b241101-e2bb-4255-8caf-4136c566a962"`, `"5f50c31a1c9d440000000000"`, `{"$oid": "5f50c31a1c9d440000000000"}`, `{"$date": "2026-01-31T00:00:00Z"}`,
		`{"$date": {"$numberLong": "1"}}`, `{"$date": 5}`, `{"$numberInt": "1"}`, `{"$numberLong": "5"}`, `{"$numberDouble": "NaN"}`,
		`{"$numberDecimal": "1.10"}`, `{"$binary": {"base64": "AA==", "subType": "00"}}`, `{"$binary": "AA==", "$type": "00"}`,
		`{"$uuid": "3b241101-e2bb-4255-8caf-4136c566a962"}`, `{"$timestamp": {"t": 1, "i": 1}}`, `{"$regex": "a", "$options": "i"}`,
		`{"$regularExpression": {"pattern": "a", "options": ""}}`, `{"$minKey": 1}`, `{"$maxKey": 1}`, `{"$symbol": "x"}`, `{"$code": "f()"}`,
		`{"$code": "f()", "$scope": {}}`, `{"$undefined": true}`,
	})
	if depth == 0 {
		return scalars
	}
	return rapid.Custom(func(t *rapid.T) string {
		switch rapid.IntRange(0, 4).Draw(t, "kind") {
		case 0:
			return "[" + strings.Join(rapid.SliceOfN(values(depth-1), 0, 3).Draw(t, "elements"), ",") + "]"
		case 1:
			return object(depth-1).Draw(t, "object")
		}
		return scalars.Draw(t, "scalar")
	})
}

func object(depth int) *rapid.Generator[string] {
	names := rapid.SampledFrom([]string{"a", "b", "type", "c d", "x/y~z", "é", "2026-01-31", "5f50c31a1c9d440000000000", "%41", "", "$ref", "required"})
	return rapid.Custom(func(t *rapid.T) string {
		var members []string
		for range rapid.IntRange(0, 5).Draw(t, "members") {
			members = append(members, fmt.Sprintf("%q:%s", names.Draw(t, "name"), values(depth).Draw(t, "value")))
		}
		return "{" + strings.Join(members, ",") + "}"
	})
}

// TestAcceptsWhatItWasMadeFrom, whatever the documents are: also those with
// names twice, and with kinds.
func TestAcceptsWhatItWasMadeFrom(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		var lines []string
		for i, line := range rapid.SliceOfN(object(3), 1, 8).Draw(t, "documents") {
			lines = append(lines, line)
			if rapid.Bool().Draw(t, "kinds") {
				kind := []string{`{"type": "x", "p": 1, "q": 2, "r": 3}`, `{"type": "y", "s": [], "u": null, "v": {}}`}[i%2]
				lines = append(lines, kind, kind, kind)
			}
		}
		file := filepath.Join(dir, "posts.jsonl")
		require.NoError(t, os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o600))
		for _, format := range formats {
			r, err := measure(context.Background(), []string{file}, format, dir, 0)
			require.NoError(t, err, strings.Join(lines, "\n"))
			require.Equal(t, r.Documents, r.Accepted, "%s: %s", format, r.First)
			require.Equal(t, r.Mutated, r.Rejected, "%s: %s", format, r.First)
		}
	})
}

func describe(t *testing.T, documents map[string]string) *infer.Database {
	t.Helper()
	dir := write(t, documents)
	db, report, err := jsonlint.Describe(context.Background(), []string{dir}, jsonlint.Options{Jobs: 2})
	require.NoError(t, err)
	require.Empty(t, report.Problems)
	return db
}

func write(t *testing.T, documents map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range documents {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".jsonl"), []byte(text), 0o600))
	}
	return dir
}

func compact(t *testing.T, text []byte) string {
	t.Helper()
	var v any
	require.NoError(t, json.Unmarshal(text, &v))
	out, err := json.Marshal(v)
	require.NoError(t, err)
	return string(out)
}

func repeated(n int, line func(i int) string) string {
	var lines []string
	for i := range n {
		lines = append(lines, line(i))
	}
	return strings.Join(lines, "\n")
}

func TestJSONSchema(t *testing.T) {
	t.Parallel()
	db := describe(t, map[string]string{"posts": repeated(30, func(i int) string {
		extra := ""
		if i%2 == 0 {
			extra = `, "note": null`
		}
		return fmt.Sprintf(`{"id": "3b241101-e2bb-4255-8caf-4136c566a9%02d", "day": "2026-01-%02d", "n": %d, "x": %d.5, "tags": [%s], "empty": [], "scores": {"u%d": %d}%s}`,
			i, i%28+1, i, i, strings.TrimSuffix(strings.Repeat(`"t",`, i%4), ","), 1000+i, i, extra)
	})})
	found, err := db.JSONSchemas(infer.Options{Constants: true})
	require.NoError(t, err)
	require.Len(t, found, 1)
	assert.JSONEq(t, `{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "posts", "description": "Made from 30 documents.",
		"type": "object", "required": ["day", "empty", "id", "n", "scores", "tags", "x"],
		"properties": {
			"day": {"type": "string", "format": "date"}, "empty": {"type": "array", "maxItems": 0}, "id": {"type": "string", "format": "uuid"},
			"n": {"type": "integer"}, "note": {"type": "null"}, "scores": {"type": "object", "additionalProperties": {"type": "integer"}},
			"tags": {"type": "array", "items": {"type": "string"}, "maxItems": 3}, "x": {"type": "number"}
		}
	}`, string(found[0].Text))

	bounded, err := db.JSONSchemas(infer.Options{Bound: func(collection, path string) (int64, bool) { return 12, collection == "posts" && path == "tags" }})
	require.NoError(t, err)
	assert.Contains(t, compact(t, bounded[0].Text), `"tags":{"items":{"type":"string"},"maxItems":12,"type":"array"}`)
}

func TestMongoDBValidator(t *testing.T) {
	t.Parallel()
	db := describe(t, map[string]string{"posts": repeated(3, func(i int) string {
		return fmt.Sprintf(`{"_id": {"$oid": "5f50c31a1c9d44000000000%d"}, "at": {"$date": "2026-01-31T00:00:00Z"}, "n": %d, "x": 1.5, "list": [1, null]}`, i, i)
	})})
	text, err := db.MongoDBValidator(infer.Options{Constants: true})
	require.NoError(t, err)
	assert.JSONEq(t, `{"posts": {"$jsonSchema": {
		"title": "posts", "description": "Made from 3 documents.", "bsonType": "object", "required": ["_id", "at", "list", "n", "x"],
		"properties": {
			"_id": {"bsonType": "objectId"}, "at": {"bsonType": "date"}, "n": {"bsonType": ["int", "long"]}, "x": {"bsonType": "number"},
			"list": {"bsonType": "array", "items": {"bsonType": ["int", "long", "null"]}, "maxItems": 2}
		}
	}}}`, string(text))
}

// kinds are documents of which type tells two kinds apart, and some that are of
// neither.
func kinds(other string) map[string]string {
	return map[string]string{"things": repeated(60, func(i int) string {
		switch {
		case i%3 == 0:
			return fmt.Sprintf(`{"id": %d, "type": "book", "title": "T", "pages": 3, "isbn": "x"}`, i)
		case i%3 == 1:
			return fmt.Sprintf(`{"id": %d, "type": "review", "stars": 3, "text": "x", "bookId": %d}`, i, i-1)
		}
		return fmt.Sprintf(other, i)
	})}
}

func TestKinds(t *testing.T) {
	t.Parallel()
	db := describe(t, kinds(`{"id": %d, "type": "author", "name": "N", "born": 1950, "city": "C"}`))
	branch := func(format string) []any {
		text := map[string]func(infer.Options) ([]infer.Schema, error){"json": db.JSONSchemas, "mongodb": db.MongoDBValidators}[format]
		found, err := text(infer.Options{Constants: true})
		require.NoError(t, err)
		var v map[string]any
		require.NoError(t, json.Unmarshal(found[0].Text, &v))
		if inner, ok := v["$jsonSchema"]; ok {
			v = inner.(map[string]any)
		}
		return v["oneOf"].([]any)
	}
	for format, want := range map[string]string{"json": `{"const": "book"}`, "mongodb": `{"enum": ["book"]}`} {
		i := slices.IndexFunc(branch(format), func(b any) bool { return b.(map[string]any)["title"] == "book" })
		require.GreaterOrEqual(t, i, 0)
		text, err := json.Marshal(branch(format)[i].(map[string]any)["properties"].(map[string]any)["type"])
		require.NoError(t, err)
		assert.JSONEq(t, want, string(text))
	}
	none, err := db.JSONSchemas(infer.Options{})
	require.NoError(t, err)
	assert.Contains(t, string(none[0].Text), `"anyOf"`)
	assert.NotContains(t, string(none[0].Text), `"book"`, "no value is told unless that is allowed")
}

// TestRest: documents that lack the discriminator, or have another value of it,
// are a kind of their own, which the others are not taken for.
func TestRest(t *testing.T) {
	t.Parallel()
	documents := kinds(`{"id": %d, "type": "author", "name": "N", "born": 1950, "city": "C"}`)
	documents["things"] += "\n" + `{"id": 61, "name": "N", "plot": "P"}` + "\n" + `{"id": 62, "name": "N", "plot": "P"}`
	for _, format := range formats {
		r, err := measure(context.Background(), []string{write(t, documents)}, format, t.TempDir(), 0)
		require.NoError(t, err)
		assert.Equal(t, result{Documents: 62, Accepted: 62, Mutated: 62, Rejected: 62}, r)
	}
	found, err := describe(t, documents).JSONSchemas(infer.Options{Constants: true})
	require.NoError(t, err)
	assert.Contains(t, compact(t, found[0].Text), `"type":{"not":{"enum":["author","book","review"]}}`)
}

// TestNoValues feeds values of which none may be in a schema.
func TestNoValues(t *testing.T) {
	t.Parallel()
	db := describe(t, map[string]string{"people": repeated(60, func(i int) string {
		return fmt.Sprintf(`{"name": "secret-%d", "n": 77123%d, "at": "1987-03-%02d", "byMail": {"secret%d@example.com": true}, "list": ["secret-%d"], "secret-%06d": 1}`, i, i, i%28+1, i, i, i)
	})})
	for _, write := range []func(infer.Options) ([]byte, error){db.JSONSchema, db.MongoDBValidator} {
		text, err := write(infer.Options{Constants: true})
		require.NoError(t, err)
		assert.NotContains(t, string(text), "secret")
		assert.NotContains(t, string(text), "77123")
		assert.NotContains(t, string(text), "1987")
		assert.Contains(t, string(text), "byMail")
	}
}

// TestFromEvidence: what evidence alone says is no less than what documents
// show, so that its schemas accept these too.
func TestFromEvidence(t *testing.T) {
	t.Parallel()
	for dir, files := range fixtures(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			for _, discriminators := range []bool{true, false} {
				db, _, err := jsonlint.Profile(context.Background(), files, jsonlint.Options{})
				require.NoError(t, err)
				f := evidence.New(db, evidence.Options{Tool: "v1", Date: time.Unix(0, 0), Discriminators: discriminators})
				text, err := f.Marshal()
				require.NoError(t, err)
				f, err = evidence.Parse(text)
				require.NoError(t, err)
				found, err := infer.FromEvidence(f).JSONSchemas(infer.Options{Constants: true})
				require.NoError(t, err)
				var sources []schema.Source
				for i, s := range found {
					path := filepath.Join(t.TempDir(), fmt.Sprintf("%d.json", i))
					require.NoError(t, os.WriteFile(path, s.Text, 0o600))
					sources = append(sources, schema.Source{Collection: s.Collection, Path: path})
				}
				set := schema.Load(sources)
				v := set.Validator()
				require.Empty(t, set.Problems())
				o := v.Observer()
				require.NoError(t, jsonlint.Visit(context.Background(), files, jsonlint.Options{}, func(collection string, d *profile.Document) {
					assert.True(t, v.Has(collection))
					o.See(collection, d)
				}))
				v.Add(o.Seen)
				assert.Empty(t, v.Violations())
			}
		})
	}
}

// TestDeepDocuments: what nests deeper than any database stores is described as
// far as that.
func TestDeepDocuments(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{"deep": strings.Repeat(`{"a":`, 5_000) + "1" + strings.Repeat("}", 5_000)})
	for _, format := range formats {
		r, err := measure(context.Background(), []string{dir}, format, t.TempDir(), 1)
		require.NoError(t, err)
		assert.Equal(t, result{Documents: 1, Accepted: 1, Mutated: 1, Rejected: 1}, r)
	}
}
