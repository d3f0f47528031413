package rules_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
)

func TestFieldNameVariant(t *testing.T) {
	t.Parallel()
	people := times(1, 60, `{"id":"%[1]d","name":"n","address":"a%[1]d","minimumAge":1,"line1":"x"}`)
	runShapeCases(t, "field-name-variant", []shapeCase{
		{"case", database{"a": {`{"id":"1","postCode":"1"}`, `{"id":"2","postCode":"2"}`, `{"id":"3","postcode":"3"}`}}, []string{"warning a.jsonl:3 postcode"}, ""},
		{"separators", database{"a": {`{"id":"1","created_at":1}`, `{"id":"2","created_at":1}`, `{"id":"3","createdAt":1}`}}, []string{"warning a.jsonl:3 createdAt"}, ""},
		{"both", database{"a": {`{"id":"1","name":"1"}`, `{"id":"2","name":"2","Name":"3"}`}}, []string{"error a.jsonl:2 Name"}, "stand together"},
		{"both, but for a separator", database{"a": {`{"id":"1","updated_at":"1"}`, `{"id":"2","updated_at":"2","updatedAt":"3"}`}},
			[]string{"warning a.jsonl:2 updatedAt"}, "whose values may disagree"},
		{"inside arrays", database{"a": {`{"id":"1","x":[{"unitPrice":"1"},{"unit_price":"1"}]}`, `{"id":"2","x":[{"unitPrice":"1"}]}`}}, []string{"warning a.jsonl:1 x[].unit_price"}, ""},
		{"short names", database{"a": {`{"id":"1","e":"1","E":2}`, `{"id":"2","e":"2","E":3}`}}, nil, ""},
		{"marks", database{"a": {`{"id":"1","_id":"1","type":"x","_type":"y"}`, `{"id":"2","_id":"2","type":"x","_type":"y"}`}}, nil, ""},
		{"misspelt", database{"a": concat(people, []string{`{"id":"x","name":"n","adress":"a","minimumAge":1,"line1":"x"}`})}, []string{"warning a.jsonl:61 adress"}, "misspelling"},
		{"opposites", database{"a": concat(people, []string{`{"id":"x","name":"n","address":"a","maximumAge":1,"line1":"x"}`})}, nil, ""},
		{"numbers", database{"a": concat(people, []string{`{"id":"x","name":"n","address":"a","minimumAge":1,"line2":"x"}`})}, nil, ""},
		{"beside it", database{"a": concat(people, []string{`{"id":"x","name":"n","address":"a","addresss":"b","minimumAge":1,"line1":"x"}`})}, nil, ""},
		{"another type", database{"a": concat(people, []string{`{"id":"x","name":"n","adress":{"x":1},"minimumAge":1,"line1":"x"}`})}, nil, ""},
		{"kinds apart", database{"a": concat(
			times(1, 20, `{"id":"%[1]d","type":"book","pageCount":1,"title":"x"}`), times(50, 20, `{"id":"%[1]d","type":"site","pagecount":1,"host":"y","port":1}`))}, nil, ""},
	})
}

func TestFieldNameVariantFix(t *testing.T) {
	t.Parallel()
	found := findingsOf(t, "field-name-variant", database{"a": {`{"id":"1","postCode":"1"}`, `{"id":"2","postCode":"2"}`, `{"id":"3","postcode":"3","x":1}`}}, jsonlint.Options{})
	require.Len(t, found, 1)
	require.Len(t, found[0].Fixes, 1)
	assert.Equal(t, finding.Unsafe, found[0].Fixes[0].Safety)
	assert.Equal(t, `{"id":"3","postCode":"3","x":1}`, string(found[0].Fixes[0].After[0].Document))
}
