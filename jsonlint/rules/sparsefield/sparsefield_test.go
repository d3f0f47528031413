package sparsefield_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

func TestSparseField(t *testing.T) {
	t.Parallel()
	users := ruletest.Times(1, 150, `{"id":"%[1]d","name":"n","mail":"a%[1]d"}`)
	ruletest.Run(t, "sparse-field", []ruletest.ShapeCase{
		{Name: "left over", DB: ruletest.Database{"a": ruletest.Concat(users, []string{`{"id":"x","name":"n","mail":"a","active":true}`})}, Want: []string{"info a.jsonl:151 active"}, Says: `a.active is present in only 1 of 151 documents`},
		{Name: "a field of several collections", DB: ruletest.Database{
			"a": ruletest.Concat(users, []string{`{"id":"x","name":"n","mail":"a","active":true}`}), "b": {`{"id":"x","name":"n","mail":"a","active":true}`},
			"c": {`{"id":"x","name":"n","mail":"a","active":true}`}}},
		{Name: "a field of two collections", DB: ruletest.Database{
			"a": ruletest.Concat(users, []string{`{"id":"x","name":"n","mail":"a","active":true}`}), "b": {`{"id":"x","name":"n","mail":"a","active":true}`},
			"c": {`{"id":"x","name":"n","mail":"a"}`}}, Want: []string{"info a.jsonl:151 active"}},
		{Name: "a field of unlike collections", DB: ruletest.Database{
			"a": ruletest.Concat(users, []string{`{"id":"x","name":"n","mail":"a","active":true}`}), "b": {`{"id":"x","street":"n","town":"a","floor":1,"active":true}`},
			"c": {`{"id":"x","size":1,"colour":"a","price":3,"active":true}`}}, Want: []string{"info a.jsonl:151 active"}},
		{Name: "many rare fields", DB: ruletest.Database{"a": ruletest.Concat(users, []string{`{"id":"x","name":"n","mail":"a","active":true}`, `{"id":"y","name":"n","mail":"a","fax":"1"}`})}},
		{Name: "an empty object", DB: ruletest.Database{"a": ruletest.Concat(users, []string{`{"id":"x","name":"n","mail":"a","preferences":{}}`})}, Want: []string{"info a.jsonl:151 preferences"}},
		{Name: "null in the others", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 150, `{"id":"%[1]d","name":"n","mail":"a%[1]d","dob":null}`), []string{`{"id":"x","name":"n","mail":"a","dob":"1990-01-01"}`})}},
		{Name: "only null", DB: ruletest.Database{"a": ruletest.Concat(users, []string{`{"id":"x","name":"n","mail":"a","active":null}`})}},
		{Name: "optional by nature", DB: ruletest.Database{"a": ruletest.Concat(users, []string{`{"id":"x","name":"n","mail":"a","deletedAt":"2026-01-01","parentId":"7"}`})}},
		{Name: "of what is in a state, by its name", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Times(1, 150, `{"id":"%[1]d","name":"n","status":"approved"}`), []string{`{"id":"x","name":"n","status":"rejected","rejectionReason":"late"}`})}},
		{Name: "an optional group", DB: ruletest.Database{"a": ruletest.Concat(users, []string{`{"id":"x","name":"n","mail":"a","lat":1,"lon":2}`})}},
		{Name: "several documents", DB: ruletest.Database{"a": ruletest.Concat(users, ruletest.Times(300, 12, `{"id":"%[1]d","name":"n","mail":"a","fax":"1"}`))}},
		{Name: "few documents", DB: ruletest.Database{"a": ruletest.Concat(users[:50], []string{`{"id":"x","name":"n","mail":"a","active":true}`})}},
		{Name: "kinds first", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Times(1, 300, `{"id":"%[1]d","type":"beer","abv":1,"style":"x"}`), ruletest.Times(500, 3, `{"id":"%[1]d","type":"brewery","city":"x","phone":"y"}`))}},
		{Name: "in place of others", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Times(1, 900, `{"id":"%[1]d","book":"b","type":"loan","from":1,"to":2,"returned":true}`), ruletest.Times(1, 3, `{"id":"r%[1]d","book":"b","type":"reservation","until":3}`))}},
		{Name: "in place of one other", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Times(1, 900, `{"id":"%[1]d","book":"b","type":"loan","from":1}`), ruletest.Times(1, 3, `{"id":"r%[1]d","book":"b","type":"reservation","until":3}`))}, Want: []string{"info a.jsonl:901 until"}},
		{Name: "a misspelt name", DB: ruletest.Database{"a": ruletest.Concat(users, []string{`{"id":"x","nmae":"n","mail":"a"}`})}}, // structural-outlier says it
		{Name: "a misspelt longer name", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 150, `{"id":"%[1]d","address":"n"}`), []string{`{"id":"x","adress":"n"}`})}},
	})
	assert.Len(t, ruletest.FindingsOf(t, "sparse-field", ruletest.Database{"a": ruletest.Concat(users, ruletest.Times(300, 12, `{"id":"%[1]d","name":"n","mail":"a","fax":"1"}`))}, jsonlint.Options{Strict: true}), 1)
}
