package rules_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint"
)

func TestNumericIdentifier(t *testing.T) {
	t.Parallel()
	zips := make([]string, 0, 31)
	for i := range 30 {
		zips = append(zips, fmt.Sprintf(`{"id":"c%d","zip":980%02d}`, i, i))
	}
	zips = append(zips, `{"id":"x","zip":2134}`)
	expect(t, "numeric-identifier", []expectation{
		{name: "zip", documents: []string{`{"id":"a","address":{"zip":98012}}`}, want: []string{"warning address.zip 1:28"}, message: "zip is stored as a number (98012)"},
		{name: "zip in a list", documents: []string{`{"id":"a","addresses":[{"zipCode":98012},{"zipCode":98013}]}`}, want: []string{"warning addresses[].zipCode 1:35"}},
		{name: "lost zeros", documents: zips, want: []string{"warning zip 31:17"}, message: "2134 has 4 digits where most have 5 (1 of 31 values)"},
		{name: "phone", documents: numbered(3, `{"id":"a%d","phoneNumber":566422186%d}`), want: []string{"warning phoneNumber 1:26"}},
		{name: "too long for a double", documents: []string{`{"id":"a","cardNumber":9999888877776666}`}, want: []string{"warning cardNumber 1:24"}, message: "too long for a double"},
		{name: "extension of a phone", documents: []string{`{"id":"a","contact":{"phone":"+1 555","extension":5555}}`}, want: []string{"info contact.extension 1:51"}},
		{name: "extension of a file", documents: []string{`{"id":"a","file":{"name":"x","extension":5555}}`}},
		{name: "strings are right", documents: []string{`{"id":"a","zip":"98012","phone":"5551234"}`}},
		{name: "counts", documents: []string{`{"id":"a","mobile":3,"card":12,"fax":1}`}},
		{name: "fractions", documents: []string{`{"id":"a","mobile":1234.5}`}},
		{name: "below zero", documents: []string{`{"id":"a","card":-5000}`}},
		{name: "house numbers and years", documents: []string{`{"id":"a","houseNumber":12345,"year":2026}`}},
		{name: "both types are for mixed-types", documents: []string{`{"id":"a","zip":98012}`, `{"id":"b","zip":"98012-1"}`}},
		{name: "wrapped", documents: []string{`{"id":"a","zip":{"$numberInt":"98012"}}`}, want: []string{"warning zip 1:17"}},
	})
}

func TestNumericPrecision(t *testing.T) {
	t.Parallel()
	expect(t, "numeric-precision", []expectation{
		{name: "an integer that changes", documents: []string{`{"id":"a","ref":1}`, `{"id":"b","ref":9007199254740993}`}, want: []string{"warning ref 2:17"},
			message: "ref is 9007199254740993 and comes back as 9007199254740992"},
		{name: "a negative one", documents: []string{`{"id":"a","n":-9007199254740993}`}, want: []string{"warning n 1:15"}},
		{name: "2^53 itself", documents: []string{`{"id":"a","n":9007199254740992}`}},
		{name: "beyond, but exact", documents: []string{`{"id":"a","wei":1000000000000000000}`}, want: []string{"warning wei 1:17"}, message: "beyond 2^53"},
		{name: "in a map and a list", documents: []string{`{"id":"a","list":[{"n":1},{"n":12345678901234567891}]}`}, want: []string{"warning list[].n 1:32"}},
		{name: "overflow", documents: []string{`{"id":"a","n":1e400}`}, want: []string{"error n 1:15"}},
		{name: "many digits", documents: []string{`{"id":"a","n":0.1234567890123456789}`}, want: []string{"info n 1:15"}, message: "19 digits"},
		{name: "17 digits", documents: []string{`{"id":"a","n":-73.985135599999996}`}},
		{name: "wrapped", documents: []string{`{"id":"a","n":{"$numberLong":"9007199254740993"},"m":{"$numberDecimal":"0.1234567890123456789"}}`}},
		{name: "an error in cosmosdb", documents: []string{`{"id":"a","n":9007199254740993}`}, options: jsonlint.Options{DB: "cosmosdb"}, want: []string{"error n 1:15"}},
		{name: "exact in mongodb", documents: []string{`{"id":"a","n":9007199254740993}`}, options: jsonlint.Options{DB: "mongodb"}},
		{name: "a card number is for numeric-identifier", documents: []string{`{"id":"a","cardNumber":9999888877776666}`}},
	})
}

func TestAwkwardFieldName(t *testing.T) {
	t.Parallel()
	db := func(name string) jsonlint.Options { return jsonlint.Options{DB: name} }
	one := func(name string) []string { return []string{fmt.Sprintf(`{"id":"a",%s:1}`, name)} }
	kebab := make([]string, 8)
	for i := range kebab {
		kebab[i] = fmt.Sprintf(`"part-%c":%d`, 'a'+i, i)
	}
	expect(t, "awkward-field-name", []expectation{
		{name: "hyphen", documents: one(`"mkt-cap"`), want: []string{"info mkt-cap 1:11"}, message: `"mkt-cap" holds '-'`},
		{name: "two with one fault", documents: []string{`{"id":"a","a-x":1,"b-x":2}`}, want: []string{"info a-x 1:11"}, message: `2 names with the same fault ("a-x", "b-x")`},
		{name: "an id as a name", documents: []string{`{"id":"a","cart":{}}`, `{"id":"b","cart":{"673b1234567890abcdef1001":{"M":2}}}`}},
		{name: "an index", documents: []string{`{"options":{},"indexes":[{"v":2,"key":{"ip.host":1},"name":"ip.host_1"}],"uuid":"abc"}`}},
		{name: "categories", documents: []string{`{"id":"a","sales":{"North America":{"2024":{"Edge & IoT":1}},"Asia":{"2024":{"Edge & IoT":1}}}}`,
			`{"id":"b","sales":{"Asia":{"2024":{"Edge & IoT":1}}}}`}},
		{name: "hyphen below", documents: []string{`{"id":"a","x":[{"pub-id":{"b":1}}]}`}, want: []string{"info x[].pub-id 1:17"}},
		{name: "space", documents: one(`"first name"`), want: []string{"info first name 1:11"}},
		{name: "digit", documents: one(`"2fa"`), want: []string{"info 2fa 1:11"}},
		{name: "dot", documents: one(`"a.b"`), want: []string{`warning ["a.b"] 1:11`}},
		{name: "dollar", documents: one(`"$set"`), want: []string{"warning $set 1:11"}},
		{name: "a stored query", documents: []string{`{"id":"a","query":{"age":{"$gt":3}}}`}},
		{name: "empty", documents: one(`""`), want: []string{`warning [""] 1:11`}, message: "a name is empty"},
		{name: "control", documents: one(`"a\u0001b"`), want: []string{"warning a\x01b 1:11"}, message: `"a\x01b" holds a control character`},
		{name: "byte order mark", documents: []string{"{\"\ufeffid\":\"a\",\"n\":1}"}, want: []string{"warning \ufeffid 1:2"}, message: `"\ufeffid" begins with a byte order mark`},
		{name: "padded", documents: one(`"name "`), want: []string{"warning name  1:11"}},
		{name: "mongodb root", options: db("mongodb"), documents: []string{`{"_id":"a","a.b":1,"c":{"d.e":1}}`},
			want: []string{`error ["a.b"] 1:12`, `warning c["d.e"] 1:25`}},
		{name: "firestore reserved", options: db("firestore"), documents: one(`"__x__"`), want: []string{"error __x__ 1:11"}},
		{name: "firestore path", options: db("firestore"), documents: one(`"a*b"`), want: []string{"warning a*b 1:11"}},
		{name: "cosmosdb analytics", options: db("cosmosdb"), documents: one(`"a:b"`), want: []string{"warning a:b 1:11"}},
		{name: "a colon elsewhere", documents: one(`"xlink:href"`)},
		{name: "once a name", documents: []string{`{"id":"a","x-y":1,"z":{"x-y":1}}`, `{"id":"b","x-y":1}`}, want: []string{"info x-y 1:11"}},
		{name: "many together", documents: []string{`{"id":"a",` + strings.Join(kebab, ",") + `}`}, want: []string{"info part-a 1:11"}, message: "8 names with the same fault"},
		{name: "free-form objects", documents: []string{`{"id":"a","headers":{"Content-Type":"x","X-Id":"y"},"labels":{"app.kubernetes.io/name":"z"}}`}},
		{name: "languages", documents: []string{`{"id":"a","title":{"pt-BR":"x","zh-Hans":"y"}}`}},
		{name: "numbers are data", documents: []string{`{"id":"a","seats":{"12":"x","13":"y"}}`}},
		{name: "things of one shape", documents: []string{`{"id":"a","dishes":{"beef-pie":{"time":1,"cost":2},"egg-soup":{"time":2,"cost":3},"rice":{"time":2,"cost":1}}}`}},
		{name: "system fields", documents: []string{`{"id":"a","@metadata":{"x":1},"_etag":"x","@type":"y"}`}},
		{name: "two styles", documents: []string{`{"id":"a","firstName":1,"lastName":2,"home_town":3,"shoe_size":4}`}, want: []string{"info  1:38"},
			message: "2 in camelCase (\"firstName\") and 2 in snake_case (\"home_town\")"},
		{name: "one stray", documents: []string{`{"id":"a","firstName":1,"lastName":2,"home_town":3}`}},
		{name: "metadata of a framework", documents: []string{`{"id":"a","firstName":1,"lastName":2,"created_at":3,"updated_at":4}`}},
		{name: "one style", documents: []string{`{"_id":"a","__v":1,"first_name":1,"last_name":2,"age":3}`}},
	})
}

func TestKeyedObjectArray(t *testing.T) {
	t.Parallel()
	images := `{"id":"a%d","images":[{"thumbnail":"t.png"},{"profile":"p.png"}]}`
	expect(t, "keyed-object-array", []expectation{
		{name: "images", documents: numbered(2, images), want: []string{"info images 1:12"}, message: `"thumbnail", "profile" (4 elements in 2 arrays)`},
		{name: "many documents", documents: numbered(20, images), want: []string{"warning images 1:12"}},
		{name: "too few", documents: numbered(1, images)},
		{name: "one name", documents: numbered(5, `{"id":"a%d","images":[{"url":"t.png"},{"url":"p.png"}]}`)},
		{name: "two members", documents: numbered(5, `{"id":"a%d","contacts":[{"email":"x"},{"phone":"y","extension":"1"}]}`)},
		{name: "tagged union", documents: numbered(5, `{"id":"a%d","blocks":[{"text":{"body":"x"}},{"image":{"url":"y","width":1}}]}`)},
		{name: "values of two types", documents: numbered(5, `{"id":"a%d","blocks":[{"text":"x"},{"size":1}]}`)},
		{name: "conditions", documents: numbered(5, `{"id":"a%d","rules":[{"eq":"x"},{"gt":"1"}],"query":[{"$match":"x"},{"$limit":"y"}],"logic":[{"==":"1"},{">":"2"}]}`)},
		{name: "security schemes", documents: numbered(5, `{"id":"a%d","security":[{"oauth":[]},{"key":[]}]}`)},
		{name: "wrappers", documents: numbered(5, `{"id":"a%d","refs":[{"$oid":"5f1d7a3e9b1c4a0012ab34c1"},{"$date":"2026-01-01T00:00:00Z"}]}`)},
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
			found := findingsOf(t, "keyed-object-array", database{"items": {c.document}}, jsonlint.Options{})
			require.Len(t, found, 1)
			assert.JSONEq(t, c.want, string(found[0].Fixes[0].After[0].Document))
			assertKeepsValues(t, found[0].Fixes[0])
		})
	}
}

func TestPartitionKey(t *testing.T) {
	t.Parallel()
	key := func(path, db string) jsonlint.Options {
		return jsonlint.Options{DB: db, Collections: map[string]jsonlint.CollectionOptions{"items": {PartitionKey: path}}}
	}
	tenants := func(n, values int) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = fmt.Sprintf(`{"id":"i%d","tenant":"t%d"}`, i, i%values)
		}
		return out
	}
	skewed := tenants(400, 100)
	for i := range 120 {
		skewed[3*i] = fmt.Sprintf(`{"id":"i%d","tenant":"big"}`, 3*i)
	}
	expect(t, "partition-key", []expectation{
		{name: "absent", options: key("/tenant", "cosmosdb"), documents: []string{`{"id":"a","tenant":"x"}`, `{"id":"b"}`}, want: []string{"error tenant 2:1"},
			message: "1 of 2 documents lacks the partition key tenant (absent here)"},
		{name: "null and empty", options: key("/tenant", "cosmosdb"), documents: []string{`{"id":"a","tenant":"x"}`, `{"id":"b","tenant":null}`, `{"id":"c","tenant":""}`},
			want: []string{"error tenant 2:20"}, message: "2 of 3 documents lack the partition key tenant (null here)"},
		{name: "nowhere", options: key("/tenant", "cosmosdb"), documents: numbered(3, `{"id":"a%d"}`), want: []string{"error tenant 1:1"}},
		{name: "nested", options: key("/a/b", "cosmosdb"), documents: []string{`{"id":"a","a":{"b":"x"}}`, `{"id":"b","a":{}}`}, want: []string{"error a.b 2:1"}},
		{name: "mixed type", options: key("/tenant", "cosmosdb"), documents: []string{`{"id":"a","tenant":"1"}`, `{"id":"b","tenant":2}`, `{"id":"c","tenant":"3"}`},
			want: []string{"error tenant 2:20"}, message: "is a string in 2 documents and a number in 1 document: 2 here, but \"1\""},
		{name: "few values", options: key("/tenant", "cosmosdb"), documents: tenants(1000, 4), want: []string{"warning tenant 1:21"}, message: "has 4 values in 1,000 documents"},
		{name: "enough values", options: key("/tenant", "cosmosdb"), documents: tenants(1000, 200)},
		{name: "few documents", options: key("/tenant", "cosmosdb"), documents: tenants(500, 4)},
		{name: "few values by name", options: key("/status", "cosmosdb"), documents: []string{`{"id":"a","status":"open"}`, `{"id":"b","status":"done"}`},
			want: []string{"warning status 1:20"}},
		{name: "skew", options: key("/tenant", "dynamodb"), documents: skewed, want: []string{"warning tenant 1:21"}, message: `have the partition key tenant "big"`},
		{name: "long", options: key("/tenant", "cosmosdb"), documents: []string{`{"id":"a","tenant":"` + strings.Repeat("x", 2049) + `"}`}, want: []string{"error tenant 1:20"}},
		{name: "longer than old containers tell apart", options: key("/tenant", "cosmosdb"), documents: []string{`{"id":"a","tenant":"` + strings.Repeat("x", 102) + `"}`},
			want: []string{"info tenant 1:20"}},
		{name: "short enough", options: key("/tenant", "cosmosdb"), documents: []string{`{"id":"a","tenant":"` + strings.Repeat("x", 101) + `"}`}},
		{name: "mutable", options: key("/city", "cosmosdb"), documents: []string{
			`{"id":"a","name":"Ann","city":"Kiel","age":30,"updatedAt":"2026-01-01"}`, `{"id":"b","name":"Bob","city":"Bonn","age":31,"updatedAt":"2026-01-01"}`,
			`{"id":"a","name":"Ann","city":"Jena","age":30,"updatedAt":"2026-02-01"}`,
		}, want: []string{"warning city 3:7"}, message: `changed from "Kiel" to "Jena"`},
		{name: "the id itself", options: key("/id", "cosmosdb"), documents: numbered(30, `{"id":"a%d"}`)},
		{name: "not configured", documents: []string{`{"id":"a","tenant":"x"}`, `{"id":"b"}`}},
	})
}

func TestDuplicateKey(t *testing.T) {
	t.Parallel()
	expect(t, "duplicate-key", []expectation{
		{name: "at the root", documents: []string{`{"id":"a","n":1}`, `{"id":"b","n":1, "m":2,"n":3}`}, want: []string{"error n 2:24"},
			message: `"n" occurs twice in one object, as 1 and then as 3`},
		{name: "below", documents: []string{`{"id":"a","x":{"y":[{"n":1,"n":"1"}]}}`}, want: []string{"error x.y[].n 1:28"}},
		{name: "escaped", documents: []string{`{"id":"a","name":1,"\u006eame":2}`}, want: []string{"error name 1:20"}},
		{name: "three times", documents: []string{`{"id":"a","n":1,"n":2,"n":3}`}, want: []string{"error n 1:17"}},
		{name: "objects and lists", documents: []string{`{"id":"a","n":{"a":1},"n":[1]}`}, want: []string{"error n 1:23"}},
		{name: "in different objects", documents: []string{`{"id":"a","n":{"n":1},"m":[{"n":1},{"n":2}]}`, `{"id":"b","n":1}`}},
		{name: "case differs", documents: []string{`{"id":"a","n":1,"N":2}`}},
	})
}

// TestDuplicateKeyEdit applies the edit: the first of the two goes.
func TestDuplicateKeyEdit(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text, want string
		safety     finding.Safety
	}{
		"different values": {`{"id":"a","n":1, "m":2,"n":3}`, `{"id":"a","m":2,"n":3}`, finding.Unsafe},
		"equal values":     {`{"id":"a","n":{"x":[1,2]} , "n":{"x":[1,2]}}`, `{"id":"a","n":{"x":[1,2]}}`, finding.Safe},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "items.jsonl")
			require.NoError(t, os.WriteFile(file, []byte(c.text+"\n"), 0o600))
			found := findingsIn(t, "duplicate-key", []string{file}, jsonlint.Options{})
			require.Len(t, found, 1)
			require.Len(t, found[0].Fixes, 1)
			fix := found[0].Fixes[0]
			assert.Equal(t, c.safety, fix.Safety)
			require.Len(t, fix.Edits, 1)
			edit := fix.Edits[0]
			assert.Equal(t, c.want, c.text[:edit.Start]+edit.NewText+c.text[edit.End:])
		})
	}
}
