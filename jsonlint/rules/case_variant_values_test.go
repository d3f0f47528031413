package rules_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint"
)

func TestCaseVariantValues(t *testing.T) {
	t.Parallel()
	users := times(1, 30, `{"id":"%[1]d","email":"u%[1]d@example.com","username":"user%[1]d"}`)
	runShapeCases(t, "case-variant-values", []shapeCase{
		{"one spelling", database{"a": users}, nil, ""},
		{"one person twice", database{"a": concat(users, []string{`{"id":"x","email":"U7@example.com","username":"u"}`})}, []string{"error a.jsonl:31 email"}, `"U7@example.com" is the same email as "u7@example.com"`},
		{"a code that repeats", database{"a": concat(times(1, 9, `{"id":"%[1]d","code":"EUR"}`), []string{`{"id":"x","code":"eur"}`})}, []string{"warning a.jsonl:10 code"}, ""},
		{"random keys", database{"a": {`{"id":"1","slug":"aZ3kQ9"}`, `{"id":"2","slug":"az3KQ9"}`, `{"id":"3","slug":"bZ3kQx"}`}}, nil, ""},
		{"a field that nobody looks up", database{"a": {`{"id":"1","title":"one"}`, `{"id":"2","title":"One"}`}}, nil, ""},
		{"several styles", database{"a": concat(users, times(50, 3, `{"id":"%[1]d","email":"U%[1]d@Example.com","username":"x"}`))}, []string{"warning a.jsonl:31 email"}, "3 of 33 values"},
		{"names as their owners write them", database{"a": concat(users, times(50, 3, `{"id":"%[1]d","email":"v%[1]d@example.com","username":"Ann%[1]d"}`))}, nil, ""},
	})
}

func TestCaseVariantValuesFix(t *testing.T) {
	t.Parallel()
	found := findingsOf(t, "case-variant-values", database{"a": concat(times(1, 30, `{"id":"%[1]d","email":"u%[1]d@example.com"}`),
		times(50, 3, `{"id":"%[1]d","email":"U%[1]d@Example.com"}`))}, jsonlint.Options{})
	require.Len(t, found, 1)
	require.Len(t, found[0].Fixes, 1)
	assert.Equal(t, `{"id":"50","email":"u50@example.com"}`, string(found[0].Fixes[0].After[0].Document))
}
