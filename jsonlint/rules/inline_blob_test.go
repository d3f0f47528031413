package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
)

func blob(bytes int) string { return "iVBORw0KGgo=" + strings.Repeat("QUJD", bytes/4) }

func TestInlineBlob(t *testing.T) {
	t.Parallel()
	field := func(name, value string) database {
		return database{"users": {`{"id":"u1","name":"Ines"}`, fmt.Sprintf(`{"id":"u2","name":"Omar","%s":%s}`, name, value)}}
	}
	base64 := "/9j/" + strings.Repeat("QUJD", 6000)
	runShapeCases(t, "inline-blob", []shapeCase{
		{name: "base64", db: field("photo", `"`+base64+`"`), want: []string{"warning users.jsonl:2 photo"}, says: "base64 of 24.0 KB"},
		{name: "a data URI", db: field("photo", `"data:image/png;base64,`+blob(20_000)+`"`), want: []string{"warning users.jsonl:2 photo"}, says: "a data URI"},
		{name: "binary", db: field("photo", `{"$binary":{"base64":"`+base64+`","subType":"00"}}`), want: []string{"warning users.jsonl:2 photo"}, says: "binary data"},
		{name: "short base64", db: field("photo", `"`+base64[:8000]+`"`)},
		{name: "a cipher text", db: field("ciphertext", `"`+base64+`"`)},
		{name: "a long text", db: field("bio", `"`+strings.Repeat("some words ", 6000)+`"`), want: []string{"warning users.jsonl:2 bio"}, says: "a text of 66.0 KB"},
		{name: "a text", db: field("bio", `"`+strings.Repeat("some words ", 4000)+`"`)},
		{name: "a long list", db: field("notes", `[`+joined(7000, func(int) string { return `"some words"` })+`]`)},
	})
}

func TestInlineBlobFix(t *testing.T) {
	t.Parallel()
	db := database{"users": {`{"id":"u1","name":"Ines","photo":"data:image/png;base64,` + blob(300_000) + `"}`}}
	found := findingsOf(t, "inline-blob", db, jsonlint.Options{DB: "dynamodb"})
	require.Len(t, found, 1)
	assert.Equal(t, finding.Error, found[0].Severity)
	assert.Contains(t, found[0].Message, "Amazon DynamoDB")
	require.Len(t, found[0].Fixes, 1)
	fix := found[0].Fixes[0]
	assertNothingLost(t, fix)
	assert.JSONEq(t, `{"id":"u1","name":"Ines","photoUrl":"users/u1/photo","photoSize":300034,"photoType":"image/png"}`, string(fix.After[0].Document))
}
