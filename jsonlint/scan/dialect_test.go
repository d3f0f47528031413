package scan

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

const dynamoItem = `{"id":{"S":"a\n"},"n":{"N":"1"},"f":{"N":"1.5E+2"},"ok":{"BOOL":true},"none":{"NULL":true},"b":{"B":"QQ=="},` +
	`"list":{"L":[{"S":"x"},{"L":[]},{"M":{"k":{"N":"2"}}}]},"map":{"M":{"a":{"M":{}},"z":{"S":""}}},` +
	`"ss":{"SS":["p","q"]},"ns":{"NS":["1","2.5"]},"bs":{"BS":["QQ=="]}}`

const dynamoPlain = `{id:"a\\n" n:1 f:1.5E+2 ok:true none:true b:binary QQ== list:["x" [] {k:2}] map:{a:{} z:""} ss:["p" "q"] ns:[1 2.5] bs:[binary QQ==]}`

const firestoreDocument = `{"name":"projects/p/databases/(default)/documents/posts/p1","fields":{` +
	`"name":{"stringValue":"x"},"i":{"integerValue":"1"},"d":{"doubleValue":1.5},"w":{"doubleValue":2},"nan":{"doubleValue":"NaN"},` +
	`"b":{"booleanValue":false},"t":{"timestampValue":"2020-01-02T03:04:05Z"},` +
	`"r":{"referenceValue":"projects/p/databases/(default)/documents/users/u1"},"g":{"geoPointValue":{"latitude":1,"longitude":-2.5}},` +
	`"y":{"bytesValue":"QQ=="},"z":{"nullValue":null},"m":{"mapValue":{"fields":{"k":{"stringValue":"v"}}}},"em":{"mapValue":{}},` +
	`"l":{"arrayValue":{"values":[{"integerValue":"1"},{"mapValue":{"fields":{}}}]}},"el":{"arrayValue":{}}},` +
	`"createTime":"2020-01-02T03:04:05Z","updateTime":"2020-01-02T03:04:05Z"}`

const firestorePlain = `{name:"x" i:1 d:1.5 w:2 nan:NaN b:false t:date 2020-01-02T03:04:05Z r:"u1" g:{latitude:1 longitude:-2.5} ` +
	`y:binary QQ== z:null m:{k:"v"} em:{} l:[1 {}] el:[]}`

func TestDialects(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		dialect Dialect
		src     string
		want    string
		ident   string
	}{
		{"DynamoDB item", DynamoDB, dynamoItem, dynamoPlain, ""},
		{"DynamoDB export", DynamoDB, `{"Item":` + dynamoItem + `}`, dynamoPlain, ""},
		{"DynamoDB batch", DynamoDB, `{"PutRequest":{"Item":` + dynamoItem + `}}`, dynamoPlain, ""},
		{"DynamoDB attribute named PutRequest", DynamoDB, `{"PutRequest":{"M":{"a":{"S":"x"}}}}`, `{PutRequest:{a:"x"}}`, ""},
		{"DynamoDB attribute named Item", DynamoDB, `{"Item":{"S":"x"}}`, `{Item:"x"}`, ""},
		{"DynamoDB among plain values", DynamoDB, `{"a":{"S":"x"},"b":[{"S":1},2],"c":{"N":"x"},"d":{"SS":[1]}}`, `{a:"x" b:[{S:1} 2] c:{N:"x"} d:{SS:[1]}}`, ""},
		{"Firestore document", Firestore, firestoreDocument, firestorePlain, "p1"},
		{"Firestore query answer", Firestore, `{"document":` + firestoreDocument + `,"readTime":"2020-01-02T03:04:05Z"}`, firestorePlain, "p1"},
		{"Firestore document without fields", Firestore, `{"name":"projects/p/databases/d/documents/c/i","createTime":"2020-01-02T03:04:05Z"}`, `{}`, "i"},
		{"Firestore document under its id", Firestore, `{"id":"i","fields":{"a":{"stringValue":"x"}}}`, `{a:"x"}`, "i"},
		{"Firestore among others", Firestore, `{"fields":{"a":{"stringValue":"x"}}}`, `{fields:{a:{stringValue:"x"}}}`, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := Parser{Dialect: test.dialect}
			doc, err := p.Parse([]byte(test.src))
			require.NoError(t, err)
			checkTape(t, doc)
			assert.Equal(t, test.want, render(doc, 0))
			assert.Equal(t, test.src, string(doc.Raw(0)))
			assert.Equal(t, test.ident, string(test.src[doc.Ident.A:doc.Ident.B]))
		})
	}
}

func TestDialectOffsets(t *testing.T) {
	t.Parallel()
	p := Parser{Dialect: DynamoDB}
	doc, err := p.Parse([]byte(`{"a":{"L":[{"N":"1.5"}]}}`))
	require.NoError(t, err)
	assert.Equal(t, []Token{
		{0, 25, 4, 1, Object, 0},
		{1, 4, 2, 3, String, Key},
		{5, 24, 4, 1, Array, Wrapped},
		{11, 22, 17, 20, Number, Wrapped | Float},
	}, doc.Tokens)
}

func TestDetectDialect(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat(`{"L":[`, 200) + `{"S":"x"}` + strings.Repeat(`]}`, 200)
	tests := []struct {
		src  string
		want Dialect
	}{
		{dynamoItem, DynamoDB},
		{`{"Item":` + dynamoItem + `}`, DynamoDB},
		{`{"a":{"S":"x"}}`, DynamoDB},
		{firestoreDocument, Firestore},
		{`{"document":` + firestoreDocument + `,"readTime":"2020-01-02T03:04:05Z"}`, Firestore},
		{`{}`, Plain},
		{`{"Item":{}}`, Plain},
		{`[]`, Plain},
		{`{"S":"x"}`, Plain},
		{`{"_id":1,"size":{"S":"x"}}`, Plain},
		{`{"size":{"S":1}}`, Plain},
		{`{"size":{"S":"x","M":{}}}`, Plain},
		{`{"a":{"S":"x"},"b":{"L":[{"S":"y"},1]}}`, Plain},
		{`{"a":{"N":"twelve"}}`, Plain},
		{`{"a":` + deep + `}`, Plain},
		{`{"name":"x","fields":{"a":{"stringValue":"x"}}}`, Plain},
		{`{"id":"x","fields":{"a":{"stringValue":"x"}}}`, Firestore},
		{`{"id":1,"fields":{"a":{"stringValue":"x"}}}`, Plain},
		{`{"id":"x","fields":{"a":"x"}}`, Plain},
		{`{"id":"x","fields":{}}`, Plain},
		{`{"id":"x"}`, Plain},
		{`{"id":"x","fields":["a"]}`, Plain},
		{`{"id":"x","name":"n","fields":{"a":{"stringValue":"x"}}}`, Plain},
		{`{"id":"x","state":"new","fields":{"a":{"stringValue":"x"}}}`, Plain},
		{strings.Replace(firestoreDocument, `"stringValue":"x"`, `"stringValue":1`, 1), Plain},
		{strings.Replace(firestoreDocument, `"createTime"`, `"created"`, 1), Plain},
	}
	for _, test := range tests {
		var p Parser
		doc, err := p.Parse([]byte(test.src))
		require.NoError(t, err)
		assert.Equal(t, test.want, DetectDialect(doc), test.src)
	}
	assert.Equal(t, Plain, DetectDialect(&Document{}))
}

// TestDetectDialectByLayout checks that the detected dialect does not depend on
// whether the document's layout is known.
func TestDetectDialectByLayout(t *testing.T) {
	t.Parallel()
	names := []string{"name", "fields", "createTime", "updateTime", "document", "readTime", "Item", "a"}
	values := []string{
		`"projects/p/databases/d/documents/posts/p1"`, `"text"`, `1`, `null`, `[]`, `{}`, `{"S":"x"}`, `{"S":1}`, `{"N":"1"}`, `{"N":"x"}`, `{"N":"x","S":"y"}`,
		`{"a":{"S":"x"}}`, `{"a":{"stringValue":"x"}}`, `{"a":{"stringValue":1}}`,
		`{"name":"projects/p/databases/d/documents/posts/p1","fields":{"a":{"integerValue":"1"}}}`,
		`{"name":"text","fields":{"a":{"integerValue":"1"}}}`, `{"$numberInt":"1"}`,
	}
	rapid.Check(t, func(t *rapid.T) {
		shapes := rapid.SliceOfN(rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 4, rapid.ID), 1, 3).Draw(t, "shapes")
		var p Parser
		for range rapid.IntRange(1, 40).Draw(t, "documents") {
			var members []string
			for _, name := range rapid.SampledFrom(shapes).Draw(t, "shape") {
				members = append(members, `"`+name+`":`+rapid.SampledFrom(values).Draw(t, "value"))
			}
			d, err := p.Parse([]byte("{" + strings.Join(members, ",") + "}"))
			require.NoError(t, err)
			unknown := *d
			unknown.Records = nil
			require.Equal(t, DetectDialect(&unknown), DetectDialect(d), "%s", d.Src)
		}
	})
}
