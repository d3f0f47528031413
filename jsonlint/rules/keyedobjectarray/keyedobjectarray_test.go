package keyedobjectarray_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

func TestKeyedObjectArray(t *testing.T) {
	t.Parallel()
	images := `{"id":"a%d","images":[{"thumbnail":"t.png"},{"profile":"p.png"}]}`
	ruletest.Expect(t, "keyed-object-array", []ruletest.Expectation{
		{Name: "images", Documents: ruletest.Numbered(2, images), Want: []string{"info images 1:12"}, Message: `"thumbnail", "profile" (4 elements in 2 arrays)`},
		{Name: "many documents", Documents: ruletest.Numbered(20, images), Want: []string{"info images 1:12"}},
		{Name: "too few", Documents: ruletest.Numbered(1, images)},
		{Name: "one name", Documents: ruletest.Numbered(5, `{"id":"a%d","images":[{"url":"t.png"},{"url":"p.png"}]}`)},
		{Name: "one of several names in each array", Documents: []string{`{"id":"a","bills":[{"number":"1"},{"number":"2"}]}`, `{"id":"b","bills":[{"mail":"m"}]}`, `{"id":"c","bills":[{"mail":"n"}]}`}},
		{Name: "two names in the only element", Documents: []string{`{"id":"a","bills":[{"number":"1"},{"number":"2"},{"number":"3"},{"number":"4"}]}`, `{"id":"b","bills":[{"mail":"m"}]}`, `{"id":"c","bills":[{"mail":"n","number":"5"}]}`, `{"id":"d","bills":[{"mail":"o"}]}`, `{"id":"e","bills":[{"mail":"p"}]}`, `{"id":"f","bills":[{"mail":"q"}]}`, `{"id":"g","bills":[{"mail":"r"}]}`}},
		{Name: "a name that all have", Documents: ruletest.Numbered(5, `{"id":"a%d","halls":[{"name":"n"},{"name":"m"},{"name":"o"},{"name":"p"},{"name":"q","picture":"r.png"}]}`)},
		{Name: "two members", Documents: ruletest.Numbered(5, `{"id":"a%d","contacts":[{"email":"x"},{"phone":"y","extension":"1"}]}`)},
		{Name: "tagged union", Documents: ruletest.Numbered(5, `{"id":"a%d","blocks":[{"text":{"body":"x"}},{"image":{"url":"y","width":1}}]}`)},
		{Name: "values of two types", Documents: ruletest.Numbered(5, `{"id":"a%d","blocks":[{"text":"x"},{"size":1}]}`)},
		{Name: "conditions", Documents: ruletest.Numbered(5, `{"id":"a%d","rules":[{"eq":"x"},{"gt":"1"}],"query":[{"$match":"x"},{"$limit":"y"}],"logic":[{"==":"1"},{">":"2"}]}`)},
		{Name: "security schemes", Documents: ruletest.Numbered(5, `{"id":"a%d","security":[{"oauth":[]},{"key":[]}]}`)},
		{Name: "wrappers", Documents: ruletest.Numbered(5, `{"id":"a%d","refs":[{"$oid":"5f1d7a3e9b1c4a0012ab34c1"},{"$date":"2026-01-01T00:00:00Z"}]}`)},
	})
}

// TestKeyedObjectArrayFix checks that names that repeat become values.
func TestKeyedObjectArrayFix(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ document, want string }{
		"an object": {`{"id":"a","images":[{"s":"1"},{"m":"2"},{"l":"3"}]}`, `{"id":"a","images":{"s":"1","m":"2","l":"3"}}`},
		"pairs":     {`{"id":"a","steps":[{"s":"1"},{"m":"2"},{"s":"3"}]}`, `{"id":"a","steps":[{"kind":"s","value":"1"},{"kind":"m","value":"2"},{"kind":"s","value":"3"}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := ruletest.FindingsOf(t, "keyed-object-array", ruletest.Database{"items": {c.document}}, jsonlint.Options{})
			require.Len(t, found, 1)
			assert.JSONEq(t, c.want, string(found[0].Fixes[0].After[0].Document))
			ruletest.AssertKeepsValues(t, found[0].Fixes[0])
		})
	}
}
