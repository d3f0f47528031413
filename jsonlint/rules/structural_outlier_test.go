package rules_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint"
)

func TestStructuralOutlier(t *testing.T) {
	t.Parallel()
	items := times(1, 150, `{"id":"%[1]d","item":"i","size":{"h":1,"w":2,"l":3},"modified":1,"qty":%[1]d}`)
	few := times(1, 25, `{"id":"%[1]d","item":"i","unit":"C","qty":%[1]d}`)
	runShapeCases(t, "structural-outlier", []shapeCase{
		{"all alike", database{"a": items}, nil, ""},
		{"lacks two fields", database{"a": concat(items, []string{`{"id":"x","item":"i","size":{"h":1,"w":2},"qty":1}`})}, []string{"info a.jsonl:151 "}, "lacks modified and size.l"},
		{"null is there", database{"a": concat(items, []string{`{"id":"x","item":"i","size":{"h":1,"w":2,"l":null},"modified":null,"qty":1}`})}, nil, ""},
		{"an optional part", database{"a": concat(items, times(900, 2, `{"id":"x%[1]d","item":"i","size":{"h":1,"w":2},"qty":1}`))}, nil, ""},
		{"a fifth", database{"a": concat(items, times(900, 30, `{"id":"x%[1]d","item":"i","size":{"h":1,"w":2},"qty":1}`))}, nil, ""},
		{"housekeeping", database{"a": concat(times(1, 150, `{"id":"%[1]d","item":"i","__v":0,"_rev":"1","qty":2}`), []string{`{"id":"x","item":"i","qty":2}`})}, nil, ""},
		{"foreign", database{"a": concat(items, []string{`{"error":"timeout","stack":"…","code":7}`})}, []string{"warning a.jsonl:151 "}, "resembles none of the other 150"},
		{"nulls", database{"a": concat(times(1, 150, `{"species":"s","island":"i%[1]d","len":1,"depth":2,"flip":3,"mass":4,"sex":"f"}`),
			[]string{`{"species":"s","island":"i","len":null,"depth":null,"flip":null,"mass":null,"sex":null}`})}, nil, ""},
		{"the only one of its type", database{"a": concat(times(1, 25, `{"code":"c%[1]d","type_code":"event","title":"t","cost":%[1]d,"artist":"x"}`),
			[]string{`{"code":"x","type_code":"identity","title":"t","artist":"y","deck":45}`})}, nil, ""},
		{"few documents", database{"a": concat(few, []string{`{"id":"x","item":"i","qty":1,"scale":"K"}`})}, []string{"info a.jsonl:26 "}, "lacks unit, which the others of 26 have, and alone has scale"},
		{"few documents, one deviation", database{"a": concat(few, []string{`{"id":"x","item":"i","qty":1}`})}, nil, ""},
		{"a misspelt name", database{"a": concat(times(1, 150, `{"id":"%[1]d","item":"i","modified":1,"qty":2}`), []string{`{"id":"x","item":"i","modifed":1,"qty":2}`})}, nil, ""},
		{"a kind of its own", database{"a": concat(times(1, 150, `{"id":"%[1]d","type":"x","item":"i","modified":1,"qty":2}`), times(200, 2, `{"id":"%[1]d","type":"y","host":"i","port":1,"up":true}`))}, nil, ""},
	})
	found := findingsOf(t, "structural-outlier", database{"a": concat(items, []string{`{"id":"x","item":"i","size":{"h":1,"w":2,"l":3},"qty":1}`})}, jsonlint.Options{Strict: true})
	require.Len(t, found, 1, "with --strict one missing field is enough")
	assert.Equal(t, "structural-outlier:a:x", found[0].Fingerprint)
}
