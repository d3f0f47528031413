package rules_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
)

func TestMixedTypes(t *testing.T) {
	t.Parallel()
	runShapeCases(t, "mixed-types", []shapeCase{
		{"a number among texts", database{"a": concat(times(1, 5, `{"id":"%[1]d","name":"n%[1]d"}`), []string{`{"id":"9","name":88}`})}, []string{"warning a.jsonl:6 name"}, `here 88, elsewhere "n1"`},
		{"one or several", database{"a": {`{"id":"1","type":"phone"}`, `{"id":"2","type":["a","b"]}`, `{"id":"3","type":"c"}`}}, []string{"warning a.jsonl:2 type"}, "2 strings and 1 array"},
		{"null and anything", database{"a": {`{"id":"1","x":null}`, `{"id":"2","x":{"y":1}}`}}, nil, ""},
		{"int and float", database{"a": {`{"id":"1","x":1}`, `{"id":"2","x":1.5}`, `{"id":"3","x":{"$numberInt":"1"}}`}}, nil, ""},
		{"digits in texts", database{"a": {`{"id":"1","zip":"01234"}`, `{"id":"2","zip":"1234"}`}}, nil, ""},
		{"placeholders", database{"a": concat(times(1, 5, `{"id":"%[1]d","depth":%[1]d}`), times(7, 9, `{"id":"%[1]d","depth":""}`))}, []string{"info a.jsonl:1 depth"}, "placeholders"},
		{"a word for a limit", database{"a": concat(times(1, 5, `{"id":"%[1]d","n":%[1]d}`), times(7, 2, `{"id":"%[1]d","n":"unlimited"}`))}, []string{"info a.jsonl:6 n"}, `the texts are "unlimited"`},
		{"a discriminator beside it", database{"a": concat(
			times(1, 20, `{"id":"%[1]d","shape":{"kind":"one","at":[1,2]}}`), times(30, 20, `{"id":"%[1]d","shape":{"kind":"many","at":"x"}}`))}, nil, ""},
		{"a discriminator above it", database{"a": concat(
			times(1, 20, `{"id":"%[1]d","kind":"one","items":[{"at":1}]}`), times(30, 20, `{"id":"%[1]d","kind":"many","items":[{"at":"x"}]}`))}, nil, ""},
		{"geometries", database{"a": {
			`{"id":"1","geometry":{"type":"Polygon","coordinates":[[[1,2],[3,4],[1,2]]]}}`, `{"id":"2","geometry":{"type":"MultiPolygon","coordinates":[[[[1,2],[3,4],[1,2]]]]}}`,
		}}, nil, ""},
		{"key-value pairs", database{"a": times(1, 5, `{"id":"%[1]d","specs":[{"name":"size","value":3},{"name":"colour","value":"red"}]}`)}, nil, ""},
		{"free-form parts", database{"a": concat(times(1, 15, `{"id":"%[1]d","metadata":{"k%[1]d":1,"m%[1]d":2}}`), times(20, 15, `{"id":"%[1]d","metadata":{"k%[1]d":"x","n%[1]d":2}}`))}, nil, ""},
		{"ids have a rule of their own", database{"a": {`{"id":1,"x":1}`, `{"id":"2","x":1}`}}, nil, ""},
		{"dates have a rule of their own", database{"a": {`{"id":"1","at":"2026-01-01T00:00:00Z"}`, `{"id":"2","at":{"$date":"2026-01-01T00:00:00Z"}}`}}, nil, ""},
		{"anything", database{"a": {`{"id":"1","data":{"x":1}}`, `{"id":"2","data":[1]}`, `{"id":"3","data":"x"}`, `{"id":"4","data":1}`, `{"id":"5","data":{"x":"y"}}`}}, nil, ""},
		{"tuples", database{"a": times(1, 30, `{"id":"%[1]d","pair":["x%[1]d",%[1]d]}`)}, []string{"info a.jsonl:1 pair[]"}, ""},
		{"one cause at two paths", database{"a": concat(times(1, 5, `{"id":"%[1]d","a":{"size":"n%[1]d"},"b":{"size":"x"}}`), []string{`{"id":"9","a":{"size":88},"b":{"size":7}}`})}, []string{"warning a.jsonl:6 a.size"}, "and so 1 more path"},
	})
}

func TestMixedTypesFix(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, before, after string
		documents           []string
	}{
		{"text", `{"id":"9","name":88}`, `{"id":"9","name":"88"}`, concat(times(1, 5, `{"id":"%[1]d","name":"n%[1]d"}`), []string{`{"id":"9","name":88}`})},
		{"number", `{"id":"9","n":"8.5"}`, `{"id":"9","n":8.5}`, concat(times(1, 5, `{"id":"%[1]d","n":%[1]d}`), []string{`{"id":"9","n":"8.5"}`})},
		{"list", `{"id":"9","tag":"x"}`, `{"id":"9","tag":["x"]}`, concat(times(1, 5, `{"id":"%[1]d","tag":["a"]}`), []string{`{"id":"9","tag":"x"}`})},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			found := findingsOf(t, "mixed-types", database{"a": test.documents}, jsonlint.Options{})
			require.Len(t, found, 1)
			require.Len(t, found[0].Fixes, 1)
			fix := found[0].Fixes[0]
			assert.Equal(t, finding.Unsafe, fix.Safety)
			assert.Equal(t, test.before, string(fix.Before))
			require.Len(t, fix.After, 1)
			assert.Equal(t, test.after, string(fix.After[0].Document))
		})
	}
	leading := findingsOf(t, "mixed-types", database{"a": concat(times(1, 5, `{"id":"%[1]d","n":%[1]d}`), []string{`{"id":"9","n":"007"}`, `{"id":"10","n":"0x1"}`, `{"id":"11","n":"1e3"}`, `{"id":"12","n":"a"}`})}, jsonlint.Options{})
	require.Len(t, leading, 1)
	assert.Empty(t, leading[0].Fixes, "none of the texts is a number without loss")
}
