package mixedtypes_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

// recorded is a map of n requests with the objects, and half as many with the lists, that
// answered them. The objects have the same name, or one each.
func recorded(n int, name string) []string {
	var calls []string
	for i := range n {
		calls = append(calls, fmt.Sprintf(`"get_%c_item":{"method":"GET","endpoint":"e/%[1]c","data":{"id":%d,"%s":1}}`, 'a'+i, i, strings.ReplaceAll(name, "%c", string(rune('a'+i)))))
		if i%2 == 0 {
			calls = append(calls, fmt.Sprintf(`"list_%c_items":{"method":"GET","endpoint":"e/%[1]c","data":[{"id":%d}]}`, 'a'+i, i))
		}
	}
	return []string{"{" + strings.Join(calls, ",") + "}"}
}

// menu is a document with dishes for several meals, and for one.
func menu(dishes int, one string) string {
	return `{"id":"1","dishes":[` + ruletest.Joined(dishes, func(i int) string {
		return fmt.Sprintf(`{"n":%d,"meals":%s}`, i, map[bool]string{true: `["lunch","dinner"]`, false: `"` + one + `"`}[i%4 > 0])
	}) + `]}`
}

func TestMixedTypes(t *testing.T) {
	t.Parallel()
	heroes := `{` + ruletest.Joined(60, func(i int) string {
		return fmt.Sprintf(`"hero_%06x":{"name":"n%d","facets":[{"old":"a%d","no":%d},{"old":"b","no":1}]}`, i*7919*7919%0xffffff, i, i, i)
	}) + `,"hero_00c3d1":{"name":"x","facets":[{"old":"x","no":1},{"old":["a"],"no":2}]},"hero_1b77aa":{"name":"y","facets":[{"old":["q"],"no":3},{"old":"y","no":4}]}}`
	ruletest.Run(t, "mixed-types", []ruletest.ShapeCase{
		{Name: "a number among texts", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 5, `{"id":"%[1]d","name":"n%[1]d"}`), []string{`{"id":"9","name":88}`})}, Want: []string{"warning a.jsonl:6 name"}, Says: `here 88, elsewhere "n1"`},
		{Name: "texts that stand alone and in lists, in one document", DB: ruletest.Database{"menu": {menu(24, "lunch")}}, Want: []string{"warning menu.jsonl:1 dishes[].meals"}},
		{Name: "the same in a short document", DB: ruletest.Database{"menu": {menu(6, "lunch")}}},
		{Name: "other texts than in lists, in one document", DB: ruletest.Database{"menu": {menu(24, "any")}}},
		{Name: "recorded responses", DB: ruletest.Database{"calls": recorded(20, "a_%c"), "users": recorded(14, "a")}},
		{Name: "responses of one kind", DB: ruletest.Database{"users": recorded(14, "a")}, Want: []string{"warning users.jsonl:1 {}.data"}},
		{Name: "expressions that stand for values of any type", DB: ruletest.Database{"a": {`{"id":"1","x":{"size":3,"of":{"a":1},"to":[1]}}`,
			`{"id":"2","x":{"size":"[parameters('size')]","of":"${of}","to":"{{ to }}"}}`, `{"id":"3","x":{"size":"[if(contains(parameters('a')), a long expression that a sample does not keep as a whole, 1)]"}}`}}},
		{Name: "an expression and a text", DB: ruletest.Database{"a": {`{"id":"1","size":3}`, `{"id":"2","size":"[parameters('size')]"}`, `{"id":"3","size":"[large]"}`}}, Want: []string{"warning a.jsonl:1 size"}},
		{Name: "what a condition compares with a field", DB: ruletest.Database{"a": {`{"id":"1","if":{"field":"kind","equals":"vault"}}`, `{"id":"2","if":{"field":"ports","equals":0}}`, `{"id":"3","if":{"field":"name","equals":"x"}}`}}},
		{Name: "a number with an exponent", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 5, `{"id":"%[1]d","at":"n%[1]d"}`), []string{`{"id":"9","at":1.421836452052E+12}`})}, Want: []string{"warning a.jsonl:6 at"}, Says: `here 1421836452052, elsewhere "n1"`},
		{Name: "an object or a list of such objects", DB: ruletest.Database{"a": {`{"id":"1","calls":[{"parts":{"sku":"a","n":1}},{"parts":{"sku":"b","n":2}}]}`, `{"id":"2","calls":[{"parts":[{"sku":"a","n":1},{"sku":"c","n":2}]}]}`}},
			Want: []string{"warning a.jsonl:2 calls[].parts"}},
		{Name: "an object or a list of other objects", DB: ruletest.Database{"a": {`{"id":"1","calls":[{"parts":{"sku":"a","n":1}},{"parts":{"sku":"b","n":2}}]}`, `{"id":"2","calls":[{"parts":[{"x":"a"},{"x":"c"}]}]}`}}},
		{Name: "an object or a list of anything", DB: ruletest.Database{"a": {`{"id":"1","calls":[{"parts":{"sku":"a","n":1}},{"parts":{"sku":"b","n":2}}]}`, `{"id":"2","calls":[{"parts":[7,{"sku":"a","n":1}]}]}`}}},
		{Name: "an empty object or a list of them", DB: ruletest.Database{"a": {`{"id":"1","calls":[{"parts":{"sku":"a","n":1}},{"parts":{}}]}`, `{"id":"2","calls":[{"parts":[{},{}]}]}`}}},
		{Name: "one or several", DB: ruletest.Database{"a": {`{"id":"1","type":"phone"}`, `{"id":"2","type":["a","b"]}`, `{"id":"3","type":"c"}`}}, Want: []string{"warning a.jsonl:2 type"}, Says: "2 strings and 1 array"},
		{Name: "a list in an inner list", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 19, `{"id":"%[1]d","past":[["x%[1]d","y"],["q","r"]]}`), []string{`{"id":"x","past":[["z",["a"]],["b","c"]]}`})}},
		{Name: "a list among texts", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 19, `{"id":"%[1]d","past":["x%[1]d","y","q"]}`), []string{`{"id":"x","past":["z",["a"],"b"]}`})}, Want: []string{"warning a.jsonl:20 past[]"}},
		{Name: "a list among texts, in an object of a list", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 19, `{"id":"%[1]d","past":[{"tag":"x%[1]d"},{"tag":"y"},{"tag":"q"}]}`), []string{`{"id":"x","past":[{"tag":"z"},{"tag":["a"]},{"tag":"b"}]}`})}, Want: []string{"warning a.jsonl:20 past[].tag"}},
		{Name: "numbers as texts in a list", DB: ruletest.Database{"a": {`{"id":"1","rides":[{"cost":1,"at":"x"},{"cost":3,"at":"y"},{"cost":"2","at":"z"}]}`}}, Want: []string{"warning a.jsonl:1 rides[].cost"}},
		{Name: "1 for true in a short list", DB: ruletest.Database{"a": {`{"id":"1","cards":[{"code":"k","rare":1},{"code":"l","rare":false}]}`, `{"id":"2","cards":[{"code":"k","rare":true}]}`}}, Want: []string{"warning a.jsonl:1 cards[].rare"}},
		{Name: "booleans and numbers in a short list", DB: ruletest.Database{"a": {`{"id":"1","cards":[{"code":"k","rare":0.5},{"code":"l","rare":false}]}`, `{"id":"2","cards":[{"code":"k","rare":true}]}`}}},
		{Name: "other texts in a short list", DB: ruletest.Database{"a": {`{"id":"1","rides":[{"cost":1,"at":"x"},{"cost":3,"at":"y"},{"cost":"dear","at":"z"}]}`}}},
		{Name: "ObjectIds as texts in a list", DB: ruletest.Database{"a": {`{"id":"1","copies":[{"_id":{"$oid":"5b33ae0a4eb6784118db1c44"}},{"_id":"5b0dd473beef180c3cc03579"}]}`}}, Want: []string{"warning a.jsonl:1 copies[]._id"}},
		{Name: "JSON as a text in a short list", DB: ruletest.Database{"a": {`{"id":"1","lines":[{"sku":"x"},{"sku":"z"}]}`, `{"id":"2","lines":["[{\"sku\":\"y\"}]"]}`}}, Want: []string{"warning a.jsonl:2 lines[]"}},
		{Name: "a text in a short list of objects", DB: ruletest.Database{"a": {`{"id":"1","lines":[{"sku":"x"}]}`, `{"id":"2","lines":["[y]"]}`}}},
		{Name: "JSON-LD: a name, a thing or a list of them", DB: ruletest.Database{"a": {`{"@context":"x","id":"1","body":"y","label":"a"}`, `{"@context":["x","z"],"id":"2","body":{"id":"y"},"label":"b"}`, `{"@context":"x","id":"3","body":["y"],"label":7}`}},
			Want: []string{"warning a.jsonl:3 label"}},
		{Name: "null and anything", DB: ruletest.Database{"a": {`{"id":"1","x":null}`, `{"id":"2","x":{"y":1}}`}}},
		{Name: "int and float", DB: ruletest.Database{"a": {`{"id":"1","x":1}`, `{"id":"2","x":1.5}`, `{"id":"3","x":{"$numberInt":"1"}}`}}},
		{Name: "digits in texts", DB: ruletest.Database{"a": {`{"id":"1","zip":"01234"}`, `{"id":"2","zip":"1234"}`}}},
		{Name: `a.depth holds 9 strings and 5 numbers; the texts stand for a missing value`, DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 5, `{"id":"%[1]d","depth":%[1]d}`), ruletest.Times(7, 9, `{"id":"%[1]d","depth":""}`))}, Want: []string{"info a.jsonl:1 depth"}, Says: `a.depth holds 9 strings and 5 numbers; the texts stand for a missing value`},
		{Name: "nothing in the fields of one object", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 5, `{"id":"%[1]d","body":%[1]d,"logic":%[1]d,"part":{"size":%[1]d}}`), []string{`{"id":"x","body":"","logic":"","part":{"size":""}}`})},
			Want: []string{"info a.jsonl:6 body", "info a.jsonl:6 part.size"}, Says: "the texts stand for a missing value; the same in 1 more path"},
		{Name: "what lost-value reports", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","depth":%[1]d}`), ruletest.Times(10, 2, `{"id":"%[1]d","depth":"NULL"}`))}},
		{Name: "what lost-value only guesses", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","depth":%[1]d}`), ruletest.Times(10, 1, `{"id":"%[1]d","depth":"null"}`), ruletest.Times(12, 1, `{"id":"%[1]d","depth":"auto"}`))},
			Want: []string{"info a.jsonl:10 depth"}},
		{Name: "a word beside what lost-value reports", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 9, `{"id":"%[1]d","depth":%[1]d}`), ruletest.Times(10, 2, `{"id":"%[1]d","depth":"NULL"}`), ruletest.Times(12, 2, `{"id":"%[1]d","depth":"deep"}`))},
			Want: []string{"info a.jsonl:10 depth"}, Says: `the texts are "deep", "NULL"`},
		{Name: "a word for a limit", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 5, `{"id":"%[1]d","n":%[1]d}`), ruletest.Times(7, 2, `{"id":"%[1]d","n":"unlimited"}`))}, Want: []string{"info a.jsonl:6 n"}, Says: `the texts are "unlimited"`},
		{Name: "a discriminator beside it", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Times(1, 20, `{"id":"%[1]d","shape":{"kind":"one","at":[1,2]}}`), ruletest.Times(30, 20, `{"id":"%[1]d","shape":{"kind":"many","at":"x"}}`))}},
		{Name: "a version, in a kind of few documents too", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Times(1, 30, `{"id":"%[1]d","op":"insert","version":1,"ns":"s%[1]d","rows":%[1]d,"index":"i%[1]d"}`), ruletest.Times(31, 30, `{"id":"%[1]d","op":"insert","version":2,"ns":{"name":"s%[1]d"},"rows":%[1]d,"index":"i%[1]d"}`),
			ruletest.Times(61, 5, `{"id":"%[1]d","op":"drop","version":1,"ns":"s%[1]d","command":"c%[1]d","user":"u%[1]d"}`), ruletest.Times(66, 1, `{"id":"%[1]d","op":"drop","version":2,"ns":{"name":"s"},"command":"c%[1]d","user":"u%[1]d"}`))}},
		{Name: "a discriminator beside it, and booleans", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Times(1, 15, `{"id":"%[1]d","type":"radio","answer":true}`), ruletest.Times(20, 15, `{"id":"%[1]d","type":"check","answer":false}`), ruletest.Times(40, 6, `{"id":"%[1]d","type":"number","answer":%[1]d}`))}},
		{Name: "a discriminator beside it, and a default", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Times(1, 15, `{"id":"%[1]d","type":"radio","answer":false}`), ruletest.Times(20, 15, `{"id":"%[1]d","type":"check","answer":false}`), ruletest.Times(40, 6, `{"id":"%[1]d","type":"number","answer":%[1]d}`))},
			Want: []string{"warning a.jsonl:31 answer"}},
		{Name: "numbers as texts, and a field that changed with the program", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Times(1, 20, `{"id":"%[1]d","price":%[1]d00,"until":"none"}`), ruletest.Times(30, 20, `{"id":"%[1]d","price":"%[1]d00","until":"never"}`))},
			Want: []string{"warning a.jsonl:21 price"}},
		{Name: "numbers as texts, by a discriminator", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Times(1, 20, `{"id":"%[1]d","price":%[1]d00,"type":"one"}`), ruletest.Times(30, 20, `{"id":"%[1]d","price":"%[1]d00","type":"many"}`))}},
		{Name: "nearly every document of a kind of its own", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Times(1, 6, `{"id":"%[1]d","type":"kind%[1]d","note":"n%[1]d"}`), ruletest.Times(7, 3, `{"id":"%[1]d","type":"kind%[1]d","note":{"text":"n%[1]d"}}`))}},
		{Name: "two documents of one kind among them", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Times(1, 6, `{"id":"%[1]d","type":"kind%[1]d","note":"n%[1]d"}`), ruletest.Times(6, 4, `{"id":"b%[1]d","type":"kind%[1]d","note":{"text":"n%[1]d"}}`))}, Want: []string{"warning a.jsonl:7 note"}},
		{Name: "a type of which others lack the field", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Times(1, 6, `{"id":"%[1]d","type":"trial","next":"n%[1]d"}`), ruletest.Times(7, 9, `{"id":"%[1]d","type":"appeal"}`), []string{`{"id":"16","type":"appeal","next":["last"]}`})}, Want: []string{"warning a.jsonl:16 next"}},
		{Name: "a type of its own", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Times(1, 6, `{"id":"%[1]d","type":"trial","next":"n%[1]d"}`), ruletest.Times(7, 9, `{"id":"%[1]d","type":"other"}`), []string{`{"id":"16","type":"appeal","next":["last"]}`})}},
		{Name: "the type of something beside it", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Times(1, 6, `{"id":"%[1]d","failure":{"type":""},"note":"n%[1]d"}`), []string{`{"id":"7","failure":{"type":"system"},"note":{"text":"n"}}`})}, Want: []string{"warning a.jsonl:7 note"}},
		{Name: "very many kinds", DB: ruletest.Database{"a": ruletest.Concat(manyKinds(1), manyKinds(101), manyKinds(201), manyKinds(301), manyKinds(401), manyKinds(501), manyKinds(601), manyKinds(701), manyKinds(801), manyKinds(901))}},
		{Name: "a discriminator above it", DB: ruletest.Database{"a": ruletest.Concat(
			ruletest.Times(1, 20, `{"id":"%[1]d","kind":"one","items":[{"at":%[1]d}]}`), ruletest.Times(30, 20, `{"id":"%[1]d","kind":"many","items":[{"at":"x%[1]d"}]}`))}},
		{Name: "a country with a type each, of few addresses repeated", DB: ruletest.Database{"a": ruletest.Concat(addresses(1), addresses(101), addresses(201))}, Want: []string{"warning a.jsonl:1 postcode"}, Says: "36 strings"},
		{Name: "one word for no value in several fields of an object", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 5, `{"id":"%[1]d","bank":"-none-","till":"-none-"}`), []string{`{"id":"8","bank":7,"till":"-none-"}`, `{"id":"9","bank":8,"till":9}`})},
			Want: []string{"info a.jsonl:6 bank"}, Says: `the texts are "-none-"; the same in 1 more path`},
		{Name: "the path with most values stands for the others", DB: ruletest.Database{"a": ruletest.Concat([]string{`{"id":"0","x":{"bin":"a"},"bin":"b"}`, `{"id":"1","x":{"bin":["c"]},"bin":["d"]}`}, ruletest.Times(2, 9, `{"id":"%[1]d","bin":"e%[1]d"}`))}, Want: []string{"warning a.jsonl:2 bin"}, Says: `; the same in 1 more path`},
		{Name: "geometries", DB: ruletest.Database{"a": {
			`{"id":"1","geometry":{"type":"Polygon","coordinates":[[[1,2],[3,4],[1,2]]]}}`, `{"id":"2","geometry":{"type":"MultiPolygon","coordinates":[[[[1,2],[3,4],[1,2]]]]}}`,
		}}},
		{Name: "key-value pairs", DB: ruletest.Database{"a": ruletest.Times(1, 5, `{"id":"%[1]d","specs":[{"name":"size","value":3},{"name":"colour","value":"red"}]}`)}},
		{Name: "free-form parts", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 15, `{"id":"%[1]d","metadata":{"k%[1]d":1,"m%[1]d":2}}`), ruletest.Times(20, 15, `{"id":"%[1]d","metadata":{"k%[1]d":"x","n%[1]d":2}}`))}},
		{Name: "ids have a rule of their own", DB: ruletest.Database{"a": {`{"id":1,"x":1}`, `{"id":"2","x":1}`}}},
		{Name: "dates have a rule of their own", DB: ruletest.Database{"a": {`{"id":"1","at":"2026-01-01T00:00:00Z"}`, `{"id":"2","at":{"$date":"2026-01-01T00:00:00Z"}}`}}},
		{Name: "anything", DB: ruletest.Database{"a": {`{"id":"1","data":{"x":1}}`, `{"id":"2","data":[1]}`, `{"id":"3","data":"x"}`, `{"id":"4","data":1}`, `{"id":"5","data":{"x":"y"}}`}}},
		{Name: "a list of two values may be a pair", DB: ruletest.Database{"a": {`{"id":"1","from":["2",0]}`}}},
		{Name: "a list of three values, one written as text", DB: ruletest.Database{"a": {`{"id":"1","from":["2",0,7]}`}}, Want: []string{"info a.jsonl:1 from[]"}},
		{Name: "tuples", DB: ruletest.Database{"a": ruletest.Times(1, 30, `{"id":"%[1]d","pair":["x%[1]d",%[1]d]}`)}, Want: []string{"info a.jsonl:1 pair[]"}},
		{Name: "texts for no value among the rows of the only document", DB: ruletest.Database{"a": {
			`{"id":"1","rows":[` + ruletest.Joined(30, func(i int) string { return fmt.Sprintf(`{"tags":["t%d"]}`, i) }) + `,{"tags":""}]}`,
		}}, Want: []string{"info a.jsonl:1 rows[].tags"}},
		{Name: "numbers as texts in the only document, and a slip", DB: ruletest.Database{"a": {
			`{"id":"1","rows":[` + ruletest.Joined(30, func(i int) string { return fmt.Sprintf(`{"n":%d}`, i) }) + `,{"n":"5"},{"n":"6"},{"n":"7\\"}]}`,
		}}, Want: []string{"warning a.jsonl:1 rows[].n"}},
		{Name: "numbers and names in the only document", DB: ruletest.Database{"a": {
			`{"id":"1","rows":[` + ruletest.Joined(30, func(i int) string { return fmt.Sprintf(`{"n":%d}`, i) }) + `,{"n":"5"},{"n":"x"},{"n":"y"}]}`,
		}}},
		{Name: "a list in the lists of a map, in the only document", DB: ruletest.Database{"a": {`{"id":"1","heroes":` + heroes + `}`}}, Want: []string{"warning a.jsonl:1 heroes{}.facets[].old"}},
		{Name: "a list in the lists of a map in a list, in the only document", DB: ruletest.Database{"a": {`{"id":"1","games":[{"heroes":` + heroes + `}]}`}}},
		{Name: "one cause at two paths", DB: ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 5, `{"id":"%[1]d","a":{"size":"n%[1]d"},"b":{"size":"x"}}`), []string{`{"id":"9","a":{"size":88},"b":{"size":7}}`})}, Want: []string{"warning a.jsonl:6 a.size"}, Says: `; the same in 1 more path`},
	})
}

func TestMixedTypesFix(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, before, after string
		documents           []string
	}{
		{"text", `{"id":"9","name":88}`, `{"id":"9","name":"88"}`, ruletest.Concat(ruletest.Times(1, 5, `{"id":"%[1]d","name":"n%[1]d"}`), []string{`{"id":"9","name":88}`})},
		{"number", `{"id":"9","n":"8.5"}`, `{"id":"9","n":8.5}`, ruletest.Concat(ruletest.Times(1, 5, `{"id":"%[1]d","n":%[1]d}`), []string{`{"id":"9","n":"8.5"}`})},
		{"list", `{"id":"9","tag":"x"}`, `{"id":"9","tag":["x"]}`, ruletest.Concat(ruletest.Times(1, 5, `{"id":"%[1]d","tag":["a"]}`), []string{`{"id":"9","tag":"x"}`})},
		{"empty object", `{"id":"9","tags":{}}`, `{"id":"9","tags":[]}`, ruletest.Concat(ruletest.Times(1, 5, `{"id":"%[1]d","tags":[{"a":1}]}`), []string{`{"id":"9","tags":{}}`})},
		{"object", `{"id":"9","tags":{"a":2}}`, `{"id":"9","tags":[{"a":2}]}`, ruletest.Concat(ruletest.Times(1, 5, `{"id":"%[1]d","tags":[{"a":1}]}`), []string{`{"id":"9","tags":{"a":2}}`})},
		{"elements", `{"id":"99","names":[88]}`, `{"id":"99","names":["88"]}`, ruletest.Concat(ruletest.Times(1, 40, `{"id":"%[1]d","names":["n%[1]d","m%[1]d"]}`), []string{`{"id":"99","names":[88]}`})},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			found := ruletest.FindingsOf(t, "mixed-types", ruletest.Database{"a": test.documents}, jsonlint.Options{})
			require.Len(t, found, 1)
			require.Len(t, found[0].Fixes, 1)
			fix := found[0].Fixes[0]
			assert.Equal(t, finding.Unsafe, fix.Safety)
			assert.Equal(t, test.before, string(fix.Before))
			require.Len(t, fix.After, 1)
			assert.Equal(t, test.after, string(fix.After[0].Document))
		})
	}
	leading := ruletest.FindingsOf(t, "mixed-types", ruletest.Database{"a": ruletest.Concat(ruletest.Times(1, 5, `{"id":"%[1]d","n":%[1]d}`), []string{`{"id":"9","n":"007"}`, `{"id":"10","n":"0x1"}`, `{"id":"11","n":"1e3"}`, `{"id":"12","n":"a"}`})}, jsonlint.Options{})
	require.Len(t, leading, 1)
	assert.Empty(t, leading[0].Fixes, "none of the texts is a number without loss")
}

// addresses are 24 in 12 countries; every second country has codes of digits.
func addresses(first int) []string {
	var out []string
	for i := range 24 {
		code := fmt.Sprint(1000 + i)
		if i/2%2 == 0 {
			code = fmt.Sprintf(`"W%d"`, i)
		}
		out = append(out, fmt.Sprintf(`{"id":"%d","country":"country %d","postcode":%s}`, first+i, i/2, code))
	}
	return out
}

// TestMixedTypesAlike: every place with the same mistake is named, up to what a person reads.
func TestMixedTypesAlike(t *testing.T) {
	t.Parallel()
	for fields, places := range map[int]int{9: 9, 60: 50} { // with the first value of the other type
		row := func(value string) string {
			return ruletest.Joined(fields, func(n int) string { return fmt.Sprintf(`"f%d":%s`, n, value) })
		}
		db := ruletest.Database{"items": ruletest.Concat(
			ruletest.Times(0, 12, `{"id":"a%d","n":%[1]d,`+row("%[1]d")+`}`), ruletest.Times(12, 12, `{"id":"a%d","n":%[1]d,`+row(`false`)+`}`))}
		found := ruletest.FindingsOf(t, "mixed-types", db, jsonlint.Options{})
		require.Len(t, found, 1)
		assert.Contains(t, found[0].Message, fmt.Sprintf("the same in %d more", fields-1))
		assert.Len(t, found[0].Related, places)
	}
}

// TestMixedTypesColumns: an export of a table writes the same texts in all its columns. The
// words of a special case are something else.
func TestMixedTypesColumns(t *testing.T) {
	t.Parallel()
	for _, texts := range []string{"NA - NA N/A NA -", "NFS NFS NFS soon NFS NFS", "NA NA NA NFS NFS NFS"} {
		db := ruletest.Database{}
		for i, text := range strings.Fields(texts) {
			db[fmt.Sprintf("sheet%d", i)] = ruletest.Concat(
				ruletest.Times(0, 30, fmt.Sprintf(`{"id":"a%%[1]d","p%[1]d":"x","q%[1]d":%%[1]d,"r%[1]d":%%[1]d}`, i)),
				ruletest.Times(30, 10, fmt.Sprintf(`{"id":"a%%[1]d","p%[1]d":"x","q%[1]d":%%[1]d,"r%[1]d":%[2]q}`, i, text)))
		}
		found := ruletest.FindingsOf(t, "mixed-types", db, jsonlint.Options{})
		if strings.Contains(texts, "NA NFS") {
			assert.Len(t, found, 6)
			continue
		}
		require.Len(t, found, 1, texts)
		assert.Contains(t, found[0].Message, "the same in 5 more places")
	}
}

// manyKinds returns documents of 70 kinds, of which half have a text and half an object.
func manyKinds(first int) []string {
	var out []string
	for i := range 70 {
		note := fmt.Sprintf(`"n%d"`, first+i)
		if i%2 == 0 {
			note = fmt.Sprintf(`{"text":%s}`, note)
		}
		out = append(out, fmt.Sprintf(`{"id":"%d","type":"kind%d","note":%s}`, first+i, i, note))
	}
	return out
}

func TestNumberAmongWords(t *testing.T) {
	t.Parallel()
	documents := ruletest.Concat(ruletest.Times(1, 8, `{"id":"%[1]d","status":"ok"}`), []string{`{"id":"9","status":204}`})
	found := ruletest.FindingsOf(t, "mixed-types", ruletest.Database{"replies": documents}, jsonlint.Options{})
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Advice, "Choose one type")
}
