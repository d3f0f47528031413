package rules_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/shapevet/shapevet/jsonlint"
)

func TestSparseField(t *testing.T) {
	t.Parallel()
	users := times(1, 150, `{"id":"%[1]d","name":"n","mail":"a%[1]d"}`)
	runShapeCases(t, "sparse-field", []shapeCase{
		{"left over", database{"a": concat(users, []string{`{"id":"x","name":"n","mail":"a","active":true}`})}, []string{"info a.jsonl:151 active"}, "active is in 1 of 151 documents"},
		{"an empty object", database{"a": concat(users, []string{`{"id":"x","name":"n","mail":"a","preferences":{}}`})}, []string{"info a.jsonl:151 preferences"}, ""},
		{"null is absent", database{"a": concat(users, []string{`{"id":"x","name":"n","mail":"a","active":null}`})}, nil, ""},
		{"optional by nature", database{"a": concat(users, []string{`{"id":"x","name":"n","mail":"a","deletedAt":"2026-01-01","parentId":"7"}`})}, nil, ""},
		{"an optional group", database{"a": concat(users, []string{`{"id":"x","name":"n","mail":"a","lat":1,"lon":2}`})}, nil, ""},
		{"several documents", database{"a": concat(users, times(300, 12, `{"id":"%[1]d","name":"n","mail":"a","fax":"1"}`))}, nil, ""},
		{"few documents", database{"a": concat(users[:50], []string{`{"id":"x","name":"n","mail":"a","active":true}`})}, nil, ""},
		{"kinds first", database{"a": concat(
			times(1, 300, `{"id":"%[1]d","type":"beer","abv":1,"style":"x"}`), times(500, 3, `{"id":"%[1]d","type":"brewery","city":"x","phone":"y"}`))}, nil, ""},
		{"a misspelt name", database{"a": concat(users, []string{`{"id":"x","nmae":"n","mail":"a"}`})}, nil, ""}, // structural-outlier says it
		{"a misspelt longer name", database{"a": concat(times(1, 150, `{"id":"%[1]d","address":"n"}`), []string{`{"id":"x","adress":"n"}`})}, nil, ""},
	})
	assert.Len(t, findingsOf(t, "sparse-field", database{"a": concat(users, times(300, 12, `{"id":"%[1]d","name":"n","mail":"a","fax":"1"}`))}, jsonlint.Options{Strict: true}), 1)
}
