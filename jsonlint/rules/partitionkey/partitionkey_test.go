package partitionkey_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

func TestPartitionKey(t *testing.T) {
	t.Parallel()
	key := func(path, db string) jsonlint.Options {
		return jsonlint.Options{DB: db, Collections: map[string]jsonlint.CollectionOptions{"items": {PartitionKey: path}}}
	}
	tenants := func(n, values int) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = fmt.Sprintf(`{"id":"i%d","tenant":"t%d"}`, i, i%values)
		}
		return out
	}
	skewed := tenants(400, 100)
	for i := range 120 {
		skewed[3*i] = fmt.Sprintf(`{"id":"i%d","tenant":"big"}`, 3*i)
	}
	ruletest.Expect(t, "partition-key", []ruletest.Expectation{
		{Name: "absent", Options: key("/tenant", "cosmosdb"), Documents: []string{`{"id":"a","tenant":"x"}`, `{"id":"b"}`}, Want: []string{"error tenant 2:1"},
			Message: `tenant is the partition key, but missing in 1 of 2 documents (here it is absent)`},
		{Name: "null and empty", Options: key("/tenant", "cosmosdb"), Documents: []string{`{"id":"a","tenant":"x"}`, `{"id":"b","tenant":null}`, `{"id":"c","tenant":""}`},
			Want: []string{"error tenant 2:20"}, Message: `tenant is the partition key, but missing in 2 of 3 documents (here it is null)`},
		{Name: "nowhere", Options: key("/tenant", "cosmosdb"), Documents: ruletest.Numbered(3, `{"id":"a%d"}`), Want: []string{"error tenant 1:1"}},
		{Name: "nested", Options: key("/a/b", "cosmosdb"), Documents: []string{`{"id":"a","a":{"b":"x"}}`, `{"id":"b","a":{}}`}, Want: []string{"error a.b 2:1"}},
		{Name: "mixed type", Options: key("/tenant", "cosmosdb"), Documents: []string{`{"id":"a","tenant":"1"}`, `{"id":"b","tenant":2}`, `{"id":"c","tenant":"3"}`},
			Want: []string{"error tenant 2:20"}, Message: `tenant is the partition key, but a string in 2 documents and a number in 1 document: here it is 2, elsewhere "1"`},
		{Name: "few values", Options: key("/tenant", "cosmosdb"), Documents: tenants(1000, 4), Want: []string{"warning tenant 1:21"}, Message: "has only 4 values in 1,000 documents"},
		{Name: "enough values", Options: key("/tenant", "cosmosdb"), Documents: tenants(1000, 200)},
		{Name: "few documents", Options: key("/tenant", "cosmosdb"), Documents: tenants(500, 4)},
		{Name: "few values by name", Options: key("/status", "cosmosdb"), Documents: []string{`{"id":"a","status":"open"}`, `{"id":"b","status":"done"}`},
			Want: []string{"warning status 1:20"}},
		{Name: "skew", Options: key("/tenant", "dynamodb"), Documents: skewed, Want: []string{"warning tenant 1:21"}, Message: `tenant is the partition key, but "big" in 30% of 400 documents; the other 100 values share the rest`},
		{Name: "long", Options: key("/tenant", "cosmosdb"), Documents: []string{`{"id":"a","tenant":"` + strings.Repeat("x", 2049) + `"}`}, Want: []string{"error tenant 1:20"}},
		{Name: "longer than old containers tell apart", Options: key("/tenant", "cosmosdb"), Documents: []string{`{"id":"a","tenant":"` + strings.Repeat("x", 102) + `"}`},
			Want: []string{"info tenant 1:20"}},
		{Name: "short enough", Options: key("/tenant", "cosmosdb"), Documents: []string{`{"id":"a","tenant":"` + strings.Repeat("x", 101) + `"}`}},
		{Name: "mutable", Options: key("/city", "cosmosdb"), Documents: []string{
			`{"id":"a","name":"Ann","city":"Kiel","age":30,"updatedAt":"2026-01-01"}`, `{"id":"b","name":"Bob","city":"Bonn","age":31,"updatedAt":"2026-01-01"}`,
			`{"id":"a","name":"Ann","city":"Jena","age":30,"updatedAt":"2026-02-01"}`,
		}, Want: []string{"warning city 3:7"}, Message: `changed from "Kiel" to "Jena"`},
		{Name: "the id itself", Options: key("/id", "cosmosdb"), Documents: ruletest.Numbered(30, `{"id":"a%d"}`)},
		{Name: "not configured", Documents: []string{`{"id":"a","tenant":"x"}`, `{"id":"b"}`}},
	})
}
