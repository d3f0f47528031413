package awkwardfieldname_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

func TestFileWithAQuery(t *testing.T) {
	t.Parallel()
	ruletest.Run(t, "awkward-field-name", []ruletest.ShapeCase{
		{Name: "settings", DB: ruletest.Database{"jest": {`{"moduleFileExtensions":["ts"],"transform":{"^.+\\.(t|j)s$":"ts-jest"}}`}}},
		{Name: "a list in a file", DB: ruletest.Database{"jest": {`{"part":1,"rows":[{"a-x":1},{"a-x":2},{"b":3}]}`}}, Want: []string{"info jest.jsonl:1 rows[].a-x"}},
		{Name: "a query", DB: ruletest.Database{"users_query": {`{"role":{"$in":["a","b"]}}`}}},
		{Name: "queries that are stored", DB: ruletest.Database{"queries": {`{"id":"a","role":{"$in":["a"]}}`, `{"id":"b","role":{"$in":["a"]}}`}}, Want: []string{"warning queries.jsonl:1 role.$in"}},
		{Name: "users", DB: ruletest.Database{"users": {`{"id":"a","role":{"$in":["a","b"]}}`}}, Want: []string{"warning users.jsonl:1 role.$in"}},
	})
}

func TestAwkwardFieldName(t *testing.T) {
	t.Parallel()
	db := func(name string) jsonlint.Options { return jsonlint.Options{DB: name} }
	one := func(name string) []string { return []string{fmt.Sprintf(`{"id":"a",%s:1}`, name)} }
	kebab, camel := make([]string, 8), make([]string, 8)
	for i := range kebab {
		kebab[i], camel[i] = fmt.Sprintf(`"part-%c":%d`, 'a'+i, i), fmt.Sprintf(`"side%c":%d`, 'A'+i, i)
	}
	var wide []string
	for i := range 5 {
		wide = append(wide, fmt.Sprintf(`{"a|b|c|d|e|f|g|h|i|j":"%d%s"}`, i, strings.Repeat("|twelve bytes", 9)))
	}
	ruletest.Expect(t, "awkward-field-name", []ruletest.Expectation{
		{
			Name: "the same fault in two collections of a file",
			Documents: []string{`{"users":[{"id":1,"full name":"A","homeTown":"a","mailTo":"b"},{"id":2,"full name":"B","homeTown":"a","mailTo":"b"}],` +
				`"posts":[{"id":7,"post title":"x","likes":1},{"id":8,"post title":"y","likes":2}]}`},
			Want: []string{"info full name 1:19"}, Message: `2 names have the same fault ("full name", "post title")`,
		},
		{Name: "hyphen", Documents: one(`"mkt-cap"`), Want: []string{"info mkt-cap 1:11"}, Message: `"mkt-cap" contains '-', which queries and code read as a minus sign`},
		{Name: "two with one fault", Documents: []string{`{"id":"a","a-x":1,"b-x":2,"homeTown":3,"shoe_size":4}`}, Want: []string{"info a-x 1:11"}, Message: `2 names have the same fault ("a-x", "b-x"): "a-x" contains '-', which queries and code read as a minus sign`},
		{Name: "an id as a name", Documents: []string{`{"id":"a","cart":{}}`, `{"id":"b","cart":{"673b1234567890abcdef1001":{"M":2}}}`}},
		{Name: "an index", Documents: []string{`{"options":{},"indexes":[{"v":2,"key":{"ip.host":1},"name":"ip.host_1"}],"uuid":"abc"}`}},
		{Name: "categories", Documents: []string{`{"id":"a","sales":{"North America":{"2024":{"Edge & IoT":1}},"Asia":{"2024":{"Edge & IoT":1}}}}`,
			`{"id":"b","sales":{"Asia":{"2024":{"Edge & IoT":1}}}}`}},
		{Name: "regions of countries", Documents: []string{`{"id":"a","data":{"FRANCE":{"Upper Loire":["x"],"Alsace":["y"]},"NEW ZEALAND":{"Otago":["z"]},"PERU":["w"]}}`}},
		{Name: "another spelling of a name", Documents: []string{`{"id":"a","mkt_cap":1}`, `{"id":"b","mkt-cap":1}`}},
		{Name: "hyphens in the names of things", Documents: []string{`{"id":"a","answers":{"rv-one":1,"rv-two":0}}`, `{"id":"b","answers":{"rv-two":1,"rv-three":2}}`, `{"id":"c","answers":{"rv-four":2}}`}},
		{Name: "hyphen below", Documents: []string{`{"id":"a","x":[{"pub-id":{"b":1}}]}`}, Want: []string{"info x[].pub-id 1:17"}},
		{Name: "space", Documents: one(`"first name"`), Want: []string{"info first name 1:11"}},
		{Name: "quoted anyway", Options: db("mongodb"), Documents: []string{`{"_id":"a","mkt-cap":1,"2fa":3,"a*b":4}`}},
		{Name: "space, quoted anyway", Options: db("mongodb"), Documents: []string{`{"_id":"a","first name":1}`}, Want: []string{"info first name 1:12"}},
		{Name: "digit", Documents: one(`"2fa"`), Want: []string{"info 2fa 1:11"}},
		{Name: "dot", Documents: one(`"a.b"`), Want: []string{`warning ["a.b"] 1:11`}},
		{Name: "dollar", Documents: one(`"$set"`), Want: []string{"warning $set 1:11"}},
		{Name: "an ObjectId that is none", Documents: []string{`{"id":"a","ref":{"$oid":""}}`}},
		{Name: "an ObjectId that is none, in MongoDB", Options: db("mongodb"), Documents: []string{`{"_id":{"$oid":"65a1b2c3d4e5f6g7h8i9j0k1"}}`}},
		{Name: "a stored query", Documents: []string{`{"id":"a","query":{"age":{"$gt":3}}}`}},
		{Name: "empty", Documents: one(`""`), Want: []string{`warning [""] 1:11`}, Message: `a field has an empty name`},
		{Name: "control", Documents: one(`"a\u0001b"`), Want: []string{"warning a\x01b 1:11"}, Message: `"a\x01b" contains a control character`},
		{Name: "byte order mark", Documents: []string{"{\"\ufeffid\":\"a\",\"n\":1}", "{\"\ufeffid\":\"b\",\"n\":2}"}, Want: []string{"warning \ufeffid 1:2"}, Message: `"\ufeffid" begins with an invisible byte order mark, so no query for the name finds it`},
		{Name: "the header of a table", Documents: []string{`{"_id":1,"id;name;price":"1;Nut;2.5"}`, `{"_id":2,"id;name;price":"2;Bolt;3"}`, `{"_id":3,"id;name;price":"3;Rod, long;7"}`},
			Want: []string{"warning id;name;price 1:10"}, Message: `"id;name;price" is the header of a table with 3 columns, and its values are the lines`},
		{Name: "the header of a wide table", Documents: wide, Want: []string{"warning a|b|c|d|e|f|g|h|i|j 1:2"}},
		{Name: "tabs between columns", Documents: []string{`{"id\tname\tprice":"1\tNut\t2"}`, `{"id\tname\tprice":"2\tBolt\t3"}`, `{"id\tname\tprice":"3\tRod\t7"}`}, Want: []string{"warning id\tname\tprice 1:2"}},
		{Name: "a name with commas", Documents: []string{`{"_id":1,"street, town, country":"Elm Street 1"}`, `{"_id":2,"street, town, country":"Oak Road 2, Leeds, UK"}`, `{"_id":3,"street, town, country":"Ash Lane"}`}, Want: []string{"info street, town, country 1:10"}},
		{Name: "a mark after the name", Documents: []string{`{"id":"a","role":"x"}`, `{"id":"b","role":"y","role:":"z"}`}, Want: []string{"warning role: 2:22"}, Message: `"role:" ends with ":", and there is "role" too`},
		{Name: "a mark after a name of its own", Documents: one(`"role:"`)},
		{Name: "padded", Documents: one(`"name "`), Want: []string{"warning name  1:11"}},
		{Name: "mongodb root", Options: db("mongodb"), Documents: []string{`{"_id":"a","a.b":1,"c":{"d.e":1}}`},
			Want: []string{`error ["a.b"] 1:12`, `warning c["d.e"] 1:25`}},
		{Name: "firestore reserved", Options: db("firestore"), Documents: one(`"__x__"`), Want: []string{"error __x__ 1:11"}},
		{Name: "firestore path", Options: db("firestore"), Documents: one(`"a*b"`), Want: []string{"warning a*b 1:11"}},
		{Name: "cosmosdb analytics", Options: db("cosmosdb"), Documents: one(`"a:b"`), Want: []string{"warning a:b 1:11"}},
		{Name: "a colon elsewhere", Documents: one(`"xlink:href"`)},
		{Name: "once a name", Documents: []string{`{"id":"a","x-y":1,"z":{"x-y":1}}`, `{"id":"b","x-y":1}`}, Want: []string{"info x-y 1:11"}},
		{Name: "a convention", Documents: []string{`{"id":"a",` + strings.Join(kebab, ",") + `}`, `{"id":"b",` + strings.Join(kebab, ",") + `,"homeTown":"x"}`}},
		{Name: "a convention beside names that are data", Documents: played(kebab)},
		{Name: "many together", Documents: []string{`{"id":"a",` + strings.Join(kebab, ",") + `}`, `{"id":"b",` + strings.Join(kebab, ",") + `,` + strings.Join(camel, ",") + `}`}, Want: []string{"info part-a 1:11"}, Message: `8 names have the same fault ("part-a", "part-b", "part-c", …): "part-a" contains '-', which queries and code read as a minus sign`},
		{Name: "a DBRef", Documents: []string{`{"_id":"a","roles":[{"$ref":"roles","$id":{"$oid":"624aa6e5aa4fed4c4671d0df"}}]}`}},
		{Name: "a file with a schema", Options: db("mongodb"), Documents: []string{`{"$schema":"https://example.com/a.json","a":{"b":1}}`}},
		{Name: "a DBRef in MongoDB", Options: db("mongodb"), Documents: []string{`{"_id":"a","address":{"$ref":"homes","$id":{"$oid":"624aa6e5aa4fed4c4671d0df"},"$db":"main"}}`}},
		{Name: "attachments", Documents: []string{`{"_id":"a","_rev":"1-a","_attachments":{"plan.v2.pdf":{"content_type":"application/pdf","revpos":2}}}`}},
		{Name: "free-form objects", Documents: []string{`{"id":"a","headers":{"Content-Type":"x","X-Id":"y"},"labels":{"app.kubernetes.io/name":"z"}}`}},
		{Name: "languages", Documents: []string{`{"id":"a","title":{"pt-BR":"x","zh-Hans":"y"}}`}},
		{Name: "numbers are data", Documents: []string{`{"id":"a","seats":{"12":"x","13":"y"}}`}},
		{Name: "things of one shape", Documents: []string{`{"id":"a","dishes":{"beef-pie":{"time":1,"cost":2},"egg-soup":{"time":2,"cost":3},"rice":{"time":2,"cost":1}}}`}},
		{Name: "paths", Documents: []string{`{"/api/v1/*":"/$1","/api/v1/:id":"/:id"}`}},
		{Name: "what skills are called", Documents: []string{`{"skills":{"backend":{"PHP":80,"Node.js":70,"Express.js":65,"C#":70},"tools":{"Git":90,"Visual Studio Code":85,"Docker":65}}}`}},
		{Name: "what universities are called", Documents: []string{`{"Gebze Yüksek Teknoloji Enstitüsü":"Kocaeli","Girne Amerikan Üniversitesi":"Lefkoşa","Hoca Ahmet Yesevi Türk-kazak Üniversitesi":"Türkistan"}`}},
		{Name: "system fields", Documents: []string{`{"id":"a","@metadata":{"x":1},"_etag":"x","@type":"y"}`}},
		{Name: "two styles", Documents: []string{`{"id":"a","firstName":1,"lastName":2,"home_town":3,"shoe_size":4}`}},
	})
}

// TestNamesInSeveralFiles: a collection is one, in however many files.
func TestNamesInSeveralFiles(t *testing.T) {
	t.Parallel()
	ruletest.Run(t, "awkward-field-name", []ruletest.ShapeCase{{
		Name: "in different documents",
		DB: ruletest.Database{"users": ruletest.Concat(
			ruletest.Times(10, 20, `{"id":%d,"mail_to":"m%[1]d","home_town":"c","full name":"A"}`), ruletest.Times(30, 20, `{"id":%d,"mail_to":"m%[1]d","home_town":"c","post code":"B"}`),
		)},
		Want: []string{"info users.jsonl:1 full name"}, Says: `2 names have the same fault`,
	}})
}

// played returns players with fields, and with what each did on some of ten days.
func played(fields []string) []string {
	return ruletest.Documents(30, func(i int, _ *rand.Rand) string {
		var days []string
		for day := range 5 {
			days = append(days, fmt.Sprintf(`"North Side;day-%d":{"goals":%d,"drops":%d}`, (i+2*day)%10, i%3, day))
		}
		return fmt.Sprintf(`{"id":"p%d",%s,"stats":{%s}}`, i, strings.Join(fields, ","), strings.Join(days, ","))
	})
}
