package docmodel_test

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/analyzers/docmodel"
	"github.com/shapevet/shapevet/internal/lexicon"
)

const mongoHead = `package store
import ("context"; "time"; "go.mongodb.org/mongo-driver/v2/bson"; "go.mongodb.org/mongo-driver/v2/mongo")
var c *mongo.Collection
var ctx = context.Background()
var _ time.Time
var _ bson.M
`

// TestEmptied finds lists that code never fills.
func TestEmptied(t *testing.T) {
	t.Parallel()
	p := one(t, mongoHead+`
type Doc struct { ID, Title string; Old, New, Read, Pushed []string }
func add(title string) { c.InsertOne(ctx, Doc{Title: title, Old: []string{}, Pushed: nil}) }
func edit(d, before *Doc) { d.Old = before.Old; d.New = nil; d.New = d.Old; d.New = append(d.New, d.Title) }
func push(d *Doc) { c.UpdateByID(ctx, d.ID, bson.M{"$push": bson.M{"pushed": d.Title}}) }
`)
	d := document(p, "Doc")
	for name, emptied := range map[string]bool{"old": true, "new": false, "read": false, "pushed": false} {
		assert.Equal(t, emptied, p.Emptied(field(d, name)), name)
	}
}

// TestUnset finds fields that code leaves out of the documents it stores.
func TestUnset(t *testing.T) {
	t.Parallel()
	p := one(t, strings.Replace(mongoHead, `"time"`, `"encoding/json"; "time"`, 1)+`
type Part struct { Name string }
type Doc struct { ID, Title string; Never, Cleared, Given, Later, Set Part }
func add(title string) { d := Doc{Title: title, Given: Part{title}}; d.Later.Name = title; d.Later = Part{title}; c.InsertOne(ctx, d) }
func edit(id, title string) { c.UpdateByID(ctx, id, bson.M{"$set": bson.M{"set": Part{title}}, "$unset": bson.M{"cleared": ""}}) }
type Sent struct { ID, Title string; Part Part }
type Pair struct { ID string; Part Part }
func pair(id string) { c.InsertOne(ctx, Pair{ID: id}); c.InsertOne(ctx, Pair{id, Part{id}}) }
func receive(body []byte) { s := Sent{}; json.Unmarshal(body, &s); c.InsertOne(ctx, s) }
type Both struct { ID, Title string; Part Part }
func both(body []byte) { var b Both; json.Unmarshal(body, &b); c.InsertOne(ctx, b); c.InsertOne(ctx, Both{Title: "t"}) }
type Later struct { ID, Title string; Part Part }
func later(title string) { l := &Later{}; l.Title = title; c.InsertOne(ctx, l); json.NewEncoder(nil).Encode(l) }
type Apart struct { ID, Title string; Part Part }
var none = Apart{}
func apart() { c.InsertOne(ctx, &Apart{}) }
func title(a *Apart) { a.Title = "t"; c.ReplaceOne(ctx, bson.M{"_id": a.ID}, a) }
type Shown struct { ID, Title string; Part Part }
func shown(title string) []byte { s := &Shown{Title: title}; c.InsertOne(ctx, s); b, _ := json.Marshal(s); return b }
func look(title string) string { return key(Sent{Title: title}) }
func key(s Sent) string { return s.Title }
`)
	d := document(p, "Doc")
	assert.False(t, p.Unset(field(document(p, "Both"), "part")), "a request fills it too")
	for name, unset := range map[string]bool{"never": true, "cleared": true, "given": false, "later": false, "set": false} {
		assert.Equal(t, unset, p.Unset(field(d, name)), name)
	}
	assert.False(t, p.Unset(field(document(p, "Sent"), "part")), "a request fills it")
	assert.True(t, p.Unset(field(document(p, "Later"), "part")), "statements fill the other fields of an empty value")
	assert.False(t, p.Unset(field(document(p, "Apart"), "part")), "an empty value says nothing of its fields")
	assert.True(t, p.Unset(field(document(p, "Shown"), "part")), "an encoder only reads")
	assert.False(t, p.Unset(field(document(p, "Pair"), "part")), "a literal without names fills it")
}

// TestDeclared finds documents by what types say about themselves.
func TestDeclared(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		body        string
		collections []string
		confidence  float64
	}{
		"TableName":       {`func (Doc) TableName() string { return "docs" }`, []string{"docs"}, 0.4},
		"CollectionName":  {`func (*Doc) CollectionName() string { return "docs" }`, []string{"docs"}, 0.4},
		"DocType":         {`func (Doc) DocType() string { return "doc" }`, []string{"doc"}, 0.4},
		"DDBKeys":         {`func (d Doc) DDBKeys() (string, string) { return d.ID, d.ID }`, nil, 0.4},
		"directive":       {"", []string{"docs"}, 1},
		"nothing":         {"", nil, 0},
		"not by a method": {`func (d Doc) TableName() string { return d.ID }`, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			head := mongoHead + "type Other struct { ID string }\nfunc store(o Other) { c.InsertOne(ctx, o) }\n"
			if name == "directive" {
				head += "//shapevet:document collection=docs db=mongodb partition=/id\n"
			}
			d := document(one(t, head+"type Doc struct { ID string }\n"+test.body), "Doc")
			if test.confidence == 0 {
				assert.Nil(t, d)
				return
			}
			require.NotNil(t, d)
			assert.InDelta(t, test.confidence, d.Confidence, 0.001)
			assert.Equal(t, test.collections, d.Collections)
		})
	}
}

// TestDeclaredAlone finds documents by what types say about themselves where
// nothing is seen to be stored.
func TestDeclaredAlone(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`func (Doc) TableName() string { return "docs" }`,
		`func (d Doc) DDBKeys() (string, string) { return d.ID, d.ID }`,
	} {
		d := document(one(t, "package model\ntype Doc struct { ID string }\n"+body), "Doc")
		require.NotNil(t, d)
		assert.InDelta(t, 0.6, d.Confidence, 0.001)
	}
}

// TestTagsOfAnother takes the tags of a type for evidence only where they are written.
func TestTagsOfAnother(t *testing.T) {
	t.Parallel()
	p := one(t, "package model\ntype Doc struct { ID string `bson:\"_id\"` }\ntype plain Doc")
	assert.NotNil(t, document(p, "Doc"))
	assert.Nil(t, document(p, "plain"), "a copy without the methods of Doc")
}

// TestNoDocuments leaves out what is not stored.
func TestNoDocuments(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"notdocument":      "//shapevet:notdocument\ntype Doc struct { ID string `bson:\"_id\"` }; func f(d Doc) { c.InsertOne(ctx, d) }",
		"filter":           "type DocFilter struct { Name string `bson:\"name,omitempty\"` }; func f(d DocFilter) { c.Find(ctx, d) }",
		"partial update":   "type DocUpdate struct { Name *string `bson:\"name,omitempty\"` }; func f(d DocUpdate) { c.UpdateOne(ctx, nil, bson.M{\"$set\": d}) }",
		"operators":        "type Change struct { Set bson.M `bson:\"$set,omitempty\"`; Unset bson.M `bson:\"$unset,omitempty\"` }; func f(d Change) { c.ReplaceOne(ctx, nil, d) }",
		"computed":         "type Sum struct { ID string `bson:\"_id\"`; Total int `bson:\"total\"` }; func f() { var s []Sum; r, _ := c.Aggregate(ctx, nil); r.All(ctx, &s) }",
		"request":          "type DocRequest struct { ID string `json:\"id\"` }",
		"settings":         "type Settings struct { ID string `env:\"ID\"`; Name string `json:\"id\"` }",
		"page of a list":   "type Doc struct { ID string }; type Docs struct { Total int `bson:\"total\"`; Items []Doc `bson:\"items\"` }; func f() { var s Docs; c.FindOne(ctx, nil).Decode(&s) }",
		"written out":      "type Author struct { Name string }; func f(a Author) { c.InsertOne(ctx, bson.M{\"author\": a}); c.InsertOne(ctx, bson.D{{Key: \"author\", Value: a}}) }",
		"shared element":   "type Part struct { Name string }; func marshal(p Part) bson.D { d := make(bson.D, 1); d[0].Value = &p; return d }; func f(v any) { d := bson.D{{Key: \"v\", Value: v}}; c.InsertOne(ctx, d[0].Value) }",
		"local":            "func f() { type doc struct { ID string }; c.InsertOne(ctx, doc{}) }",
		"not of a library": "type Doc struct { ID string }; type other struct{}; func (other) InsertOne(v any) {}; func f(o other) { o.InsertOne(Doc{}) }",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := one(t, mongoHead+body)
			for _, d := range p.Documents() {
				assert.False(t, d.Confidence >= 0.5 && !d.View, "%s: %v", d.Name, d.Reasons)
			}
		})
	}
}

// TestExpressionValues leaves out a struct that an update of DynamoDB sets an attribute to.
func TestExpressionValues(t *testing.T) {
	t.Parallel()
	const head = `package p; import ("github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"; "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"); type Rank struct { Points int }
		func f(r Rank) { made, _ := attributevalue.MarshalMap(r); put(map[string]types.AttributeValue{"%s": &types.AttributeValueMemberM{Value: made}}) }; func put(map[string]types.AttributeValue) {}`
	assert.Empty(t, one(t, fmt.Sprintf(head, ":rank")).Documents())
	assert.Len(t, one(t, fmt.Sprintf(head, "rank")).Documents(), 1, "a part of an item")
}

func TestGenerated(t *testing.T) {
	t.Parallel()
	p := one(t, "// Code generated by hand. DO NOT EDIT.\n\n"+mongoHead+"type Doc struct { ID string }; func f(d Doc) { c.InsertOne(ctx, d) }")
	require.NotNil(t, document(p, "Doc"))
	assert.True(t, document(p, "Doc").Generated)
}

// TestGeneratedClient takes a generated client for a database as a library.
func TestGeneratedClient(t *testing.T) {
	t.Parallel()
	p, _ := program(t, map[string]string{
		"app/api": "package api\ntype Post struct { ID string `json:\"id\"` }",
		"app/cosmosdb": `// Code generated by a tool. DO NOT EDIT.

package cosmosdb
import "app/api"
type PostClient interface { Create(key string, p *api.Post, o *Options) error }
type Options struct{}
type Page struct { Count int }`,
		"app/database": `package database
import ("app/api"; "app/cosmosdb")
func f(c cosmosdb.PostClient, p *api.Post) { c.Create("1", p, nil) }`,
	})
	require.Equal(t, []string{"Post"}, sure(p))
	assert.Equal(t, docmodel.JSON, document(p, "Post").Codec)
}

// TestFields lists fields as each codec stores them.
// TestTimestamp tells by the name whether a number holds a time.
func TestTimestamp(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"CreatedAt": true, "SeenOn": true, "EventTime": true, "StartDate": true, "Ts": true, "At": true, "When": true, "CreatedTS": true,
		"Lifetime": false, "Runtime": false, "Update": false, "Format": false, "Season": false, "": false,
	} {
		field := &docmodel.Field{Name: lexicon.Fold(name), Kind: docmodel.Number, Var: types.NewField(token.NoPos, nil, name, types.Typ[types.Int64], false)}
		assert.Equal(t, want, docmodel.Timestamp([]*docmodel.Field{field}) != nil, name)
	}
}

func TestFields(t *testing.T) {
	t.Parallel()
	const types = "type Base struct { Made time.Time `bson:\"made\" json:\"made\" dynamodbav:\"made\" firestore:\"made\"` }\n" +
		"type Inner struct { DeepName string }\n" +
		"type Inners []*Inner\n" +
		"type Box[T any] struct { Value T }\n" +
		"type ByName map[string][]Inner\n" +
		"type Same = Inner\n" +
		"type Coded struct { Plain string }\n" +
		"func (Coded) MarshalText() ([]byte, error) { return nil, nil }\n" +
		"type Doc struct {\n" +
		"	Base `bson:\",inline\"`\n" +
		"	FirstName string\n" +
		"	LastName string `bson:\"last,omitempty\" json:\"family,omitempty\" dynamodbav:\"av\" firestore:\"fs\"`\n" +
		"	Hidden string `bson:\"-\" json:\"-\" dynamodbav:\"-\" firestore:\"-\"`\n" +
		"	Dash string `json:\"-,\"`\n" +
		"	private string\n" +
		"	List *[]Inner\n" +
		"	Named Inners\n" +
		"	Maps ByName\n" +
		"	Matrix [][]int\n" +
		"	Fixed [3]int\n" +
		"	Generic Box[Inner]\n" +
		"	Alias Same\n" +
		"	Coded Coded\n" +
		"	Self *Doc\n" +
		"	Any any\n" +
		"	Raw []byte\n" +
		"}\n"
	for name, test := range map[string]struct {
		imports, store string
		paths          []string
	}{
		"bson": {
			`"context"; "go.mongodb.org/mongo-driver/v2/mongo"`, `func f(c *mongo.Collection, d Doc) { c.InsertOne(context.Background(), d) }`,
			[]string{"made", "firstname", "last", "dash", "list", "list[].deepname", "named", "named[].deepname", "maps", "maps{}[].deepname", "matrix", "fixed", "generic", "generic.value", "generic.value.deepname", "alias", "alias.deepname", "coded", "self", "any", "raw"},
		},
		"json": {
			`"github.com/couchbase/gocb/v2"`, `func f(c *gocb.Collection, d Doc) { c.Insert("", d, nil) }`,
			[]string{"made", "FirstName", "family", "-", "List", "List[].DeepName", "Named", "Named[].DeepName", "Maps", "Maps{}[].DeepName", "Matrix", "Fixed", "Generic", "Generic.Value", "Generic.Value.DeepName", "Alias", "Alias.DeepName", "Coded", "Self", "Any", "Raw"},
		},
		"dynamodbav": {
			`"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"`, `func f(d Doc) { attributevalue.MarshalMap(d) }`,
			[]string{"made", "FirstName", "av", "Dash", "List", "List[].DeepName", "Named", "Named[].DeepName", "Maps", "Maps{}[].DeepName", "Matrix", "Fixed", "Generic", "Generic.Value", "Generic.Value.DeepName", "Alias", "Alias.DeepName", "Coded", "Self", "Any", "Raw"},
		},
		"firestore": {
			`"context"; "cloud.google.com/go/firestore"`, `func f(c *firestore.CollectionRef, d Doc) { c.Add(context.Background(), d) }`,
			[]string{"made", "FirstName", "fs", "Dash", "List", "List[].DeepName", "Named", "Named[].DeepName", "Maps", "Maps{}[].DeepName", "Matrix", "Fixed", "Generic", "Generic.Value", "Generic.Value.DeepName", "Alias", "Alias.DeepName", "Coded", "Self", "Any", "Raw"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := document(one(t, "package store\nimport (\"time\"; "+test.imports+")\n"+types+test.store), "Doc")
			require.NotNil(t, d)
			var paths []string
			docmodel.All(d.Fields, func(f *docmodel.Field) {
				if f.Kind != docmodel.Object || f.Struct == nil || f.Struct.Obj().Name() != "Coded" {
					paths = append(paths, f.Path)
				}
			})
			assert.Equal(t, test.paths, paths)
		})
	}
}

// TestShapes says what fields hold.
func TestShapes(t *testing.T) {
	t.Parallel()
	p, _ := program(t, map[string]string{
		"other/lib": "package lib\ntype Thing struct { Name string }",
		"app/store": mongoHead + `
type Part struct { N int }
type Wide struct { W int }
func (Wide) MarshalBSON() ([]byte, error) { return nil, nil }
type Doc struct {
	Embedded
	Parts []Part
	Score float64 ` + "`bson:\"score,omitempty\"`" + `
	ByID map[bson.ObjectID]Part
	Pairs [2][]int
	Owner bson.ObjectID
	Self *Doc
	Wide Wide
	At time.Time
	Day Day
	Raw []byte
}
type Day time.Time
type Embedded struct { Name string }
func f(d *Doc) { c.InsertOne(ctx, d) }`,
	})
	d := document(p, "Doc")
	require.NotNil(t, d)
	assert.NotNil(t, field(d, "embedded.name"), "bson does not flatten an embedded struct by itself")
	assert.True(t, field(d, "parts").List())
	assert.Equal(t, "Part", field(d, "parts").Struct.Obj().Name())
	assert.True(t, field(d, "score").Tag.Has("omitempty"))
	assert.True(t, field(d, "byid").Map())
	assert.Equal(t, docmodel.ObjectID, docmodel.KindOf(field(d, "byid").MapKey, docmodel.BSON))
	assert.True(t, field(d, "pairs").Nested)
	assert.EqualValues(t, 2, field(d, "pairs").Array)
	assert.Equal(t, docmodel.ObjectID, field(d, "owner").Kind)
	assert.True(t, field(d, "self").Recurses)
	assert.True(t, field(d, "wide").Custom)
	assert.Equal(t, docmodel.Time, field(d, "at").Kind)
	assert.Equal(t, docmodel.Time, field(d, "day").Kind, "codecs convert it")
	assert.Equal(t, docmodel.Bytes, field(d, "raw").Kind)
	assert.Equal(t, 2, field(d, "parts[].n").Depth-field(d, "parts").Depth)
}

// TestRegisteredEncoders knows nothing of what a type is stored as that the
// program has an encoder for.
func TestRegisteredEncoders(t *testing.T) {
	t.Parallel()
	p := one(t, strings.Replace(mongoHead, `"time"`, `"reflect"; "time"`, 1)+`
type Clock map[string]int
type Other map[string]int
type Tree map[string]int
func (Tree) MarshalBSON() ([]byte, error) { return nil, nil }
type Doc struct { At Clock; More Other; Tree Tree }
type registry struct{}
func (registry) RegisterTypeEncoder(t reflect.Type, v any) {}
var clock = reflect.TypeOf(Clock{})
func register(r registry) { r.RegisterTypeEncoder(clock, nil) }
func store(d Doc) { c.InsertOne(ctx, d) }`)
	d := document(p, "Doc")
	assert.False(t, field(d, "at").Map())
	assert.True(t, field(d, "at").WritesItself())
	assert.False(t, field(d, "tree").Map(), "a method writes it")
	assert.True(t, field(d, "more").Map())
}

// TestManyConditions reads a query that is made under many conditions: the ways to
// make it double with each of them.
func TestManyConditions(t *testing.T) {
	t.Parallel()
	text := strings.Replace(mongoHead, `"time"`, `"time"; "cloud.google.com/go/firestore"`, 1) + `
type Doc struct { ID string ` + "`firestore:\"id\"`" + ` }
func all(f *firestore.Client, n int) {
	f.Collection("docs").Doc("a").Set(ctx, Doc{})
	q := f.Collection("docs").Where("id", ">", n)
` + strings.Repeat("\tif n > 1 { q = q.Where(\"id\", \">\", n) }\n", 60) + `	q.Where("id", "<", n).Documents(ctx)
}`
	assert.Equal(t, []string{"docs"}, document(one(t, text), "Doc").Collections)
}

// TestContents: what code puts into a field of any type when it makes a document is part
// of the document, and what it puts into one that it has read is not.
func TestContents(t *testing.T) {
	t.Parallel()
	p, _ := program(t, map[string]string{"app": `package app
import "go.mongodb.org/mongo-driver/v2/mongo"
type Chat struct { Detail any }
type Group struct { Members []string }
type Room struct { Guests []string }
type Shown struct { Fans []string }
func Add(c *mongo.Collection) { c.InsertOne(nil, Chat{Detail: Group{}}); c.InsertOne(nil, start(&Room{})) }
func start(detail any) *Chat { m := &Chat{}; m.Detail = detail; return m }
func Show(c *mongo.Collection) *Chat { d := get(c); d.Detail = &Shown{}; return d }
func get(c *mongo.Collection) *Chat { var d Chat; c.FindOne(nil, nil).Decode(&d); return &d }
`})
	chat := document(p, "Chat")
	assert.NotNil(t, field(chat, "detail.members"))
	assert.NotNil(t, field(chat, "detail.guests"))
	assert.Nil(t, field(chat, "detail.fans"))
	assert.Nil(t, field(chat, "detail").Struct, "it may hold either")
}

// TestContentsOfContents lists what a field holds that may hold any document, but not again
// below each of these.
func TestContentsOfContents(t *testing.T) {
	t.Parallel()
	body, fill := "", ""
	for _, name := range []string{"A", "B", "C", "D", "E", "F"} {
		body += "type " + name + " struct { ID string; Inside []any }\n"
		fill += "c.InsertOne(ctx, " + name + "{Inside: []any{A{}, B{}, C{}, D{}, E{}, F{}}})\n"
	}
	for i := range 20 {
		body += fmt.Sprintf("type Part%d struct { ID string }\n", i)
		fill += fmt.Sprintf("w.All = Part%d{}\n", i)
	}
	p := one(t, mongoHead+body+"type Wide struct { ID string; All any }\nfunc add() { w := Wide{}\n"+fill+"c.InsertOne(ctx, w) }\n")
	fields := 0
	docmodel.All(document(p, "A").Fields, func(*docmodel.Field) { fields++ })
	assert.Equal(t, 2+5*2, fields)
	assert.Len(t, document(p, "Wide").Fields[1].Fields, 0, "it may hold anything")
}

// TestEncodedContents lists what is encoded for the database, and not what is encoded as
// JSON.
func TestEncodedContents(t *testing.T) {
	t.Parallel()
	head := strings.Replace(mongoHead, "import (", `import ("encoding/json"; `, 1)
	p := one(t, head+`type Packed struct { B string }
type Text struct { C string }
type Entry struct { ID string; Raw any; Json any }
func add() {
	raw, _ := bson.Marshal(Packed{})
	text, _ := json.Marshal(Text{})
	c.InsertOne(ctx, Entry{Raw: raw, Json: text})
}
`)
	var names []string
	docmodel.All(document(p, "Entry").Fields, func(f *docmodel.Field) { names = append(names, f.Path) })
	assert.Equal(t, []string{"id", "raw", "raw.b", "json"}, names)
}

// TestWideTrees leaves out the deepest fields of a document that has very many.
func TestWideTrees(t *testing.T) {
	t.Parallel()
	body := "type L4 struct { ID string }\n"
	for level := range 4 {
		body += fmt.Sprintf("type L%d struct {\n", level)
		for i := range 12 {
			body += fmt.Sprintf("F%d L%d\n", i, level+1)
		}
		body += "}\n"
	}
	p := one(t, mongoHead+body+"func add() { c.InsertOne(ctx, L0{}); c.InsertOne(ctx, L2{}) }\n")
	count := func(name string) (fields int) {
		docmodel.All(document(p, name).Fields, func(*docmodel.Field) { fields++ })
		return fields
	}
	assert.Equal(t, 12+12*12+12*12*12, count("L0"), "of 12+12²+12³+2·12⁴")
	assert.Equal(t, 12+12*12+12*12, count("L2"), "all of them")
}
