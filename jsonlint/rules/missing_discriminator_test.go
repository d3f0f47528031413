package rules_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint"
)

func TestMissingDiscriminator(t *testing.T) {
	t.Parallel()
	books := func(extra string) []string {
		return times(1000, 12, `{"id":"%[1]d","name":"n%[1]d","pages":%[1]d,"publisher":"p"`+extra+`}`)
	}
	reviews := func(extra string) []string {
		return times(2000, 20, `{"id":"%[1]d","bookId":"1001","content":"c%[1]d","stars":4`+extra+`}`)
	}
	runShapeCases(t, "missing-discriminator", []shapeCase{
		{"two kinds", database{"items": concat(books(""), reviews(""))}, []string{"warning items.jsonl:13 "}, "20 with bookId, content, stars; 12 with name, pages, publisher"},
		{"one kind", database{"items": books("")}, nil, ""},
		{"type", database{"items": concat(books(`,"type":"book"`), reviews(`,"type":"review"`))}, nil, ""},
		{"another name", database{"items": concat(books(`,"is":"book"`), reviews(`,"is":"review"`))}, nil, ""},
		{"one level down", database{"items": concat(books(`,"meta":{"is":"book"}`), reviews(`,"meta":{"is":"review"}`))}, nil, ""},
		{"three levels down", database{"items": concat(books(`,"a":{"b":{"c":"book"}}`), reviews(`,"a":{"b":{"c":"review"}}`))}, nil, ""},
		{"in a list", database{"items": concat(books(`,"types":["book"]`), reviews(`,"types":["review"]`))}, nil, ""},
		{"a list of types in some", database{"items": concat(books(`,"type":"book"`), books(`,"type":["book","comic"]`), reviews(`,"type":"review"`))}, nil, ""},
		{"a type that says something else", database{"items": concat(books(`,"type":"x"`), books(`,"type":"y"`), reviews(`,"type":"x"`), reviews(`,"type":"y"`))}, []string{"warning items.jsonl:25 "}, ""},
		{"type missing in one", database{"items": concat(books(`,"type":"book"`), reviews(`,"type":"review"`), times(3000, 1, `{"id":"%[1]d","bookId":"1","content":"c","stars":1}`))}, []string{"warning items.jsonl:33 type"}, "type is missing in 1 of 33 documents"},
		{"type missing in a quarter", database{"items": concat(books(`,"type":"book"`), reviews(`,"type":"review"`), reviews("")[:10])}, []string{"warning items.jsonl:33 type"}, "type is missing in 10 of 42 documents"},
		{"a key for each kind", database{"items": concat(
			times(1, 20, `{"id":"%[1]d","card":{"last4":"1","brand":"v"}}`), times(100, 20, `{"id":"%[1]d","bank":{"iban":"1","bic":"v"}}`))}, nil, ""},
		{"optional fields", database{"items": concat(
			times(1, 20, `{"id":"%[1]d","name":"n","a":1,"b":1}`), times(100, 20, `{"id":"%[1]d","name":"n","c":1,"d":1}`), times(200, 20, `{"id":"%[1]d","name":"n","a":1,"c":1}`))}, nil, ""},
		{"half filled in", database{"items": concat(times(1, 20, `{"id":"%[1]d","name":"n","a":1,"b":1,"c":1,"d":1}`), times(100, 20, `{"id":"%[1]d","name":"n"}`))}, nil, ""},
		{"typed ids", database{"items": concat(
			times(1, 20, `{"id":"book#%[1]d","name":"n","pages":2}`), times(1, 20, `{"id":"review#%[1]d","content":"n","stars":2}`))}, []string{"info items.jsonl:21 "}, ""},
		{"few outliers", database{"items": concat(
			times(1, 200, `{"id":"%[1]d","name":"n","pages":2,"lang":"en"}`), times(900, 3, `{"id":"%[1]d","content":"n","stars":2,"x":1}`))}, nil, ""},
		{"a handful", database{"items": {
			`{"id":"1000","name":"B","bookId":"1000"}`, `{"id":"1001","content":"good","bookId":"1000"}`, `{"id":"1002","content":"bad","bookId":"1000"}`,
		}}, []string{"warning items.jsonl:2 "}, ""},
		{"a handful with type", database{"items": {
			`{"id":"1000","type":"book","name":"B","bookId":"1000"}`, `{"id":"1001","type":"review","content":"good","bookId":"1000"}`, `{"id":"1002","type":"review","content":"bad","bookId":"1000"}`,
		}}, nil, ""},
		{"authors, books and what joins them", database{"all": {
			`{"id":"a1","name":"T"}`, `{"id":"a2","name":"W"}`, `{"id":"b1","name":"X"}`, `{"id":"b2","name":"Y"}`, `{"id":"b3","name":"Z"}`,
			`{"authorId":"a1","bookId":"b1"}`, `{"authorId":"a2","bookId":"b1"}`, `{"authorId":"a1","bookId":"b2"}`, `{"authorId":"a1","bookId":"b3"}`,
		}}, []string{"warning all.jsonl:6 "}, ""},
		{"unrelated files", database{"config": {
			`{"name":"x","scripts":{}}`, `{"compilerOptions":{},"include":[]}`, `{"extends":"y","rules":{}}`, `{"semi":true}`,
		}}, nil, ""},
		{"two id families", database{"things": concat(times(1, 4, `{"id":"a%[1]d","name":"n%[1]d"}`), times(1, 5, `{"id":"b%[1]d","name":"m%[1]d"}`)),
			"links": times(1, 4, `{"id":"l%[1]d","authorId":"a%[1]d","bookId":"b%[1]d"}`)}, []string{"info things.jsonl:5 "}, `4 with "a"; 5 with "b"`},
		{"codes of one kind", database{"things": concat(times(1, 4, `{"id":"a%[1]d","name":"n%[1]d"}`), times(1, 5, `{"id":"b%[1]d","name":"m%[1]d"}`))}, nil, ""},
		{"families with a field that tells them", database{"things": concat(times(1, 4, `{"id":"user%[1]d","name":"n%[1]d","role":"u"}`), times(1, 5, `{"id":"shop%[1]d","name":"m%[1]d","role":"s"}`))}, nil, ""},
	})
}

func TestMissingDiscriminatorDatabases(t *testing.T) {
	t.Parallel()
	typed := database{"items": concat(
		times(1, 20, `{"id":"book#%[1]d","name":"n","pages":2}`), times(1, 20, `{"id":"review#%[1]d","content":"n","stars":2}`))}
	for _, db := range []string{"dynamodb", "couchbase"} {
		assert.Empty(t, findingsOf(t, "missing-discriminator", typed, jsonlint.Options{DB: db}), "the prefix of the key is the convention of %s", db)
	}
	plain := database{"items": concat(
		times(1, 20, `{"id":"%[1]d","name":"n","pages":2}`), times(100, 20, `{"id":"%[1]d","content":"n","stars":2}`))}
	found := findingsOf(t, "missing-discriminator", plain, jsonlint.Options{DB: "firestore"})
	require.Len(t, found, 1)
	assert.Equal(t, "info", found[0].Severity.String())
}

func TestMissingDiscriminatorInArrays(t *testing.T) {
	t.Parallel()
	blocks := concat(
		times(1, 30, `{"id":"%[1]d","blocks":[{"text":"t","style":"h1"},{"url":"u","width":1,"height":2},{"text":"t%[1]d","style":"p"}]}`),
		times(50, 5, `{"id":"%[1]d","blocks":[{"url":"u","width":1,"height":2}]}`))
	options := jsonlint.Options{}
	found := findingsOf(t, "missing-discriminator", database{"pages": blocks}, options)
	require.Len(t, found, 1)
	assert.Equal(t, "blocks[]", found[0].Subject.Path)
	assert.Equal(t, "info", found[0].Severity.String())
	assert.Empty(t, findingsOf(t, "missing-discriminator", database{"pages": times(1, 30,
		`{"id":"%[1]d","blocks":[{"kind":"t","text":"t","style":"h1"},{"kind":"i","url":"u","width":1,"height":2}]}`)}, options), "kind tells them apart")
	assert.Empty(t, findingsOf(t, "missing-discriminator", database{"pages": times(1, 30,
		`{"id":"%[1]d","blocks":[{"text":"t","style":"h1","data":{"is":"t"}},{"url":"u","width":1,"data":{"is":"i"}}]}`)}, options), "a part of the element tells them apart")
	assert.Empty(t, findingsOf(t, "missing-discriminator", database{"pages": concat(
		times(1, 30, `{"id":"%[1]d","holds":"texts","blocks":[{"text":"t","style":"h1"},{"text":"u","style":"p"}]}`),
		times(50, 30, `{"id":"%[1]d","holds":"images","blocks":[{"url":"t","width":1},{"url":"u","width":2}]}`))}, options), "the document around tells them apart")
	contacts := database{"persons": concat(times(50, 3, `{"id":"%[1]d","contacts":[{"email":"t"}]}`), times(1, 30, `{"id":"%[1]d","contacts":[{"email":"t"},{"phone":"h1","extension":"p"}]}`))}
	assert.Empty(t, findingsOf(t, "missing-discriminator", contacts, options), "a part that is told by its one name")
	assert.Len(t, findingsOf(t, "missing-discriminator", contacts, jsonlint.Options{Strict: true}), 1)
}

func TestMissingDiscriminatorFix(t *testing.T) {
	t.Parallel()
	found := findingsOf(t, "missing-discriminator", database{"items": concat(
		times(1000, 12, `{"id":"%[1]d","name":"n%[1]d","pages":%[1]d}`),
		times(2000, 20, `{"id":"%[1]d","bookId":"1001","content":"c%[1]d","stars":4}`))}, jsonlint.Options{})
	require.Len(t, found, 1)
	require.Len(t, found[0].Fixes, 1)
	fix := found[0].Fixes[0]
	assert.JSONEq(t, `{"id":"2000","bookId":"1001","content":"c2000","stars":4}`, string(fix.Before))
	require.Len(t, fix.After, 2)
	assert.Equal(t, `{"id":"2000","type":"book-id","bookId":"1001","content":"c2000","stars":4}`, string(fix.After[0].Document))
	assert.Equal(t, `{"id":"1000","type":"book","name":"n1000","pages":1000}`, string(fix.After[1].Document), "references call it book")
	for _, a := range fix.After {
		var object map[string]any
		require.NoError(t, json.Unmarshal(a.Document, &object))
		assert.NotEmpty(t, object["type"])
	}
}
