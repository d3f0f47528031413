package duplicatereference_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

func TestDuplicateReference(t *testing.T) {
	t.Parallel()
	authors := ruletest.Times(1, 9, `{"id":"a%d"}`)
	books := func(n int, last string) []string {
		return ruletest.Concat(ruletest.Times(1, n, `{"id":"b%d","authorIds":["a1","a2","a3"]}`), []string{last})
	}
	ruletest.Run(t, "duplicate-reference", []ruletest.ShapeCase{
		{
			Name: "an id twice", DB: ruletest.Database{"authors": authors, "books": books(30, `{"id":"b99","authorIds":["a1","a2","a1"]}`)},
			Want: []string{"warning books.jsonl:31 authorIds"}, Says: `books.authorIds holds the same reference to authors twice in 1 of 31 lists: "a1"`,
		},
		{Name: "by its name alone", DB: ruletest.Database{"books": books(30, `{"id":"b99","authorIds":["a1","a2","a1"]}`)}, Want: []string{"warning books.jsonl:31 authorIds"}},
		{
			Name: "by their type alone", DB: ruletest.Database{"lists": ruletest.Concat(
				ruletest.Times(10, 30, `{"id":"l%d","wares":[{"$oid":"6423f9ee561a5e3064fa90%[1]d"},{"$oid":"6423f9ee561a5e3064fb90%[1]d"}]}`),
				[]string{`{"id":"l99","wares":[{"$oid":"6423f9ee561a5e3064fa9099"},{"$oid":"6423f9ee561a5e3064fa9099"}]}`})},
			Want: []string{"warning lists.jsonl:31 wares"},
		},
		{
			Name: "reference objects", DB: ruletest.Database{"authors": authors, "books": ruletest.Concat(
				ruletest.Times(1, 30, `{"id":"b%d","authors":[{"id":"a1","name":"x"},{"id":"a2","name":"y"}]}`),
				[]string{`{"id":"b99","authors":[{"id":"a1","name":"x"},{"name":"x","id":"a1"}]}`})},
			Want: []string{"warning books.jsonl:31 authors"},
		},
		{
			Name: "references in objects of the elements", DB: ruletest.Database{"authors": authors, "books": ruletest.Concat(
				ruletest.Times(1, 30, `{"id":"b%d","parts":[{"n":1,"author":{"id":"a1","name":"x"}},{"n":2,"author":{"id":"a2","name":"y"}}]}`),
				[]string{`{"id":"b99","parts":[{"n":1,"author":{"id":"a1","name":"x"}},{"n":1,"author":{"id":"a1","name":"x"}}]}`})},
			Want: []string{"warning books.jsonl:31 parts"}, Says: `books.parts holds the same reference to authors twice in 1 of 31 lists`,
		},
		{
			Name: "in a fifth of the lists", DB: ruletest.Database{"authors": authors, "books": ruletest.Concat(books(30, `{"id":"b99","authorIds":["a1","a2","a1"]}`),
				ruletest.Times(200, 7, `{"id":"b%d","authorIds":["a1","a2","a2"]}`))},
			Want: []string{"warning books.jsonl:31 authorIds"},
		},

		{Name: "in a fifth of the lists, where they are counted", DB: ruletest.Database{"authors": authors, "books": ruletest.Concat(books(30, `{"id":"b99","authorIds":["a1","a1","a1"]}`),
			ruletest.Times(200, 7, `{"id":"b%d","authorIds":["a1","a2","a2"]}`))}},
		{Name: "none", DB: ruletest.Database{"authors": authors, "books": books(30, `{"id":"b99","authorIds":["a1"]}`)}},
		{Name: "elements that differ", DB: ruletest.Database{"authors": authors, "books": ruletest.Concat(
			ruletest.Times(1, 30, `{"id":"b%d","authors":[{"id":"a1","part":1},{"id":"a2","part":2}]}`),
			[]string{`{"id":"b99","authors":[{"id":"a1","part":1},{"id":"a1","part":2}]}`})}},
		{Name: "a sequence", DB: ruletest.Database{"songs": authors, "playlists": ruletest.Concat(
			ruletest.Times(1, 30, `{"id":"b%d","songIds":["a1","a2"]}`), []string{`{"id":"b99","songIds":["a1","a2","a1"]}`})}},
		{
			Name: "a record of things that are each in one list", DB: ruletest.Database{"shop_parcels": ruletest.Times(100, 162, `{"id":"p%d"}`), "invoices": ruletest.Concat(
				ruletest.Times(10, 30, `{"id":"b%[1]d","parcels":["p1%[1]d","p2%[1]d"]}`), []string{`{"id":"b99","parcels":["p160","p161","p160"]}`})},
			Want: []string{"warning invoices.jsonl:31 parcels"},
		},
		{Name: "a sequence of things that are each in one list", DB: ruletest.Database{"parcels": ruletest.Times(100, 162, `{"id":"p%d"}`), "rounds": ruletest.Concat(
			ruletest.Times(10, 30, `{"id":"b%[1]d","route":["p1%[1]d","p2%[1]d"]}`), []string{`{"id":"b99","route":["p160","p161","p160"]}`})}},
		{Name: "a record of things that are in several lists", DB: ruletest.Database{"wares": authors, "invoices": ruletest.Concat(
			ruletest.Times(10, 30, `{"id":"b%d","wares":["a1","a2"]}`), []string{`{"id":"b99","wares":["a1","a2","a1"]}`})}},
		{Name: "often", DB: ruletest.Database{"authors": authors, "books": ruletest.Times(1, 30, `{"id":"b%d","authorIds":["a1","a2","a1"]}`)}},
		{Name: "often, in several lists of one document", DB: ruletest.Database{"authors": authors, "sample": {
			`{"id":"s","writers":{"authorIds":["a1","a2","a2"]},"editors":{"authorIds":["a3","a3","a4"]},"readers":{"authorIds":["a5","a6"]}}`}}},
		{Name: "no references", DB: ruletest.Database{"books": ruletest.Concat(
			ruletest.Times(1, 30, `{"id":"b%d","words":["x","y"]}`), []string{`{"id":"b99","words":["x","y","x"]}`})}},
	})
}

func TestDuplicateReferenceEdits(t *testing.T) {
	t.Parallel()
	last := `{"id":"b99","authorIds":[ "a1", "a2" , "a1", "a1" ]}`
	db := ruletest.Database{"authors": ruletest.Times(1, 9, `{"id":"a%d"}`), "books": ruletest.Concat(ruletest.Times(1, 30, `{"id":"b%d","authorIds":["a1","a2"]}`), []string{last})}
	found := ruletest.FindingsOf(t, "duplicate-reference", db, jsonlint.Options{})
	require.Len(t, found, 1)
	fix := found[0].Fixes[0]
	assert.Equal(t, finding.Unsafe, fix.Safety)
	assert.Equal(t, `{"id":"b99","authorIds":["a1","a2"]}`, string(fix.After[0].Document))
	text := ""
	for _, d := range db["books"] {
		text += d + "\n"
	}
	for i := len(fix.Edits) - 1; i >= 0; i-- {
		e := fix.Edits[i]
		text = text[:e.Start] + e.NewText + text[e.End:]
	}
	assert.Len(t, fix.Edits, 2)
	assert.Contains(t, text, `{"id":"b99","authorIds":[ "a1", "a2" ]}`)
	assert.True(t, json.Valid([]byte(text[len(text)-len(`{"id":"b99","authorIds":[ "a1", "a2" ]}`)-1:])))
}
