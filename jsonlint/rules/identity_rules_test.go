package rules_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
)

// An expectation is where one rule must report, in order of place: severity,
// path and the text at line:column.
type expectation struct {
	name      string
	documents []string
	options   jsonlint.Options
	want      []string // "error path line:column", nothing if the rule must be silent
	message   string   // part of the first message
}

// expect runs one rule on each case's documents, as a collection "items".
func expect(t *testing.T, rule string, cases []expectation) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			found := findingsOf(t, rule, database{"items": c.documents}, c.options)
			got := make([]string, 0, len(found))
			for _, f := range found {
				got = append(got, fmt.Sprintf("%s %s %d:%d", f.Severity, f.Subject.Path, f.Location.Line, f.Location.Column))
				for _, fix := range f.Fixes {
					assertKeepsValues(t, fix)
				}
			}
			want := c.want
			if want == nil {
				want = []string{}
			}
			require.Equal(t, want, got)
			if c.message != "" {
				assert.Contains(t, found[0].Message, c.message)
			}
		})
	}
}

// assertKeepsValues checks the law of every plan: no value of the documents
// before is missing after. A number may have become a string.
func assertKeepsValues(t *testing.T, fix finding.Fix) {
	t.Helper()
	if fix.Before == nil {
		return
	}
	var after []string
	for _, d := range fix.After {
		after = append(after, leaves(t, d.Document)...)
	}
	for _, leaf := range leaves(t, fix.Before) {
		assert.Contains(t, after, leaf, "%s loses a value", fix.Title)
	}
}

func leaves(t *testing.T, text []byte) (out []string) {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	var v any
	require.NoError(t, decoder.Decode(&v))
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, m := range v {
				walk(m)
			}
		case []any:
			for _, e := range v {
				walk(e)
			}
		default:
			out = append(out, fmt.Sprint(v))
		}
	}
	walk(v)
	return out
}

// numbered makes n documents from a format with the number, counted from 1,
// as often as it has verbs.
func numbered(n int, format string) []string {
	out := make([]string, n)
	for i := range out {
		args := make([]any, strings.Count(format, "%d"))
		for j := range args {
			args[j] = i + 1
		}
		out[i] = fmt.Sprintf(format, args...)
	}
	return out
}

func TestMissingID(t *testing.T) {
	t.Parallel()
	comments := []string{
		`{"postId":"p1","content":"First."}`, `{"postId":"p1","content":"Second."}`, `{"postId":"p2","content":"Third."}`,
	}
	people := []string{`{"ssn":719736807,"fullName":"Ann Ede"}`, `{"ssn":205176305,"fullName":"Bob Ott"}`, `{"ssn":305176305,"fullName":"Bob Ott"}`}
	expect(t, "missing-id", []expectation{
		{name: "none has one", documents: comments, want: []string{"warning  1:1"}, message: "none of 3 documents has an id"},
		{name: "words that are different in each", documents: numbered(12, `{"genus":"bacterium no %d","dose":1}`),
			want: []string{"info  1:1"}, message: "none of 12 documents has an id; genus is different in each"},
		{name: "times identify nothing", documents: numbered(10, `{"sent":"2026-01-01T10:0%d:00Z","text":"hello"}`),
			want: []string{"warning  1:1"}, message: "sent is different in each, but nothing says that it stays so"},
		{name: "one of many lacks it", documents: append(numbered(30, `{"id":"i%d","n":1}`), `{"n":1}`),
			want: []string{"warning  31:1"}, message: `1 of 31 documents have no "id"`},
		{name: "null is none", documents: []string{`{"id":"a","n":1}`, `{"id":null,"n":1}`, `{"id":"c","n":1}`}, want: []string{"warning  2:1"}},
		{name: "all have one", documents: numbered(5, `{"id":"i%d","n":1}`)},
		{name: "an ObjectId", documents: numbered(3, `{"_id":{"$oid":"5f1d7a3e9b1c4a0012ab34c%d"},"n":1}`)},
		{name: "an object as id", documents: numbered(3, `{"_id":{"a":1,"b":%d},"n":1}`)},
		{name: "a natural key", documents: numbered(25, `{"index":"thing-%d","n":1}`)},
		{name: "a natural key one level down", documents: numbered(25, `{"ids":{"code":"T%d"},"n":1}`)},
		{name: "a personal number is no key", documents: people, want: []string{"warning  1:1"}},
		{name: "a name is one", documents: numbered(4, `{"name":"Thing %d","n":1}`)},
		{name: "one document", documents: []string{`{"n":1,"list":[1,2]}`}},
		{name: "the name of the member is the key", documents: numbered(12, `{"users":{"user%d":{"age":1,"city":"Kiel"}}}`)},
		{name: "another kind has ids", documents: append(numbered(6, `{"id":"p%d","type":"post","title":"A","body":"B"}`),
			numbered(6, `{"type":"like","by":"ann","weight":1}`)...), want: []string{"warning  7:1"}, message: `while other documents of items have "id"`},
		{name: "mongodb adds one", documents: comments, options: jsonlint.Options{DB: "mongodb"}, want: []string{"info  1:1"}},
		{name: "cosmosdb wants one beside the natural key", documents: numbered(25, `{"index":"thing-%d","n":1}`),
			options: jsonlint.Options{DB: "cosmosdb"}, want: []string{"info  1:1"}, message: `"index" is different in each`},
		{name: "firestore keeps it outside", documents: comments, options: jsonlint.Options{DB: "firestore"}},
		{name: "dynamodb without a configured key", documents: comments, options: jsonlint.Options{DB: "dynamodb"}},
		{name: "the configured key", documents: numbered(4, `{"ref":%d,"n":1}`),
			options: jsonlint.Options{Collections: map[string]jsonlint.CollectionOptions{"items": {ID: "ref"}}}},
	})
}

// TestMissingIDFix checks that documents which join two others get an id of
// both, as long as the pairs are different.
func TestMissingIDFix(t *testing.T) {
	t.Parallel()
	joins := []string{`{"authorId":"a1","bookId":"b1"}`, `{"authorId":"a2","bookId":"b1"}`, `{"authorId":"a1","bookId":"b2"}`}
	found := findingsOf(t, "missing-id", database{"joins": joins}, jsonlint.Options{})
	require.Len(t, found, 1)
	require.Len(t, found[0].Fixes, 1)
	assert.JSONEq(t, `{"id":"a1:b1","authorId":"a1","bookId":"b1"}`, string(found[0].Fixes[0].After[0].Document))

	found = findingsOf(t, "missing-id", database{"joins": append(joins, joins[0])}, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Empty(t, found[0].Fixes)
}

// TestMissingIDFiles checks that a document alone in its file is known by the
// name of the file.
func TestMissingIDFiles(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "things")
	require.NoError(t, os.Mkdir(dir, 0o700))
	for i := range 4 {
		file := filepath.Join(dir, fmt.Sprintf("t%d.json", i))
		require.NoError(t, os.WriteFile(file, []byte(`{"colour":"red","weight":3}`), 0o600))
	}
	assert.Empty(t, findingsIn(t, "missing-id", []string{dir}, jsonlint.Options{}))
	assert.Len(t, findingsIn(t, "missing-id", []string{dir}, jsonlint.Options{DB: "cosmosdb"}), 1)
}

func TestDuplicateID(t *testing.T) {
	t.Parallel()
	key := func(path string) jsonlint.Options {
		return jsonlint.Options{Collections: map[string]jsonlint.CollectionOptions{"items": {PartitionKey: path}}}
	}
	expect(t, "duplicate-id", []expectation{
		{name: "two things", documents: []string{
			`{"id":"a","name":"Lamp","price":30,"stock":1}`, `{"id":"b","name":"Shelf","price":80,"stock":2}`, `{"id":"a","name":"Chair","price":90,"stock":3}`,
		}, want: []string{"error id 3:7"}, message: `id "a" is in 2 different documents: name is "Lamp" in one and "Chair" in the other`},
		{name: "one thing in two spellings", documents: []string{
			`{"id":"a","at":{"$date":"2026-01-01T10:00:00.000Z"},"ref":{"$oid":"5f1d7a3e9b1c4a0012ab34c1"},"n":1}`,
			`{"id": "a", "at": {"$date": "2026-01-01T12:00:00+02:00"}, "ref": {"$oid": "5f1d7a3e9b1c4a0012ab34c1"}, "n": 1}`,
		}, want: []string{"warning id 2:8"}, message: "the same each time"},
		{name: "spelling is no difference", documents: []string{
			`{"id":"a","ref":{"$oid":"5f1d7a3e9b1c4a0012ab34c1"},"name":"Lamp","price":1}`, `{"id":"a","ref":{ "$oid": "5f1d7a3e9b1c4a0012ab34c1" },"name":"Chair","price":2}`,
		}, want: []string{"error id 2:7"}, message: `name is "Lamp" in one and "Chair" in the other`},
		{name: "two things with clocks", documents: []string{
			`{"id":"a","name":"Lamp","price":30,"stock":1,"updatedAt":"2026-01-01T00:00:00Z"}`, `{"id":"b","name":"Shelf","price":80,"stock":2,"updatedAt":"2026-01-02T00:00:00Z"}`,
			`{"id":"a","name":"Chair","price":90,"stock":3,"updatedAt":"2026-01-03T00:00:00Z"}`,
		}, want: []string{"error id 3:7"}},
		{name: "history of one thing", documents: []string{
			`{"id":"a","name":"Lamp","price":30,"colour":"red","_ts":1}`, `{"id":"b","name":"Shelf","price":80,"colour":"oak","_ts":2}`, `{"id":"a","name":"Lamp","price":35,"colour":"red","_ts":3}`,
		}},
		{name: "a time series", documents: []string{
			`{"id":"a","date":"2026-01-01","close":1}`, `{"id":"a","date":"2026-01-02","close":2}`, `{"id":"b","date":"2026-01-01","close":7}`, `{"id":"b","date":"2026-01-02","close":9}`,
		}},
		{name: "no clock", documents: []string{
			`{"id":"a","name":"Lamp","price":30,"colour":"red"}`, `{"id":"b","name":"Shelf","price":80,"colour":"oak"}`, `{"id":"a","name":"Lamp","price":35,"colour":"red"}`,
		}, want: []string{"error id 3:7"}, message: "price is 30 in one and 35 in the other"},
		{name: "the same document twice", documents: []string{`{"id":"a","n":1}`, `{"id":"b","n":1}`, `{"n":1,"id":"a"}`},
			want: []string{"warning id 3:13"}, message: "is there 2 times"},
		{name: "exact integers", documents: []string{`{"_id":9007199254740993,"n":1}`, `{"_id":9007199254740992,"n":2}`}},
		{name: "one number written twice", documents: []string{`{"_id":1,"a":1,"b":2,"c":3}`, `{"_id":{"$numberInt":"1"},"a":2,"b":3,"c":4}`}, want: []string{"error _id 2:8"}},
		{name: "a number and its text are two", documents: []string{`{"_id":1,"n":1}`, `{"_id":"1","n":2}`, `{"_id":2,"n":2}`}},
		{name: "case matters", documents: []string{`{"_id":"5F1D7A3E9B1C4A0012AB34C1","n":1}`, `{"_id":"5f1d7a3e9b1c4a0012ab34c1","n":2}`}},
		{name: "embedded ids may repeat", documents: []string{`{"id":"a","parts":[{"id":1,"x":1}]}`, `{"id":"b","parts":[{"id":1,"x":2}]}`}},
		{name: "kinds that count from 1", documents: append(numbered(6, `{"id":%d,"type":"post","title":"T","body":"B","tags":[]}`),
			numbered(6, `{"id":%d,"type":"user","name":"N","email":"e","phone":"p"}`)...),
			want: []string{"warning id 7:7"}, message: "6 values of id are ids of more than one kind"},
		{name: "another partition", options: key("/tenant"), documents: []string{`{"id":"a","tenant":"x","n":1}`, `{"id":"a","tenant":"y","n":2}`, `{"id":"b","tenant":"y","n":2}`}},
		{name: "the same partition", options: key("/tenant"), documents: []string{`{"id":"a","tenant":"x","n":1,"m":1,"o":1}`, `{"id":"a","tenant":"x","n":2,"m":2,"o":2}`},
			want: []string{"error id 2:7"}},
		{name: "sort keys", options: jsonlint.Options{DB: "dynamodb"}, documents: []string{`{"PK":"U#1","SK":"A","n":1}`, `{"PK":"U#1","SK":"B","n":2}`, `{"PK":"U#2","SK":"A","n":1}`}},
		{name: "two names in one document", documents: []string{`{"id":"a","id":"x","n":1}`, `{"id":"b","id":"x","n":2}`}},
	})
}

// TestDuplicateIDKeys checks keys that are not the id: they count if they are
// named after the collection.
func TestDuplicateIDKeys(t *testing.T) {
	t.Parallel()
	var accounts []string
	for i := range 40 {
		accounts = append(accounts, fmt.Sprintf(`{"_id":"x%d","account_id":%d,"zip":"%d"}`, i, 1000+i%39, 10000+i%38))
	}
	found := findingsOf(t, "duplicate-id", database{"accounts": accounts}, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Equal(t, "account_id", found[0].Subject.Path)
	assert.Equal(t, 40, found[0].Location.Line)
	assert.Equal(t, finding.Warning, found[0].Severity)
	assert.Equal(t, 1, found[0].Related[0].Location.Line)
	assert.Empty(t, findingsOf(t, "duplicate-id", database{"visits": accounts}, jsonlint.Options{}))
}

// TestDuplicateIDDumps checks that two dumps of one collection are history.
func TestDuplicateIDDumps(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for day, price := range map[string]int{"monday": 10, "tuesday": 11} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, day), 0o700))
		text := strings.Join(numbered(10, fmt.Sprintf(`{"id":"p%%d","name":"n","colour":"red","price":%d}`, price)), "\n")
		require.NoError(t, os.WriteFile(filepath.Join(dir, day, "products.jsonl"), []byte(text), 0o600))
	}
	assert.Empty(t, findingsIn(t, "duplicate-id", []string{dir}, jsonlint.Options{}))
}

func TestMixedIDType(t *testing.T) {
	t.Parallel()
	expect(t, "mixed-id-type", []expectation{
		{name: "numbers and ObjectIds", documents: append(numbered(5, `{"_id":%d,"n":1}`), `{"_id":{"$oid":"5f1d7a3e9b1c4a0012ab34c1"},"n":1}`),
			want: []string{"error _id 6:8"}, message: `number in 5 documents, objectId in 1 document; {"$oid":"5f1d7a3e9b1c4a0012ab34c1"} here, but 1`},
		{name: "numbers and strings", documents: []string{`{"id":"1","n":1}`, `{"id":2,"n":1}`, `{"id":"3","n":1}`}, want: []string{"error id 2:7"}},
		{name: "as many of each", documents: []string{`{"id":"a","n":1}`, `{"id":2,"n":1}`}, want: []string{"error id 2:7"}},
		{name: "whole and decimal numbers", documents: []string{`{"id":1,"n":1}`, `{"id":2.5,"n":1}`, `{"id":{"$numberLong":"3"},"n":1}`}},
		{name: "null is absence", documents: []string{`{"id":"a","n":1}`, `{"id":null,"n":1}`}},
		{name: "each kind its own", documents: append(numbered(6, `{"id":%d,"type":"post","title":"T","body":"B","tags":[]}`),
			numbered(6, `{"id":"u%d","type":"user","name":"N","email":"e","phone":"p"}`)...), want: []string{"warning id 7:7"}},
		{name: "one type", documents: numbered(5, `{"id":"%d","n":1}`)},
	})
}

// TestMixedIDTypeFix checks that the odd ones are rewritten if they can be,
// else the others.
func TestMixedIDTypeFix(t *testing.T) {
	t.Parallel()
	found := findingsOf(t, "mixed-id-type", database{"items": {`{"id":"1","n":1}`, `{"id":2,"n":1}`, `{"id":"3","n":1}`}}, jsonlint.Options{})
	assert.JSONEq(t, `{"id":"2","n":1}`, string(found[0].Fixes[0].After[0].Document))
	// The type of most stays, whatever the others can be written as.
	found = findingsOf(t, "mixed-id-type", database{"items": {`{"id":1,"n":1}`, `{"id":2,"n":1}`, `{"id":"x","n":1}`}}, jsonlint.Options{})
	assert.Contains(t, found[0].Advice, "whose id is no number, as most are, a new id")
	assert.Empty(t, found[0].Fixes)
	found = findingsOf(t, "mixed-id-type", database{"orders": {
		`{"_id":{"$oid":"5f1d7a3e9b1c4a0012ab34c1"},"n":1}`, `{"_id":{"$oid":"5f1d7a3e9b1c4a0012ab34c2"},"n":1}`, `{"_id":"5f1d7a3e9b1c4a0012ab34c3","n":1}`,
	}}, jsonlint.Options{})
	assert.Contains(t, found[0].Advice, "Rewrite the ids that are no objectId")
	assert.JSONEq(t, `{"_id":{"$oid":"5f1d7a3e9b1c4a0012ab34c3"},"n":1}`, string(found[0].Fixes[0].After[0].Document))
	found = findingsOf(t, "mixed-id-type", database{"items": {`{"id":1,"n":1}`, `{"id":"x","n":1}`}}, jsonlint.Options{})
	assert.JSONEq(t, `{"id":"1","n":1}`, string(found[0].Fixes[0].After[0].Document))
	// mixed-types leaves the field to this rule.
	assert.Empty(t, findingsOf(t, "mixed-types", database{"items": {`{"id":1,"n":1}`, `{"id":2,"n":1}`, `{"id":"x","n":1}`}}, jsonlint.Options{}))
}

func TestInvalidID(t *testing.T) {
	t.Parallel()
	db := func(name string) jsonlint.Options { return jsonlint.Options{DB: name} }
	long := func(n int) string { return strings.Repeat("x", n) }
	expect(t, "invalid-id", []expectation{
		{name: "cosmosdb number", options: db("cosmosdb"), documents: numbered(3, `{"id":%d,"n":1}`), want: []string{"error id 1:7"}, message: "takes strings only"},
		{name: "cosmosdb slash", options: db("cosmosdb"), documents: []string{`{"id":"a","n":1}`, `{"id":"a/b","n":1}`, `{"id":"c/d","n":1}`},
			want: []string{"error id 2:7"}, message: `does not take '/' in an id (the first of 2 documents)`},
		{name: "cosmosdb hash", options: db("cosmosdb"), documents: []string{`{"id":"ORDER#1","n":1}`}, want: []string{"error id 1:7"}},
		{name: "cosmosdb space", options: db("cosmosdb"), documents: []string{`{"id":"a b","n":1}`, `{"id":"ä","n":1}`}, want: []string{"warning id 1:7"}},
		{name: "cosmosdb long", options: db("cosmosdb"), documents: []string{`{"id":"` + long(1024) + `"}`}, want: []string{"error id 1:7"}},
		{name: "cosmosdb longest", options: db("cosmosdb"), documents: []string{`{"id":"` + long(1023) + `"}`}},
		{name: "cosmosdb fine", options: db("cosmosdb"), documents: []string{`{"id":"order:2026-01.a_b"}`, `{"id":"5f1d7a3e-9b1c-4a00-92ab-34c15f1d7a3e"}`}},
		{name: "firestore", options: db("firestore"), documents: []string{`{"id":".."}`, `{"id":"a/b"}`, `{"id":"__x__"}`, `{"id":"a b"}`},
			want: []string{"error id 1:7", "error id 2:7"}},
		{name: "couchbase long", options: db("couchbase"), documents: []string{`{"id":"` + long(251) + `"}`, `{"id":"` + long(250) + `"}`}, want: []string{"error id 1:7"}},
		{name: "dynamodb keys", options: db("dynamodb"), documents: []string{`{"pk":true,"sk":"` + long(1025) + `"}`, `{"pk":"a#1","sk":"b"}`, `{"pk":7,"sk":"c"}`},
			want: []string{"error pk 1:7", "error sk 1:17"}},
		{name: "mongodb array", options: db("mongodb"), documents: []string{`{"_id":[1,2]}`, `{"_id":{"a":1}}`, `{"_id":"a/b#c"}`}, want: []string{"error _id 1:2"}},
		{name: "empty", documents: []string{`{"id":"","n":1}`, `{"id":"b","n":1}`}, want: []string{"warning id 1:7"}, message: `"id" is empty`},
		{name: "generic has no rules", documents: []string{`{"id":"a/b#c","n":1}`, `{"id":"ä","n":1}`}},
	})
}
