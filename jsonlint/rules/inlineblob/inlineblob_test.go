package inlineblob_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

func blob(bytes int) string { return "iVBORw0KGgo=" + strings.Repeat("QUJD", bytes/4) }

func TestInlineBlob(t *testing.T) {
	t.Parallel()
	field := func(name, value string) ruletest.Database {
		return ruletest.Database{"users": {`{"id":"u1","name":"Ines"}`, fmt.Sprintf(`{"id":"u2","name":"Omar","%s":%s}`, name, value)}}
	}
	binary := func(id string, letters int) string {
		return fmt.Sprintf(`{"id":"%s","photo":{"$binary":{"base64":"%s","subType":"00"}}}`, id, strings.Repeat("QUJD", letters/4))
	}
	base64 := "/9j/" + strings.Repeat("QUJD", 6000)
	ruletest.Run(t, "inline-blob", []ruletest.ShapeCase{
		{Name: "base64", DB: field("photo", `"`+base64+`"`), Want: []string{"warning users.jsonl:2 photo"}, Says: `users.photo holds base64 of up to 23.4 KB in 1 value`},
		{Name: "a data URI", DB: field("photo", `"data:image/png;base64,`+blob(20_000)+`"`), Want: []string{"warning users.jsonl:2 photo"}, Says: "a data URI"},
		{Name: "binary", DB: field("photo", `{"$binary":{"base64":"`+base64+`","subType":"00"}}`), Want: []string{"warning users.jsonl:2 photo"}, Says: "binary data"},
		{
			Name: "the largest of several", DB: ruletest.Database{"users": {
				binary("u1", 16_500), binary("u2", 60_000), binary("u3", 40_000),
			}},
			Want: []string{"warning users.jsonl:2 photo"}, Says: "of up to 58.6 KB in 3 values",
		},
		{Name: "a piece of a file in GridFS", DB: ruletest.Database{"fs.chunks": {`{"_id":1,"files_id":7,"n":0,"data":{"$binary":{"base64":"` + base64 + `","subType":"00"}}}`}}},
		{Name: "a document that has such names too", DB: ruletest.Database{"files": {`{"_id":1,"files_id":7,"n":0,"owner":"ann","data":{"$binary":{"base64":"` + base64 + `","subType":"00"}}}`}},
			Want: []string{"warning files.jsonl:1 data"}},
		{Name: "short base64", DB: field("photo", `"`+base64[:8000]+`"`)},
		{Name: "small images that are most of the documents", DB: ruletest.Database{"users": ruletest.Documents(5, func(i int, _ *rand.Rand) string {
			return fmt.Sprintf(`{"id":"u%d","photo":"data:image/png;base64,%s"}`, i, blob(6000+4*i))
		})}, Want: []string{"warning users.jsonl:5 photo"}, Says: "users.photo holds data URIs of up to 5.9 KB, 99.7% of the bytes of all documents"},
		{Name: "small images beside long texts", DB: ruletest.Database{"users": ruletest.Documents(5, func(i int, _ *rand.Rand) string {
			return fmt.Sprintf(`{"id":"u%d","bio":"%s","photo":"data:image/png;base64,%s"}`, i, strings.Repeat("some words ", 600), blob(6000+4*i))
		})}},
		{Name: "texts that are most of the documents", DB: ruletest.Database{"users": ruletest.Documents(5, func(i int, _ *rand.Rand) string {
			return fmt.Sprintf(`{"id":"u%d","bio":"%s"}`, i, strings.Repeat("some words ", 600))
		})}},
		{Name: "a cipher text", DB: field("ciphertext", `"`+base64+`"`)},
		{Name: "a long text", DB: field("bio", `"`+strings.Repeat("some words ", 6000)+`"`), Want: []string{"warning users.jsonl:2 bio"}, Says: `users.bio holds a text of up to 64.5 KB`},
		{Name: "a text", DB: field("bio", `"`+strings.Repeat("some words ", 4000)+`"`)},
		{Name: "the same in two fields", DB: field("photo", `"`+base64+`","photos":["`+base64+`"]`), Want: []string{"warning users.jsonl:2 photo"}},
		{Name: "two files", DB: field("photo", `"`+base64+`","scan":"`+base64+`QUJD"`), Want: []string{"warning users.jsonl:2 photo", "warning users.jsonl:2 scan"}},
		{Name: "a long list", DB: field("notes", `[`+ruletest.Joined(7000, func(int) string { return `"some words"` })+`]`)},
	})
}

func TestInlineBlobFix(t *testing.T) {
	t.Parallel()
	db := ruletest.Database{"users": {`{"id":"u1","name":"Ines","photo":"data:image/png;base64,` + blob(300_000) + `"}`}}
	found := ruletest.FindingsOf(t, "inline-blob", db, jsonlint.Options{DB: "dynamodb"})
	require.Len(t, found, 1)
	assert.Equal(t, finding.Error, found[0].Severity)
	assert.Contains(t, found[0].Message, "Amazon DynamoDB")
	require.Len(t, found[0].Fixes, 1)
	fix := found[0].Fixes[0]
	ruletest.AssertNothingLost(t, fix)
	assert.JSONEq(t, `{"id":"u1","name":"Ines","photoUrl":"users/u1/photo","photoSize":300034,"photoType":"image/png"}`, string(fix.After[0].Document))
}
