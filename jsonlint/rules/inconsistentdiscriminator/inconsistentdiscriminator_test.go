package inconsistentdiscriminator_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

func TestInconsistentDiscriminator(t *testing.T) {
	t.Parallel()
	books := func(first, n int, value string) []string {
		return ruletest.Times(first, n, `{"id":"%[1]d","type":`+value+`,"name":"n%[1]d","pages":%[1]d,"publisher":"p"}`)
	}
	reviews := func(first, n int, value string) []string {
		return ruletest.Times(first, n, `{"id":"%[1]d","type":`+value+`,"bookId":"1001","content":"c%[1]d","stars":4}`)
	}
	ruletest.Run(t, "inconsistent-discriminator", []ruletest.ShapeCase{
		{Name: "consistent", DB: ruletest.Database{"a": ruletest.Concat(books(1000, 12, `"book"`), reviews(2000, 20, `"review"`))}},
		{Name: "case", DB: ruletest.Database{"a": ruletest.Concat(books(1000, 12, `"book"`), books(1100, 2, `"Book"`), reviews(2000, 20, `"review"`))}, Want: []string{"warning a.jsonl:13 type"}, Says: `type is "Book" in 2 documents and "book" in 12`},
		{Name: "separators", DB: ruletest.Database{"a": ruletest.Concat(books(1000, 12, `"audio_book"`), books(1100, 2, `"audio-book"`), reviews(2000, 20, `"review"`))}, Want: []string{"warning a.jsonl:13 type"}},
		{Name: "misspelt", DB: ruletest.Database{"a": ruletest.Concat(books(1000, 12, `"book"`), reviews(2000, 120, `"review"`), reviews(3000, 1, `"reveiw"`))}, Want: []string{"warning a.jsonl:133 type"}, Says: "misspelling"},
		{Name: "lists of numbers are not spelt", DB: ruletest.Database{"a": ruletest.Concat(books(1000, 12, `"1,2,34"`), books(1100, 2, `"12,3,4"`), reviews(2000, 20, `"5,6"`))}},
		{Name: "sentences", DB: ruletest.Database{"a": ruletest.Concat(books(1000, 12, `"the sum of sales, of what readers say and of the news, by month"`),
			books(1100, 2, `"the sum of sales, of what readers say and of the news, by Month"`), reviews(2000, 20, `"the stars that readers give, each month, weighed by how many they gave"`))}},
		{Name: "two types", DB: ruletest.Database{"a": ruletest.Concat(books(1000, 12, `1`), books(1100, 2, `"1"`), reviews(2000, 20, `2`))}, Want: []string{"warning a.jsonl:13 type"}, Says: `type is "1" in 2 documents and 1 in 12`},
		{Name: "contradiction", DB: ruletest.Database{"a": ruletest.Concat(books(1000, 12, `"book"`), reviews(2000, 20, `"review"`), reviews(3000, 1, `"book"`))}, Want: []string{"error a.jsonl:33 type"}, Says: `says "book"`},
		{Name: "a counter of versions", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1000, 12, `{"id":"%[1]d","__v":1,"title":"t%[1]d","author":"a","pages":3}`),
			ruletest.Times(2000, 20, `{"id":"%[1]d","__v":0,"bookId":"1001","content":"c%[1]d","stars":4}`), []string{`{"id":"7","__v":1,"bookId":"1001","content":"c","stars":4}`})}},
		{Name: "a variant is no contradiction", DB: ruletest.Database{"a": ruletest.Concat(books(1000, 12, `"book"`), reviews(2000, 20, `"review"`), []string{`{"id":"7","type":"book","name":"x","subtitle":"y"}`})}},
		{Name: "two names", DB: ruletest.Database{"a": ruletest.Concat(books(1000, 6, `"book"`), reviews(2000, 8, `"review"`),
			ruletest.Times(3000, 3, `{"id":"%[1]d","kind":"book","name":"n%[1]d","pages":%[1]d,"publisher":"p"}`),
			ruletest.Times(4000, 3, `{"id":"%[1]d","kind":"review","bookId":"1001","content":"c%[1]d","stars":4}`))}, Want: []string{"warning a.jsonl:15 kind"}, Says: `the kind is stored as "type" in 14 documents and as "kind" in 6 documents`},
		{Name: "a type that says something else", DB: ruletest.Database{"a": ruletest.Concat(books(1000, 12, `"Paper"`), books(1100, 12, `"paper"`))}},
	})
}

func TestInconsistentDiscriminatorFix(t *testing.T) {
	t.Parallel()
	found := ruletest.FindingsOf(t, "inconsistent-discriminator", ruletest.Database{"a": ruletest.Concat(
		ruletest.Times(1000, 12, `{"id":"%[1]d","type":"book","name":"n%[1]d","pages":%[1]d}`),
		ruletest.Times(1100, 1, `{"id":"%[1]d","type":"Book","name":"n%[1]d","pages":%[1]d}`),
		ruletest.Times(2000, 20, `{"id":"%[1]d","type":"review","about":"1001","content":"c%[1]d","stars":4}`))}, jsonlint.Options{})
	require.Len(t, found, 1)
	require.Len(t, found[0].Fixes, 1)
	assert.Equal(t, finding.Unsafe, found[0].Fixes[0].Safety)
	assert.Equal(t, `{"id":"1100","type":"book","name":"n1100","pages":1100}`, string(found[0].Fixes[0].After[0].Document))
}
