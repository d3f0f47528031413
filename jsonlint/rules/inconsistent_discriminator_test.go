package rules_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
)

func TestInconsistentDiscriminator(t *testing.T) {
	t.Parallel()
	books := func(first, n int, value string) []string {
		return times(first, n, `{"id":"%[1]d","type":`+value+`,"name":"n%[1]d","pages":%[1]d,"publisher":"p"}`)
	}
	reviews := func(first, n int, value string) []string {
		return times(first, n, `{"id":"%[1]d","type":`+value+`,"bookId":"1001","content":"c%[1]d","stars":4}`)
	}
	runShapeCases(t, "inconsistent-discriminator", []shapeCase{
		{"consistent", database{"a": concat(books(1000, 12, `"book"`), reviews(2000, 20, `"review"`))}, nil, ""},
		{"case", database{"a": concat(books(1000, 12, `"book"`), books(1100, 2, `"Book"`), reviews(2000, 20, `"review"`))}, []string{"warning a.jsonl:13 type"}, `type is "Book" in 2 documents and "book" in 12`},
		{"separators", database{"a": concat(books(1000, 12, `"audio_book"`), books(1100, 2, `"audio-book"`), reviews(2000, 20, `"review"`))}, []string{"warning a.jsonl:13 type"}, ""},
		{"misspelt", database{"a": concat(books(1000, 12, `"book"`), reviews(2000, 120, `"review"`), reviews(3000, 1, `"reveiw"`))}, []string{"warning a.jsonl:133 type"}, "misspelling"},
		{"two types", database{"a": concat(books(1000, 12, `1`), books(1100, 2, `"1"`), reviews(2000, 20, `2`))}, []string{"warning a.jsonl:13 type"}, `type is "1" in 2 documents and 1 in 12`},
		{"contradiction", database{"a": concat(books(1000, 12, `"book"`), reviews(2000, 20, `"review"`), reviews(3000, 1, `"book"`))}, []string{"error a.jsonl:33 type"}, `says "book"`},
		{"a variant is no contradiction", database{"a": concat(books(1000, 12, `"book"`), reviews(2000, 20, `"review"`), []string{`{"id":"7","type":"book","name":"x","subtitle":"y"}`})}, nil, ""},
		{"two names", database{"a": concat(books(1000, 6, `"book"`), reviews(2000, 8, `"review"`),
			times(3000, 3, `{"id":"%[1]d","kind":"book","name":"n%[1]d","pages":%[1]d,"publisher":"p"}`),
			times(4000, 3, `{"id":"%[1]d","kind":"review","bookId":"1001","content":"c%[1]d","stars":4}`))}, []string{"warning a.jsonl:15 kind"}, `in "type" in 14 documents and in "kind" in 6 documents`},
		{"a type that says something else", database{"a": concat(books(1000, 12, `"Paper"`), books(1100, 12, `"paper"`))}, nil, ""},
	})
}

func TestInconsistentDiscriminatorFix(t *testing.T) {
	t.Parallel()
	found := findingsOf(t, "inconsistent-discriminator", database{"a": concat(
		times(1000, 12, `{"id":"%[1]d","type":"book","name":"n%[1]d","pages":%[1]d}`),
		times(1100, 1, `{"id":"%[1]d","type":"Book","name":"n%[1]d","pages":%[1]d}`),
		times(2000, 20, `{"id":"%[1]d","type":"review","about":"1001","content":"c%[1]d","stars":4}`))}, jsonlint.Options{})
	require.Len(t, found, 1)
	require.Len(t, found[0].Fixes, 1)
	assert.Equal(t, finding.Unsafe, found[0].Fixes[0].Safety)
	assert.Equal(t, `{"id":"1100","type":"book","name":"n1100","pages":1100}`, string(found[0].Fixes[0].After[0].Document))
}
