package fieldnamevariant_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

func TestFieldNameVariant(t *testing.T) {
	t.Parallel()
	people := ruletest.Times(1, 60, `{"id":"%[1]d","name":"n","address":"a%[1]d","minimumAge":1,"line1":"x"}`)
	ruletest.Run(t, "field-name-variant", []ruletest.ShapeCase{
		{Name: "case", DB: ruletest.Database{"a": {`{"id":"1","postCode":"1"}`, `{"id":"2","postCode":"2"}`, `{"id":"3","postcode":"3"}`}}, Want: []string{"warning a.jsonl:3 postcode"}},
		{Name: "one or the other, in two types", DB: ruletest.Database{"a": {`{"id":"1","created_at":1}`, `{"id":"2","created_at":1}`, `{"id":"3","createdAt":"2026-01-01"}`}}, Want: []string{"warning a.jsonl:3 createdAt"}},
		{Name: "separators", DB: ruletest.Database{"a": {`{"id":"1","created_at":1}`, `{"id":"2","created_at":1}`, `{"id":"3","createdAt":1}`}}, Want: []string{"warning a.jsonl:3 createdAt"}},
		{Name: "both", DB: ruletest.Database{"a": {`{"id":"1","name":"1"}`, `{"id":"2","name":"2","Name":"3"}`}}, Want: []string{"error a.jsonl:2 Name"}, Says: "occur together"},
		{Name: "both, but for a separator", DB: ruletest.Database{"a": {`{"id":"1","updated_at":"1"}`, `{"id":"2","updated_at":"2","updatedAt":"3"}`}},
			Want: []string{"warning a.jsonl:2 updatedAt"}, Says: "whose values may disagree"},
		{Name: "both, in two styles of the same words", DB: ruletest.Database{"a": {`{"id":"1","created_at":"1","createdAt":"2"}`, `{"id":"2","created_at":"3","createdAt":"4"}`}},
			Want: []string{"warning a.jsonl:1 created_at"}, Says: "whose values may disagree"},
		{Name: "both, and each always says something else in another case", DB: ruletest.Database{"a": {`{"id":"1","NAME":"1","name":"x"}`, `{"id":"2","NAME":"2","name":"y"}`}}},
		{Name: "both, and each always says something else", DB: ruletest.Database{"a": {`{"id":"1","doc_type":"1","doctype":"x"}`, `{"id":"2","doc_type":"2","doctype":"x"}`}}},
		{Name: "numbers below zero", DB: ruletest.Database{"a": {`{"id":"1","day-1":"yesterday","day--1":"tomorrow"}`}}},
		{Name: "one value twice in the only object", DB: ruletest.Database{"a": {`{"id":"1","rank_of_max":"float","rank_of_mas":"float"}`}}},
		{Name: "names that are data", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 20, `{"id":"%[1]d","of":{"n%[1]d":1}}`), []string{`{"id":"x","of":{"Ghost Rider":1}}`, `{"id":"y","of":{"ghost rider":1}}`})}},
		{Name: "names that are data, in two objects", DB: ruletest.Database{"a": {`{"id":"1","list":{"Milk/Cheese":[1],"Fruit":[2]}}`, `{"id":"2","list":{"MILK/CHEESE":[1],"FRUIT":[2],"BREAD":[3]}}`}}},
		{Name: "inside arrays", DB: ruletest.Database{"a": {`{"id":"1","x":[{"unitPrice":"1"},{"unit_price":"1"}]}`, `{"id":"2","x":[{"unitPrice":"1"}]}`}}, Want: []string{"warning a.jsonl:1 x[].unit_price"}},
		{Name: "short names", DB: ruletest.Database{"a": {`{"id":"1","e":"1","E":2}`, `{"id":"2","e":"2","E":3}`}}},
		{Name: "marks", DB: ruletest.Database{"a": {`{"id":"1","_id":"1","type":"x","_type":"y"}`, `{"id":"2","_id":"2","type":"x","_type":"y"}`}}},
		{Name: "misspelt", DB: ruletest.Database{"a": ruletest.Concat(people, []string{`{"id":"x","name":"n","adress":"a","minimumAge":1,"line1":"x"}`})}, Want: []string{"warning a.jsonl:61 adress"}, Says: "misspelling"},
		{Name: "a space too many, as another rule says", DB: ruletest.Database{"a": ruletest.Concat(people, []string{`{"id":"x","name":"n","address ":"a","minimumAge":1,"line1":"x"}`})}},
		{Name: "misspelt, and written as a text", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 20, `{"id":"%[1]d","sku":"s","quantity":1}`),
			[]string{`{"id":"w","sku":"s","quantity":"2"}`, `{"id":"x","sku":"s","quanlity":"2"}`})}, Want: []string{"warning a.jsonl:22 quanlity"}, Says: "misspelling"},
		{Name: "opposites", DB: ruletest.Database{"a": ruletest.Concat(people, []string{`{"id":"x","name":"n","address":"a","maximumAge":1,"line1":"x"}`})}},
		{Name: "numbers", DB: ruletest.Database{"a": ruletest.Concat(people, []string{`{"id":"x","name":"n","address":"a","minimumAge":1,"line2":"x"}`})}},
		{Name: "beside it", DB: ruletest.Database{"a": ruletest.Concat(people, []string{`{"id":"x","name":"n","address":"a","addresss":"b","minimumAge":1,"line1":"x"}`})}},
		{Name: "beside it with the same text", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 20, `{"id":"%[1]d","commodities":["a"]}`), []string{`{"id":"x","commodities":["a"],"comodities":["a"]}`})},
			Want: []string{"warning a.jsonl:21 comodities"}, Says: "with the same value"},
		{Name: "beside it, both empty", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 20, `{"id":"%[1]d","commodities":["a"]}`), []string{`{"id":"x","commodities":[],"comodities":[]}`})}},
		{Name: "another type", DB: ruletest.Database{"a": ruletest.Concat(people, []string{`{"id":"x","name":"n","adress":{"x":1},"minimumAge":1,"line1":"x"}`})}},
		{Name: "documents of two collections that an export wraps", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Times(1, 20, `{"id":"%[1]d","type":"api::book","data":{"pageCount":1,"title":"x"}}`), ruletest.Times(50, 20, `{"id":"%[1]d","type":"api::site","data":{"pagecount":1,"host":"y","port":1}}`))}},
		{Name: "kinds apart", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Times(1, 20, `{"id":"%[1]d","type":"book","pageCount":1,"title":"x"}`), ruletest.Times(50, 20, `{"id":"%[1]d","type":"site","pagecount":1,"host":"y","port":1}`))}},
	})
}

func TestFieldNameVariantFix(t *testing.T) {
	t.Parallel()
	found := ruletest.FindingsOf(t, "field-name-variant", ruletest.Database{"a": {`{"id":"1","postCode":"1"}`, `{"id":"2","postCode":"2"}`, `{"id":"3","postcode":"3","x":1}`}}, jsonlint.Options{})
	require.Len(t, found, 1)
	require.Len(t, found[0].Fixes, 1)
	assert.Equal(t, finding.Unsafe, found[0].Fixes[0].Safety)
	assert.Equal(t, `{"id":"3","postCode":"3","x":1}`, string(found[0].Fixes[0].After[0].Document))
}
