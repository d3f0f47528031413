package invalidid_test

import (
	"strings"
	"testing"

	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

func TestInvalidID(t *testing.T) {
	t.Parallel()
	db := func(name string) jsonlint.Options { return jsonlint.Options{DB: name} }
	long := func(n int) string { return strings.Repeat("x", n) }
	ruletest.Expect(t, "invalid-id", []ruletest.Expectation{
		{Name: "cosmosdb number", Options: db("cosmosdb"), Documents: ruletest.Numbered(3, `{"id":%d,"n":1}`), Want: []string{"error id 1:7"}, Message: "takes strings only"},
		{Name: "cosmosdb slash", Options: db("cosmosdb"), Documents: []string{`{"id":"a","n":1}`, `{"id":"a/b","n":1}`, `{"id":"c/d","n":1}`},
			Want: []string{"error id 2:7"}, Message: `items.id is "a/b", but Azure Cosmos DB for NoSQL allows no '/' in an id (the first of 2 documents)`},
		{Name: "cosmosdb hash", Options: db("cosmosdb"), Documents: []string{`{"id":"ORDER#1","n":1}`}, Want: []string{"error id 1:7"}},
		{Name: "cosmosdb space", Options: db("cosmosdb"), Documents: []string{`{"id":"a b","n":1}`, `{"id":"ä","n":1}`}, Want: []string{"warning id 1:7"}},
		{Name: "cosmosdb long", Options: db("cosmosdb"), Documents: []string{`{"id":"` + long(1024) + `"}`}, Want: []string{"error id 1:7"}},
		{Name: "cosmosdb longest", Options: db("cosmosdb"), Documents: []string{`{"id":"` + long(1023) + `"}`}},
		{Name: "cosmosdb fine", Options: db("cosmosdb"), Documents: []string{`{"id":"order:2026-01.a_b"}`, `{"id":"5f1d7a3e-9b1c-4a00-92ab-34c15f1d7a3e"}`}},
		{Name: "firestore", Options: db("firestore"), Documents: []string{`{"id":".."}`, `{"id":"a/b"}`, `{"id":"__x__"}`, `{"id":"a b"}`},
			Want: []string{"error id 1:7", "error id 2:7"}},
		{Name: "couchbase long", Options: db("couchbase"), Documents: []string{`{"id":"` + long(251) + `"}`, `{"id":"` + long(250) + `"}`}, Want: []string{"error id 1:7"}},
		{Name: "dynamodb keys", Options: db("dynamodb"), Documents: []string{`{"pk":true,"sk":"` + long(1025) + `"}`, `{"pk":"a#1","sk":"b"}`, `{"pk":7,"sk":"c"}`},
			Want: []string{"error pk 1:7", "error sk 1:17"}},
		{Name: "mongodb array", Options: db("mongodb"), Documents: []string{`{"_id":[1,2]}`, `{"_id":{"a":1}}`, `{"_id":"a/b#c"}`}, Want: []string{"error _id 1:2"}},
		{Name: "empty", Documents: []string{`{"id":"","n":1}`, `{"id":"b","n":1}`}, Want: []string{"warning id 1:7"}, Message: `items.id is empty`},
		{Name: "generic has no rules", Documents: []string{`{"id":"a/b#c","n":1}`, `{"id":"ä","n":1}`}},
	})
}
