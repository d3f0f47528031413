package mixedidtype_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

func TestMixedIDType(t *testing.T) {
	t.Parallel()
	ruletest.Expect(t, "mixed-id-type", []ruletest.Expectation{
		{Name: "numbers and ObjectIds", Documents: append(ruletest.Numbered(5, `{"_id":%d,"n":1}`), `{"_id":{"$oid":"5f1d7a3e9b1c4a0012ab34c1"},"n":1}`),
			Want: []string{"error _id 6:8"}, Message: `items._id has more than one type: number in 5 documents, objectId in 1 document; here it is ObjectId("5f1d7a3e9b1c4a0012ab34c1"), elsewhere 1`},
		{Name: "numbers and strings", Documents: []string{`{"id":"1","n":1}`, `{"id":2,"n":1}`, `{"id":"3","n":1}`}, Want: []string{"error id 2:7"}},
		{Name: "as many of each", Documents: []string{`{"id":"a","n":1}`, `{"id":2,"n":1}`}, Want: []string{"error id 2:7"}},
		{Name: "whole and decimal numbers", Documents: []string{`{"id":1,"n":1}`, `{"id":2.5,"n":1}`, `{"id":{"$numberLong":"3"},"n":1}`}},
		{Name: "null is absence", Documents: []string{`{"id":"a","n":1}`, `{"id":null,"n":1}`}},
		{Name: "each kind its own", Documents: append(ruletest.Numbered(6, `{"id":%d,"type":"post","title":"T","body":"B","tags":[]}`),
			ruletest.Numbered(6, `{"id":"u%d","type":"user","name":"N","email":"e","phone":"p"}`)...), Want: []string{"warning id 7:7"}},
		{Name: "what repeats and is not the database's id", Documents: append(append(ruletest.Numbered(9, `{"model":"shop.product","pk":%d,"fields":{"n":1}}`),
			ruletest.Numbered(9, `{"model":"shop.customer","pk":%d,"fields":{"n":1}}`)...), `{"model":"shop.session","pk":"a7","fields":{"n":1}}`)},
		{Name: "an id named after the documents", Documents: append(ruletest.Numbered(5, `{"item_id":%d,"n":1}`), `{"item_id":"ITEM-6","n":1}`), Want: []string{"error item_id 6:12"}},
		{Name: "one type", Documents: ruletest.Numbered(5, `{"id":"%d","n":1}`)},
	})
}

// TestMixedIDTypeFix checks that the odd ones are rewritten if they can be,
// else the others.
func TestMixedIDTypeFix(t *testing.T) {
	t.Parallel()
	found := ruletest.FindingsOf(t, "mixed-id-type", ruletest.Database{"items": {`{"id":"1","n":1}`, `{"id":2,"n":1}`, `{"id":"3","n":1}`}}, jsonlint.Options{})
	assert.JSONEq(t, `{"id":"2","n":1}`, string(found[0].Fixes[0].After[0].Document))
	// The type of most stays, whatever the others can be written as.
	found = ruletest.FindingsOf(t, "mixed-id-type", ruletest.Database{"items": {`{"id":1,"n":1}`, `{"id":2,"n":1}`, `{"id":"x","n":1}`}}, jsonlint.Options{})
	assert.Contains(t, found[0].Advice, `Give the documents whose id is not of type number, like most, a new id of that type, and rewrite the references to them in the same step: a range or a page that starts at an id of one type leaves out the others, and a look-up with the wrong type finds nothing.`)
	assert.Empty(t, found[0].Fixes)
	found = ruletest.FindingsOf(t, "mixed-id-type", ruletest.Database{"orders": {
		`{"_id":{"$oid":"5f1d7a3e9b1c4a0012ab34c1"},"n":1}`, `{"_id":{"$oid":"5f1d7a3e9b1c4a0012ab34c2"},"n":1}`, `{"_id":"5f1d7a3e9b1c4a0012ab34c3","n":1}`,
	}}, jsonlint.Options{})
	assert.Contains(t, found[0].Advice, `Rewrite the ids that are not of type objectId, and the references to them: a range or a page that starts at an id of one type leaves out the others, and a look-up with the wrong type finds nothing.`)
	assert.JSONEq(t, `{"_id":{"$oid":"5f1d7a3e9b1c4a0012ab34c3"},"n":1}`, string(found[0].Fixes[0].After[0].Document))
	found = ruletest.FindingsOf(t, "mixed-id-type", ruletest.Database{"items": {`{"id":1,"n":1}`, `{"id":"x","n":1}`}}, jsonlint.Options{})
	assert.JSONEq(t, `{"id":"1","n":1}`, string(found[0].Fixes[0].After[0].Document))
	// mixed-types leaves the field to this rule.
	assert.Empty(t, ruletest.FindingsOf(t, "mixed-types", ruletest.Database{"items": {`{"id":1,"n":1}`, `{"id":2,"n":1}`, `{"id":"x","n":1}`}}, jsonlint.Options{}))
}
