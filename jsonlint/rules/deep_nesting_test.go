package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint"
)

// nest makes a document of so many levels, each under its own name.
func nest(levels int) string {
	text := `1`
	for i := levels; i > 1; i-- {
		text = fmt.Sprintf(`{"l%d":%s}`, i, text)
	}
	return fmt.Sprintf(`{"id":"1","name":%s}`, text)
}

// tree makes nodes inside nodes under one name.
func tree(name string, levels int) string {
	return `{"id":"1",` + strings.Repeat(fmt.Sprintf(`"text":"x","%s":[{`, name), levels) + `"text":"end"` + strings.Repeat("}]", levels) + "}"
}

func TestDeepNesting(t *testing.T) {
	t.Parallel()
	runShapeCases(t, "deep-nesting", []shapeCase{
		{name: "nine levels", db: database{"docs": {nest(9)}}},
		{name: "eleven levels", db: database{"docs": {nest(3), nest(11)}}, want: []string{"warning docs.jsonl:2 "}, says: "11 levels deep, at name.l2.l3"},
		{name: "a short chain", db: database{"docs": {tree("replies", 3)}}},
		{name: "a tree", db: database{"docs": {tree("replies", 2), tree("replies", 6)}}, want: []string{"warning docs.jsonl:2 replies"}, says: "6 levels of it"},
		{name: "an expression", db: database{"rules": {tree("conditions", 6)}}},
		{name: "equal names that make no tree", db: database{"docs": {`{"id":"1","value":{"a":{"value":{"b":{"c":{"value":{"x":1}}}}}}}`}}},
		{
			name: "a geometry",
			db:   database{"areas": {`{"id":"1","a":{"b":{"c":{"d":{"geometry":{"type":"MultiPolygon","coordinates":[[[[1,2],[3,4]]]]}}}}}}`}},
		},
	})
}

func TestDeepNestingLimits(t *testing.T) {
	t.Parallel()
	for db, want := range map[string]string{"firestore": "error", "dynamodb": "warning", "mongodb": "warning"} {
		t.Run(db, func(t *testing.T) {
			t.Parallel()
			found := findingsOf(t, "deep-nesting", database{"docs": {nest(21)}}, jsonlint.Options{DB: db})
			require.Len(t, found, 1)
			assert.Equal(t, want, found[0].Severity.String())
		})
	}
	assert.Len(t, findingsOf(t, "deep-nesting", database{"docs": {nest(1000)}}, jsonlint.Options{}), 1)
}
