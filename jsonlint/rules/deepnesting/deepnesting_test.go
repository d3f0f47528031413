package deepnesting_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
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
	ruletest.Run(t, "deep-nesting", []ruletest.ShapeCase{
		{Name: "nine levels", DB: ruletest.Database{"docs": {nest(9)}}},
		{Name: "eleven levels", DB: ruletest.Database{"docs": {nest(3), nest(11)}}, Want: []string{"warning docs.jsonl:2 "}, Says: `documents nest 11 levels deep: name.l2.l3.l4.l5.l6.l7.l8.l9.l10`},
		{Name: "a single document of eleven levels", DB: ruletest.Database{"docs": {nest(11)}}},
		{Name: "a single document of very many", DB: ruletest.Database{"docs": {nest(21)}}, Want: []string{"warning docs.jsonl:1 "}},
		{Name: "a short chain", DB: ruletest.Database{"docs": {tree("replies", 3)}}},
		{Name: "a tree", DB: ruletest.Database{"docs": {tree("replies", 2), tree("replies", 6)}}, Want: []string{"warning docs.jsonl:2 replies"}, Says: `docs.replies contains itself 6 levels deep in one document (13 levels in all)`},
		{Name: "an expression", DB: ruletest.Database{"rules": {tree("conditions", 6)}}},
		{Name: "equal names that make no tree", DB: ruletest.Database{"docs": {`{"id":"1","value":{"a":{"value":{"b":{"c":{"value":{"x":1}}}}}}}`}}},
		{
			Name: "values with their types",
			DB:   ruletest.Database{"models": {`{"id":"1"}`, `{"id":"2","tables":[{"rows":[{"a":{"M":{"b":{"L":[{"M":{"c":{"L":[{"S":"x"}]}}}]}}}}]}]}`}},
		},
		{
			Name: "maps of one entry", DB: ruletest.Database{"docs": ruletest.Times(100, 200, `{"id":"%[1]d","byId":{"%[1]d":`+nest(9)+`}}`)},
			Want: []string{"warning docs.jsonl:1 "}, Says: "documents nest 11 levels deep",
		},
		{
			Name: "sizes that are called like types",
			DB:   ruletest.Database{"shirts": {`{"id":"1"}`, strings.ReplaceAll(nest(10), `"l5":`, `"S":1,"M":`)}}, Want: []string{"warning shirts.jsonl:2 "},
		},
		{
			Name: "a geometry",
			DB:   ruletest.Database{"areas": {`{"id":"1","a":{"b":{"c":{"d":{"geometry":{"type":"MultiPolygon","coordinates":[[[[1,2],[3,4]]]]}}}}}}`}},
		},
	})
}

func TestDeepNestingLimits(t *testing.T) {
	t.Parallel()
	for db, want := range map[string]string{"firestore": "error", "dynamodb": "warning", "mongodb": "warning"} {
		t.Run(db, func(t *testing.T) {
			t.Parallel()
			found := ruletest.FindingsOf(t, "deep-nesting", ruletest.Database{"docs": {nest(21)}}, jsonlint.Options{DB: db})
			require.Len(t, found, 1)
			assert.Equal(t, want, found[0].Severity.String())
		})
	}
	assert.Len(t, ruletest.FindingsOf(t, "deep-nesting", ruletest.Database{"docs": {nest(1000)}}, jsonlint.Options{}), 1)
}
