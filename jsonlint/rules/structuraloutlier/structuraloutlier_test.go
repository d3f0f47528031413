package structuraloutlier_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

// graph has a document with a list of elements of three types, and one more.
func graph(more string) ruletest.Database {
	var parts []string
	for i := range 18 {
		parts = append(parts, fmt.Sprintf(`{"type":"%s","key":"k%d","creation":"c","size":%d}`, []string{"file", "link", "tool"}[i%3], i, i))
	}
	return ruletest.Database{"a": {`{"id":"g","context":"x","graph":[` + strings.Join(parts, ",") + "," + more + `]}`}}
}

func TestStructuralOutlier(t *testing.T) {
	t.Parallel()
	items := ruletest.Times(1, 150, `{"id":"%[1]d","item":"i","size":{"h":1,"w":2,"l":3},"modified":1,"qty":%[1]d}`)
	acts := ruletest.Concat(ruletest.Times(1, 120, `{"id":"%[1]d","action":"pay","card":"c","bank":"b","amount":%[1]d}`), ruletest.Times(200, 80, `{"id":"%[1]d","action":"send","to":"t","parcel":"p","weight":%[1]d}`))
	few := ruletest.Times(1, 25, `{"id":"%[1]d","item":"i","unit":"C","qty":%[1]d}`)
	ruletest.Run(t, "structural-outlier", []ruletest.ShapeCase{
		{Name: "all alike", DB: ruletest.Database{"a": items}},
		{Name: "lacks two fields", DB: ruletest.Database{"a": ruletest.Concat(items, []string{`{"id":"x","item":"i","size":{"h":1,"w":2},"qty":1}`})}, Want: []string{"info a.jsonl:151 "}, Says: "lacks modified and size.l"},
		{Name: "its author left something out", DB: ruletest.Database{"a": ruletest.Concat(items, []string{`{"id":"x","item":"i","size":{"h":1,"w":2},"qty":1, ...}`})}},
		{Name: "null is there", DB: ruletest.Database{"a": ruletest.Concat(items, []string{`{"id":"x","item":"i","size":{"h":1,"w":2,"l":null},"modified":null,"qty":1}`})}},
		{Name: "an empty object is there", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 300, `{"id":"%[1]d","address":{"street":"s","number":%[1]d,"city":"c","zip":"z","state":"t","country":"u"},"qty":1}`), []string{`{"id":"x","address":{},"qty":1}`})}},
		{Name: "an optional part", DB: ruletest.Database{"a": ruletest.Concat(items, ruletest.Times(900, 2, `{"id":"x%[1]d","item":"i","size":{"h":1,"w":2},"qty":1}`))}},
		{Name: "two that lack most", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Times(1, 400, `{"id":"%[1]d","item":"i","unit":"u","modified":1,"qty":%[1]d,"by":"b","of":"o","size":1,"tone":2,"weight":3,"place":"p","shelf":4}`),
			[]string{`{"id":"x","item":"i","unit":"u","modified":1,"qty":1,"by":"b"}`, `{"id":"y","item":"j","unit":"u","modified":1,"qty":1,"by":"b"}`})},
			Want: []string{"info a.jsonl:401 "}, Says: "2 documents lack of, size, tone, weight and place, which the others of 402 have"},
		{Name: "two that lack most, and different fields", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Times(1, 400, `{"id":"%[1]d","item":"i","unit":"u","modified":1,"qty":%[1]d,"by":"b","of":"o","size":1,"tone":2,"weight":3,"place":"p","shelf":4}`),
			[]string{`{"id":"x","item":"i","unit":"u","modified":1,"qty":1,"by":"b"}`, `{"id":"y","unit":"u","modified":1,"qty":1,"by":"b"}`})},
			Want: []string{"info a.jsonl:401 "}, Says: "a document lacks of, size, tone, weight and place, which the others of 402 have; 1 more document like it"},
		{Name: "a fifth", DB: ruletest.Database{"a": ruletest.Concat(items, ruletest.Times(900, 30, `{"id":"x%[1]d","item":"i","size":{"h":1,"w":2},"qty":1}`))}},
		{Name: "housekeeping", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 150, `{"id":"%[1]d","item":"i","__v":0,"_rev":"1","qty":2}`), []string{`{"id":"x","item":"i","qty":2}`})}},
		{Name: "never changed", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 25, `{"id":"%[1]d","item":"i","updatedBy":"u","qty":%[1]d}`), []string{`{"id":"x","item":"i","qty":1}`})}},
		{Name: "foreign", DB: ruletest.Database{"a": ruletest.Concat(items, []string{`{"error":"timeout","stack":"…","code":7}`})}, Want: []string{"warning a.jsonl:151 "}, Says: "resembles none of the other 150"},
		{Name: "foreign among kinds", DB: ruletest.Database{"a": ruletest.Concat(acts, []string{`{"error":"timeout","stack":"…","code":7}`})}, Want: []string{"warning a.jsonl:201 "}, Says: "resembles none of the other 200"},
		{Name: "another act", DB: ruletest.Database{"a": ruletest.Concat(acts, []string{`{"action":"stop","reason":"r","code":7}`})}},
		{Name: "nulls", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 150, `{"species":"s","island":"i%[1]d","len":1,"depth":2,"flip":3,"mass":4,"sex":"f"}`),
			[]string{`{"species":"s","island":"i","len":null,"depth":null,"flip":null,"mass":null,"sex":null}`})}},
		{Name: "the only one of its type", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 25, `{"code":"c%[1]d","type_code":"event","title":"t","cost":%[1]d,"artist":"x"}`),
			[]string{`{"code":"x","type_code":"identity","title":"t","artist":"y","deck":45}`})}},
		{Name: "an element that is the only one of its type", DB: graph(`{"type":"made","madeBy":"x","made":"2026"}`)},
		{Name: "an element of a type that others have", DB: graph(`{"type":"file","madeBy":"x","made":"2026"}`), Want: []string{"info a.jsonl:1 "}, Says: "an element of graph lacks"},
		{Name: "few documents", DB: ruletest.Database{"a": ruletest.Concat(few, []string{`{"id":"x","item":"i","qty":1,"scale":"K"}`})}, Want: []string{"info a.jsonl:26 "}, Says: `a document lacks unit, which the others of 26 have, and it alone has scale`},
		{Name: "few documents, one deviation", DB: ruletest.Database{"a": ruletest.Concat(few, []string{`{"id":"x","item":"i"}`})}, Want: []string{"info a.jsonl:26 "}, Says: "lacks unit and qty"},
		{Name: "few documents, one field", DB: ruletest.Database{"a": ruletest.Concat(few, []string{`{"id":"x","item":"i","qty":1}`})}},
		{Name: "nothing but a state, beside a document with all but the state", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Times(1, 25, `{"id":"%[1]d","state":"open","item":"i%[1]d","unit":"C","qty":%[1]d,"by":"u%[1]d","at":%[1]d}`),
			[]string{`{"id":"x","item":"i","unit":"C","qty":1,"by":"u","at":9}`, `{"id":"y","state":"open"}`})},
			Want: []string{"info a.jsonl:27 "}, Says: "lacks item, unit, qty, by and at"},
		{Name: "nothing but a state, where most is in a part", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Times(1, 25, `{"id":"%[1]d","state":"open","item":"i%[1]d","qty":%[1]d,"size":{"h":1,"w":2,"l":%[1]d,"of":"C","by":"u","at":%[1]d}}`),
			[]string{`{"id":"x","item":"i","qty":1,"size":{"h":1,"w":2,"l":3,"of":"C","by":"u","at":9}}`, `{"id":"y","state":"open"}`})},
			Want: []string{"info a.jsonl:27 "}, Says: "lacks item, qty and size"},
		{Name: "several that lack a part", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Times(1, 25, `{"id":"%[1]d","state":"open","item":"i%[1]d","unit":"C","qty":%[1]d,"by":"u%[1]d","at":%[1]d}`),
			[]string{`{"id":"x","item":"i","unit":"C","qty":1,"by":"u"}`, `{"id":"y","state":"open","item":"i","at":3}`})}},
		{Name: "the first document, from before the field was added", DB: ruletest.Database{"a": ruletest.Concat([]string{`{"id":"x","item":"i","qty":1}`}, few)}},
		{Name: "an element in the first document", DB: ruletest.Database{"a": ruletest.Concat([]string{`{"id":"x","lines":[{"sku":"a","by":"u","n":1},{"sku":"b"}]}`}, ruletest.Times(1, 29, `{"id":"%[1]d","lines":[{"sku":"a","by":"u%[1]d","n":1},{"sku":"b","by":"v%[1]d","n":2}]}`))},
			Want: []string{"info a.jsonl:1 "}, Says: "an element of lines lacks lines[].by and lines[].n, which the others of 60 have"},
		{Name: "elements of several lists", DB: ruletest.Database{"a": {`{"arm":[` + strings.Join(ruletest.Times(1, 20, `{"cid":%[1]d,"name":"n%[1]d","sname":"s%[1]d"}`), ",") + `,{"cid":21,"name":"x"}],"leg":[` +
			strings.Join(ruletest.Times(1, 20, `{"cid":%[1]d,"name":"n%[1]d","sname":"s%[1]d"}`), ",") + `,{"cid":21,"name":"x"}]}`}}},
		{Name: "an element, and a part of it", DB: ruletest.Database{"a": ruletest.Concat(
			[]string{`{"id":"x","lines":[{"sku":"a","by":{"id":"u","name":"n"},"n":1},{"sku":"b","by":{"id":"u"}}]}`}, ruletest.Times(1, 29, `{"id":"%[1]d","lines":[{"sku":"a","by":{"id":"u%[1]d","name":"n%[1]d"},"n":1},{"sku":"b","by":{"id":"v%[1]d","name":"m%[1]d"},"n":2}]}`))},
			Want: []string{"info a.jsonl:1 "}, Says: "an element of lines lacks lines[].n and lines[].by.name, which the others of 60 have"},
		{Name: "a handful, one of another making", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 6, `{"id":"%[1]d","room":"r","userId":"u","price":%[1]d,"paid":true}`), []string{`{"id":"x","nameRoom":"n","desc":"d","priceRoom":1,"paid":true}`})}},
		{Name: "optional in a similar collection", DB: ruletest.Database{"a": ruletest.Concat(few, []string{`{"id":"x","item":"i","qty":1}`}), "b": ruletest.Concat(few, ruletest.Times(100, 15, `{"id":"%[1]d","item":"i","qty":%[1]d}`))}},
		{Name: "few documents with optional fields", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 12, `{"id":"%[1]d","item":"i","unit":"C","qty":%[1]d,"note":"n"}`), ruletest.Times(20, 13, `{"id":"%[1]d","item":"i","unit":"C","qty":%[1]d,"colour":"red","size":3}`),
			[]string{`{"id":"x","item":"i","qty":1,"colour":"blue","size":4}`})}},
		{Name: "one element", DB: ruletest.Database{"a": ruletest.Times(1, 30, `{"id":"%[1]d","lines":[{"sku":"a","by":"u%[1]d","n":1},{"sku":"b","by":"v%[1]d","n":2}]}`), "b": ruletest.Concat(
			ruletest.Times(1, 29, `{"id":"%[1]d","lines":[{"sku":"a","by":"u%[1]d","n":1},{"sku":"b","by":"v%[1]d","n":2}]}`), []string{`{"id":"x","lines":[{"sku":"a","by":"u","n":1},{"sku":"b"}]}`})},
			Want: []string{"info b.jsonl:30 "}, Says: "lacks lines[].by and lines[].n"},
		{Name: "a reference alone", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 29, `{"id":"%[1]d","lines":[{"userId":"u%[1]d","text":"t%[1]d","image":"i%[1]d","n":1}]}`), []string{`{"id":"x","lines":[{"text":"t","image":"i","n":1}]}`})}},
		{Name: "a reference and more", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 29, `{"id":"%[1]d","lines":[{"userId":"u%[1]d","text":"t%[1]d","image":"i%[1]d","n":1}]}`), []string{`{"id":"x","lines":[{"text":"t","n":1}]}`})},
			Want: []string{"info a.jsonl:30 "}, Says: "lacks lines[].userId and lines[].image"},
		{Name: "a misspelt name", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 150, `{"id":"%[1]d","item":"i","modified":1,"qty":2}`), []string{`{"id":"x","item":"i","modifed":1,"qty":2}`})}},
		{Name: "a kind of its own", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 150, `{"id":"%[1]d","type":"x","item":"i","modified":1,"qty":2}`), ruletest.Times(200, 2, `{"id":"%[1]d","type":"y","host":"i","port":1,"up":true}`))}},
	})
	found := ruletest.FindingsOf(t, "structural-outlier", ruletest.Database{"a": ruletest.Concat(items, []string{`{"id":"x","item":"i","size":{"h":1,"w":2,"l":3},"qty":1}`})}, jsonlint.Options{Strict: true})
	require.Len(t, found, 1, "with --strict one missing field is enough")
	assert.Equal(t, "structural-outlier:a:x", found[0].Fingerprint)
}
