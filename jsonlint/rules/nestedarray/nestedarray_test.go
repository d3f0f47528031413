package nestedarray_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

func TestNestedArray(t *testing.T) {
	t.Parallel()
	points := ruletest.Database{"tracks": {`{"id":"1","points":[[1.5,2],[3,4.5]],"area":{"type":"Polygon","coordinates":[[[1,2],[3,4],[1,2]]]}}`}}
	ruletest.Run(t, "nested-array", []ruletest.ShapeCase{
		{Name: "points and rings", DB: points},
		{Name: "plain rows", DB: ruletest.Database{"boards": {`{"id":"1","rows":[["a","b"],["c","d"]]}`}}},
		{Name: "lists of texts", DB: ruletest.Database{"boards": {`{"id":"1","words":[["a","b"],["c"]]}`}}},
		{
			Name: "many in one collection",
			DB:   ruletest.Database{"boards": {`{"id":"1","types":{"a":["x",[{"n":1}]],"b":["y",[{"n":2}]],"c":["z",[{"n":3}]],"d":["x",[{"n":4}]],"e":["y",[{"n":5}]],"f":["z",[{"n":6}]]}}`}},
			Want: []string{"info boards.jsonl:1 types.a"},
		},
		{Name: "pairs of a list and a time", DB: ruletest.Database{"boards": {`{"id":"1","past":[[["a","b"],5],[["c","d"],6]]}`}}, Want: []string{"info boards.jsonl:1 past"}},
		{Name: "pairs of a text and a flag", DB: ruletest.Database{"boards": {`{"id":"1","past":[["a",true],["b",false]]}`}}, Want: []string{"info boards.jsonl:1 past"}},
		{Name: "one such pair", DB: ruletest.Database{"boards": {`{"id":"1","past":[["a",true]]}`}}},
		{Name: "lists of texts and numbers", DB: ruletest.Database{"boards": {`{"id":"1","past":[["a",1],["b","c","d",2,3,4]]}`}}},
		{Name: "rows of which one value has another type", DB: ruletest.Database{"boards": {`{"id":"1","past":[["a","b"],["c",true]]}`}}},
		{Name: "lists of references", DB: ruletest.Database{
			"actors": ruletest.Times(10, 20, `{"id":"a-%d","name":"A"}`), "films": ruletest.Times(10, 19, `{"id":"f%d","cast":[["a-%[1]d"],["a-10"]]}`),
		}, Want: []string{"info films.jsonl:1 cast"}},
		{Name: "tables", DB: ruletest.Database{"boards": {`{"id":"1","past":[[[1,2],[3,4]],[[5,6],[7,8]]]}`}}},
		{Name: "tables of texts", DB: ruletest.Database{"boards": {`{"id":"1","past":[[["a","b"],["c","d"]],[["e","f"],["g","h"]]]}`}}},
		{Name: "lists of things", DB: ruletest.Database{"boards": {`{"id":"1"}`, `{"id":"2","rows":[[{"a":1}],[{"a":2}]]}`}}, Want: []string{"info boards.jsonl:2 rows"}},
	})
	found := ruletest.FindingsOf(t, "nested-array", points, jsonlint.Options{DB: "firestore"})
	require.Len(t, found, 2)
	assert.Equal(t, finding.Error, found[0].Severity)
	assert.Equal(t, "points", found[0].Subject.Path)
	assert.Equal(t, "area.coordinates", found[1].Subject.Path)
}

func TestNestedArrayFix(t *testing.T) {
	t.Parallel()
	found := ruletest.FindingsOf(t, "nested-array", ruletest.Database{"boards": {`{"id":"1","rows":[["a",[1]],["c"]]}`}}, jsonlint.Options{DB: "firestore"})
	require.Len(t, found, 1)
	require.Len(t, found[0].Fixes, 1)
	fix := found[0].Fixes[0]
	assert.JSONEq(t, `{"id":"1","rows":[{"values":["a",{"values":[1]}]},{"values":["c"]}]}`, string(fix.After[0].Document))
	ruletest.AssertNothingLost(t, fix)
}
