package missingdiscriminator_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

// backedUp are users that are in the sample twice.
var backedUp = []string{`{"id":"afs423","age":1}`, `{"id":"ftr356","age":1}`, `{"id":"oyg532","age":1}`}

func TestMissingDiscriminator(t *testing.T) {
	t.Parallel()
	books := func(extra string) []string {
		return ruletest.Times(1000, 12, `{"id":"%[1]d","name":"n%[1]d","pages":%[1]d,"publisher":"p"`+extra+`}`)
	}
	reviews := func(extra string) []string {
		return ruletest.Times(2000, 20, `{"id":"%[1]d","bookId":"1001","content":"c%[1]d","stars":4`+extra+`}`)
	}
	ruletest.Run(t, "missing-discriminator", []ruletest.ShapeCase{
		{Name: "two kinds", DB: ruletest.Database{"items": ruletest.Concat(books(""), reviews(""))}, Want: []string{"warning items.jsonl:13 "}, Says: "20 with bookId, content, stars; 12 with name, pages, publisher"},
		{Name: "two kinds of what has a key of its own", DB: ruletest.Database{"items": ruletest.Concat(books(`,"itemId":"i%[1]d"`), reviews(`,"itemId":"i%[1]d"`))}},
		{Name: "two kinds with a key that not all have", DB: ruletest.Database{"items": ruletest.Concat(books(`,"itemId":"i%[1]d"`), reviews(""))}, Want: []string{"warning items.jsonl:13 "}},
		{Name: "two kinds that repeat what is named after the collection", DB: ruletest.Database{"items": ruletest.Concat(books(`,"itemId":"i"`), reviews(`,"itemId":"i"`))}, Want: []string{"warning items.jsonl:13 "}},
		{Name: "one kind", DB: ruletest.Database{"items": books("")}},
		{Name: "names that are data", DB: ruletest.Database{"items": ruletest.Concat(ruletest.Times(1, 20, `{"id":"%[1]d","-1":{"text":"t"},"-3":{"text":"u"},"-5":{"text":"v"}}`),
			ruletest.Times(30, 12, `{"id":"%[1]d","-LlCPhkzc8jK7EsOo8I7":{"text":"t"},"-LlG9hoU59R5WMutl2m_":{"text":"u"}}`))}},
		{Name: "type", DB: ruletest.Database{"items": ruletest.Concat(books(`,"type":"book"`), reviews(`,"type":"review"`))}},
		{Name: "another name", DB: ruletest.Database{"items": ruletest.Concat(books(`,"is":"book"`), reviews(`,"is":"review"`))}},
		{Name: "one level down", DB: ruletest.Database{"items": ruletest.Concat(books(`,"meta":{"is":"book"}`), reviews(`,"meta":{"is":"review"}`))}},
		{Name: "three levels down", DB: ruletest.Database{"items": ruletest.Concat(books(`,"a":{"b":{"c":"book"}}`), reviews(`,"a":{"b":{"c":"review"}}`))}},
		{Name: "in a list", DB: ruletest.Database{"items": ruletest.Concat(books(`,"types":["book"]`), reviews(`,"types":["review"]`))}},
		{Name: "a list of types in some", DB: ruletest.Database{"items": ruletest.Concat(books(`,"type":"book"`), books(`,"type":["book","comic"]`), reviews(`,"type":"review"`))}},
		{Name: "a type that says something else", DB: ruletest.Database{"items": ruletest.Concat(books(`,"type":"x"`), books(`,"type":"y"`), reviews(`,"type":"x"`), reviews(`,"type":"y"`))}, Want: []string{"warning items.jsonl:25 "}},
		{Name: "type missing in one", DB: ruletest.Database{"items": ruletest.Concat(books(`,"type":"book"`), reviews(`,"type":"review"`), ruletest.Times(3000, 1, `{"id":"%[1]d","bookId":"1","content":"c","stars":1}`))}, Want: []string{"warning items.jsonl:33 type"}, Says: "type is missing in 1 of 33 documents"},
		{Name: "type missing in a quarter", DB: ruletest.Database{"items": ruletest.Concat(books(`,"type":"book"`), reviews(`,"type":"review"`), reviews("")[:10])}, Want: []string{"warning items.jsonl:33 type"}, Says: "type is missing in 10 of 42 documents"},
		{Name: "a key for each kind", DB: ruletest.Database{"items": ruletest.Concat(
			ruletest.Times(1, 20, `{"id":"%[1]d","card":{"last4":"1","brand":"v"}}`), ruletest.Times(100, 20, `{"id":"%[1]d","bank":{"iban":"1","bic":"v"}}`))}},
		{Name: "a flag", DB: ruletest.Database{"items": ruletest.Concat(
			ruletest.Times(1, 20, `{"id":"%[1]d","title":"t","speaker":"s","level":"l"}`), ruletest.Times(100, 6, `{"id":"%[1]d","title":"t","break":true}`))}},
		{Name: "a flag of some", DB: ruletest.Database{"items": ruletest.Concat(
			ruletest.Times(1, 20, `{"id":"%[1]d","title":"t","speaker":"s","level":"l"}`), ruletest.Times(100, 4, `{"id":"%[1]d","title":"t","break":true}`),
			ruletest.Times(200, 2, `{"id":"%[1]d","title":"t","break":false}`))}, Want: []string{"warning items.jsonl:21 "}},
		{Name: "a flag and more", DB: ruletest.Database{"items": ruletest.Concat(
			ruletest.Times(1, 20, `{"id":"%[1]d","title":"t","speaker":"s","level":"l"}`), ruletest.Times(100, 6, `{"id":"%[1]d","title":"t","break":true,"room":"r"}`))}, Want: []string{"warning items.jsonl:21 "}},
		{Name: "optional fields", DB: ruletest.Database{"items": ruletest.Concat(
			ruletest.Times(1, 20, `{"id":"%[1]d","name":"n","a":1,"b":1}`), ruletest.Times(100, 20, `{"id":"%[1]d","name":"n","c":1,"d":1}`), ruletest.Times(200, 20, `{"id":"%[1]d","name":"n","a":1,"c":1}`))}},
		{Name: "half filled in", DB: ruletest.Database{"items": ruletest.Concat(ruletest.Times(1, 20, `{"id":"%[1]d","name":"n","a":1,"b":1,"c":1,"d":1}`), ruletest.Times(100, 20, `{"id":"%[1]d","name":"n"}`))}},
		{Name: "typed ids", DB: ruletest.Database{"items": ruletest.Concat(
			ruletest.Times(1, 20, `{"id":"book#%[1]d","name":"n","pages":2}`), ruletest.Times(1, 20, `{"id":"review#%[1]d","content":"n","stars":2}`))}, Want: []string{"info items.jsonl:21 "}},
		{Name: "few outliers", DB: ruletest.Database{"items": ruletest.Concat(
			ruletest.Times(1, 200, `{"id":"%[1]d","name":"n","pages":2,"lang":"en"}`), ruletest.Times(900, 3, `{"id":"%[1]d","content":"n","stars":2,"x":1}`))}},
		{Name: "a handful", DB: ruletest.Database{"items": {
			`{"id":"1000","name":"B","bookId":"1000"}`, `{"id":"1001","content":"good","bookId":"1000"}`, `{"id":"1002","content":"bad","bookId":"1000"}`,
		}}, Want: []string{"warning items.jsonl:2 "}},
		{Name: "one unlike the others", DB: ruletest.Database{"items": append(books("")[:8], reviews("")[0])}},
		{Name: "a handful with type", DB: ruletest.Database{"items": {
			`{"id":"1000","type":"book","name":"B","bookId":"1000"}`, `{"id":"1001","type":"review","content":"good","bookId":"1000"}`, `{"id":"1002","type":"review","content":"bad","bookId":"1000"}`,
		}}},
		{Name: "authors, books and what joins them", DB: ruletest.Database{"all": {
			`{"id":"a1","name":"T"}`, `{"id":"a2","name":"W"}`, `{"id":"b1","name":"X"}`, `{"id":"b2","name":"Y"}`, `{"id":"b3","name":"Z"}`,
			`{"authorId":"a1","bookId":"b1"}`, `{"authorId":"a2","bookId":"b1"}`, `{"authorId":"a1","bookId":"b2"}`, `{"authorId":"a1","bookId":"b3"}`,
		}}, Want: []string{"warning all.jsonl:6 "}},
		{Name: "unrelated files", DB: ruletest.Database{"config": {
			`{"name":"x","scripts":{}}`, `{"compilerOptions":{},"include":[]}`, `{"extends":"y","rules":{}}`, `{"semi":true}`,
		}}},
		{Name: "two id families", DB: ruletest.Database{"things": ruletest.Concat(ruletest.Times(1, 4, `{"id":"a%[1]d","name":"n%[1]d"}`), ruletest.Times(1, 5, `{"id":"b%[1]d","name":"m%[1]d"}`)),
			"links": ruletest.Times(1, 4, `{"id":"l%[1]d","authorId":"a%[1]d","bookId":"b%[1]d"}`)}, Want: []string{"info things.jsonl:5 "}, Says: `4 with "a"; 5 with "b"`},
		{Name: "codes of one kind", DB: ruletest.Database{"things": ruletest.Concat(ruletest.Times(1, 4, `{"id":"a%[1]d","name":"n%[1]d"}`), ruletest.Times(1, 5, `{"id":"b%[1]d","name":"m%[1]d"}`))}},
		{Name: "few of families that a field spells out", DB: ruletest.Database{"users": ruletest.Concat(ruletest.Times(1, 3, `{"id":"admin_00%[1]d","name":"n%[1]d","role":"admin"}`),
			ruletest.Times(1, 4, `{"id":"worker_00%[1]d","name":"m%[1]d","role":"worker"}`))}},
		{Name: "few of families that no field spells out", DB: ruletest.Database{"users": ruletest.Concat(ruletest.Times(1, 3, `{"id":"admin_00%[1]d","name":"n%[1]d","site":"east"}`),
			ruletest.Times(1, 4, `{"id":"worker_00%[1]d","name":"m%[1]d","site":"west"}`))}, Want: []string{"info users.jsonl:4 "}},
		{Name: "each id in a document and its backup", DB: ruletest.Database{"users": ruletest.Concat(backedUp, backedUp)}},
		{Name: "families with a field that tells them", DB: ruletest.Database{"things": ruletest.Concat(ruletest.Times(1, 4, `{"id":"user%[1]d","name":"n%[1]d","role":"u"}`), ruletest.Times(1, 5, `{"id":"shop%[1]d","name":"m%[1]d","role":"s"}`))}},
	})
}

func TestMissingDiscriminatorDatabases(t *testing.T) {
	t.Parallel()
	typed := ruletest.Database{"items": ruletest.Concat(
		ruletest.Times(1, 20, `{"id":"book#%[1]d","name":"n","pages":2}`), ruletest.Times(1, 20, `{"id":"review#%[1]d","content":"n","stars":2}`))}
	for _, db := range []string{"dynamodb", "couchbase"} {
		assert.Empty(t, ruletest.FindingsOf(t, "missing-discriminator", typed, jsonlint.Options{DB: db}), "the prefix of the key is the convention of %s", db)
	}
	table := ruletest.Database{"items": ruletest.Concat(
		ruletest.Times(1, 20, `{"PK":"USER#%[1]d","SK":"#META#%[1]d","name":"n","mail":"m"}`), ruletest.Times(1, 20, `{"PK":"GAME#%[1]d","SK":"#META#%[1]d","map":"n","start":2}`),
		ruletest.Times(1, 20, `{"PK":"GAME#%[1]d","SK":"USER#%[1]d","place":"gold","points":2}`))}
	assert.Empty(t, ruletest.FindingsOf(t, "missing-discriminator", table, jsonlint.Options{}), "the partition key and the sort key tell the kind")
	plain := ruletest.Database{"items": ruletest.Concat(
		ruletest.Times(1, 20, `{"id":"%[1]d","name":"n","pages":2}`), ruletest.Times(100, 20, `{"id":"%[1]d","content":"n","stars":2}`))}
	found := ruletest.FindingsOf(t, "missing-discriminator", plain, jsonlint.Options{DB: "firestore"})
	require.Len(t, found, 1)
	assert.Equal(t, "info", found[0].Severity.String())
}

func TestMissingDiscriminatorInArrays(t *testing.T) {
	t.Parallel()
	blocks := ruletest.Concat(
		ruletest.Times(1, 30, `{"id":"%[1]d","blocks":[{"text":"t","style":"h1"},{"url":"u","width":1,"height":2},{"text":"t%[1]d","style":"p"}]}`),
		ruletest.Times(50, 5, `{"id":"%[1]d","blocks":[{"url":"u","width":1,"height":2}]}`))
	options := jsonlint.Options{}
	found := ruletest.FindingsOf(t, "missing-discriminator", ruletest.Database{"pages": blocks}, options)
	require.Len(t, found, 1)
	assert.Equal(t, "blocks[]", found[0].Subject.Path)
	assert.Equal(t, "info", found[0].Severity.String())
	assert.Empty(t, ruletest.FindingsOf(t, "missing-discriminator", ruletest.Database{"pages": ruletest.Times(1, 30,
		`{"id":"%[1]d","blocks":[{"kind":"t","text":"t","style":"h1"},{"kind":"i","url":"u","width":1,"height":2}]}`)}, options), "kind tells them apart")
	assert.Empty(t, ruletest.FindingsOf(t, "missing-discriminator", ruletest.Database{"pages": ruletest.Times(1, 30,
		`{"id":"%[1]d","blocks":[{"text":"t","style":"h1","data":{"is":"t"}},{"url":"u","width":1,"data":{"is":"i"}}]}`)}, options), "a part of the element tells them apart")
	assert.Empty(t, ruletest.FindingsOf(t, "missing-discriminator", ruletest.Database{"pages": ruletest.Concat(
		ruletest.Times(1, 30, `{"id":"%[1]d","holds":"texts","blocks":[{"text":"t","style":"h1"},{"text":"u","style":"p"}]}`),
		ruletest.Times(50, 30, `{"id":"%[1]d","holds":"images","blocks":[{"url":"t","width":1},{"url":"u","width":2}]}`))}, options), "the document around tells them apart")
	assert.Empty(t, ruletest.FindingsOf(t, "missing-discriminator", ruletest.Database{"pages": ruletest.Concat(
		ruletest.Times(1, 30, `{"id":"%[1]d","blocks":[{"bodyText":"t","styleName":"h1"},{"bodytext":"u","stylename":"p"},{"bodyText":"t%[1]d","styleName":"h1"}]}`),
		ruletest.Times(50, 5, `{"id":"%[1]d","blocks":[{"bodytext":"u","stylename":"p"}]}`))}, options), "two spellings are one kind")
	contacts := ruletest.Database{"persons": ruletest.Concat(ruletest.Times(50, 3, `{"id":"%[1]d","contacts":[{"email":"t"}]}`), ruletest.Times(1, 30, `{"id":"%[1]d","contacts":[{"email":"t"},{"phone":"h1","extension":"p"}]}`))}
	assert.Empty(t, ruletest.FindingsOf(t, "missing-discriminator", contacts, options), "a part that is told by its one name")
	assert.Len(t, ruletest.FindingsOf(t, "missing-discriminator", contacts, jsonlint.Options{Strict: true}), 1)
}

func TestMissingDiscriminatorFix(t *testing.T) {
	t.Parallel()
	found := ruletest.FindingsOf(t, "missing-discriminator", ruletest.Database{"items": ruletest.Concat(
		ruletest.Times(1000, 12, `{"id":"%[1]d","name":"n%[1]d","pages":%[1]d}`),
		ruletest.Times(2000, 20, `{"id":"%[1]d","bookId":"1001","content":"c%[1]d","stars":4}`))}, jsonlint.Options{})
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
