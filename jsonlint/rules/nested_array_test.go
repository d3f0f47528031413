package rules_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
)

func TestNestedArray(t *testing.T) {
	t.Parallel()
	points := database{"tracks": {`{"id":"1","points":[[1.5,2],[3,4.5]],"area":{"type":"Polygon","coordinates":[[[1,2],[3,4],[1,2]]]}}`}}
	runShapeCases(t, "nested-array", []shapeCase{
		{name: "points and rings", db: points},
		{name: "plain rows", db: database{"boards": {`{"id":"1","rows":[["a","b"],["c"]]}`}}},
		{name: "lists of things", db: database{"boards": {`{"id":"1"}`, `{"id":"2","rows":[[{"a":1}],[{"a":2}]]}`}}, want: []string{"info boards.jsonl:2 rows"}},
	})
	found := findingsOf(t, "nested-array", points, jsonlint.Options{DB: "firestore"})
	require.Len(t, found, 2)
	assert.Equal(t, finding.Error, found[0].Severity)
	assert.Equal(t, "points", found[0].Subject.Path)
	assert.Equal(t, "area.coordinates", found[1].Subject.Path)
}

func TestNestedArrayFix(t *testing.T) {
	t.Parallel()
	found := findingsOf(t, "nested-array", database{"boards": {`{"id":"1","rows":[["a",[1]],["c"]]}`}}, jsonlint.Options{DB: "firestore"})
	require.Len(t, found, 1)
	require.Len(t, found[0].Fixes, 1)
	fix := found[0].Fixes[0]
	assert.JSONEq(t, `{"id":"1","rows":[{"values":["a",{"values":[1]}]},{"values":["c"]}]}`, string(fix.After[0].Document))
	assertNothingLost(t, fix)
}
