package docmodel_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/analyzers/docmodel"
)

// TestUpdates reads updates in every spelling and ties them to fields.
func TestUpdates(t *testing.T) {
	t.Parallel()
	mongo := `"context"; "fmt"; "go.mongodb.org/mongo-driver/v2/bson"; "go.mongodb.org/mongo-driver/v2/mongo"`
	const insert = `; func g(c *mongo.Collection, d Doc) { c.InsertOne(context.Background(), d) }; var _ = fmt.Sprint; var _ bson.M`
	one2 := func(update string) string {
		return `func f(c *mongo.Collection, id string, v any) { c.UpdateOne(context.Background(), bson.M{"_id": id}, ` + update + `) }` + insert
	}
	firestore := func(update string) string {
		return `func f(d *firestore.DocumentRef, id string) { d.Update(context.Background(), []firestore.Update{` + update + `}) }; func g(c *firestore.CollectionRef, d Doc) { c.Add(context.Background(), d) }`
	}
	fire := `"context"; "cloud.google.com/go/firestore"`
	cosmos := func(update string) string {
		return `func f(id string) { var ops azcosmos.PatchOperations; ` + update + ` }; func g(c *azcosmos.ContainerClient, d Doc) { b, _ := json.Marshal(d); c.UpsertItem(context.Background(), azcosmos.PartitionKey{}, b, nil) }`
	}
	azure := `"context"; "encoding/json"; "github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"`
	dynamo := func(update string) string {
		return `func f() { ` + update + ` }; func g(d Doc) { attributevalue.MarshalMap(d) }`
	}
	aws := `"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"; "github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"`
	dynamo2 := func(update string) string {
		return `type Other Doc; func f(db *dynamo.DB, v any) { db.Table("docs").Update("id", 1).` + update + `.Run() }; func g(db *dynamo.DB, d Doc, o Other) { db.Table("docs").Put(d).Run(); db.Table("others").Put(o).Run() }`
	}
	guregu := `"github.com/guregu/dynamo"`
	aws2 := `"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"`
	couch := `"fmt"; "github.com/couchbase/gocb/v2"`
	gocb := func(spec string) string {
		return `func f(c *gocb.Collection, n int) { c.MutateIn("id", []gocb.MutateInSpec{` + spec + `}, nil) }; func g(c *gocb.Collection, d Doc) { c.Upsert("id", d, nil) }; var _ = fmt.Sprint`
	}
	merged := func(fields string) string {
		return `func f(d *firestore.DocumentRef) { d.Set(context.Background(), map[string]any{` + fields + `}, firestore.MergeAll) }; func g(c *firestore.CollectionRef, d Doc) { c.Add(context.Background(), d) }`
	}
	for name, test := range map[string]struct {
		imports, body string
		path          string
		check         func(*docmodel.Update) bool
		op            string
	}{
		"$push":                 {mongo, one2(`bson.M{"$push": bson.M{"items": v}}`), "items", nil, "$push"},
		"$push in D":            {mongo, one2(`bson.D{{"$push", bson.D{{"items", v}}}}`), "items", nil, "$push"},
		"$addToSet":             {mongo, one2(`bson.M{"$addToSet": bson.M{"items": v}}`), "items", nil, "$addToSet"},
		"$slice":                {mongo, one2(`bson.M{"$push": bson.M{"items": bson.M{"$each": bson.A{v}, "$slice": -3}}}`), "items", func(u *docmodel.Update) bool { return u.Sliced && u.Each }, "$push"},
		"$inc":                  {mongo, one2(`bson.M{"$inc": bson.M{"count": 1}}`), "count", nil, "$inc"},
		"$set":                  {mongo, one2(`bson.M{"$set": bson.M{"inner.name": v}}`), "inner.name", nil, "$set"},
		"$currentDate":          {mongo, one2(`bson.M{"$currentDate": bson.M{"count": true}}`), "count", func(u *docmodel.Update) bool { return u.Value == nil }, "$currentDate"},
		"$unset":                {mongo, one2(`bson.M{"$unset": bson.M{"inner": 1}}`), "inner", nil, "$unset"},
		"positions":             {mongo, one2(`bson.M{"$set": bson.M{"items.$.name": v}}`), "items[].name", nil, "$set"},
		"filtered positions":    {mongo, one2(`bson.M{"$set": bson.M{"items.$[i].name": v}}`), "items[].name", nil, "$set"},
		"variable":              {mongo, `func f(c *mongo.Collection, v any) { u := bson.M{"$push": bson.M{"items": v}}; c.UpdateOne(context.Background(), nil, u) }` + insert, "items", nil, "$push"},
		"entry":                 {mongo, `func f(c *mongo.Collection, v any) { u := bson.M{}; u["$push"] = bson.M{"items": v}; c.UpdateOne(context.Background(), nil, u) }` + insert, "items", nil, "$push"},
		"constant":              {mongo, `const key = "items"; func f(c *mongo.Collection, v any) { c.UpdateOne(context.Background(), nil, bson.M{"$push": bson.M{key: v}}) }` + insert, "items", nil, "$push"},
		"many":                  {mongo, `func f(c *mongo.Collection, v any) { c.UpdateMany(context.Background(), bson.M{"inner.name": v}, bson.M{"$set": bson.M{"count": 1}}) }` + insert, "count", func(u *docmodel.Update) bool { return u.Many && len(u.Filters) == 1 && u.Filters[0] == "inner.name" }, "$set"},
		"path put together":     {mongo, one2(`bson.M{"$set": bson.M{"scores." + id: 1}}`), "scores", func(u *docmodel.Update) bool { return u.Dynamic && len(u.Parts) == 1 }, "$set"},
		"path by Sprintf":       {mongo, one2(`bson.M{"$set": bson.M{fmt.Sprintf("scores.%s", id): 1}}`), "scores", func(u *docmodel.Update) bool { return u.Dynamic && len(u.Parts) == 1 }, "$set"},
		"path by a helper":      {mongo, `func dotted(names ...string) string { return fmt.Sprint(names) }; var key = tag(Doc{}, "Scores"); func tag(of any, name string) string { return name }; ` + one2(`bson.M{"$addToSet": bson.M{dotted(key, id): v}}`), "scores", func(u *docmodel.Update) bool { return u.Dynamic && len(u.Parts) == 1 }, "$addToSet"},
		"position put in":       {mongo, one2(`bson.M{"$set": bson.M{"items." + id + ".name": v}}`), "items[].name", func(u *docmodel.Update) bool { return !u.Dynamic && len(u.Parts) == 0 }, "$set"},
		"position by Sprintf":   {mongo, one2(`bson.M{"$set": bson.M{fmt.Sprintf("items.%d.name", len(id)): v}}`), "items[].name", func(u *docmodel.Update) bool { return !u.Dynamic }, "$set"},
		"constant by Sprintf":   {mongo, `const list = "items"; ` + one2(`bson.M{"$set": bson.M{fmt.Sprintf("%s.%s.name", list, id): v}}`), "items[].name", nil, "$set"},
		"position of no list":   {mongo, one2(`bson.M{"$set": bson.M{"inner." + id + ".name": v}}`), "inner", func(u *docmodel.Update) bool { return u.Dynamic && len(u.Parts) == 1 && u.Path == "inner." }, "$set"},
		"fields with operators": {mongo, "type push struct { Push struct { Items struct { Each []Inner `bson:\"$each\"` } `bson:\"items\"` } `bson:\"$push\"` }; func f(c *mongo.Collection, v Inner) { var u push; u.Push.Items.Each = []Inner{v}; c.UpdateOne(context.Background(), nil, u) }" + insert, "items", func(u *docmodel.Update) bool { return u.Each && u.Value != nil }, "$push"},
		"size":                  {mongo, one2(`[]bson.M{{"$set": bson.M{"count": bson.M{"$size": "$items"}}}}`), "count", func(u *docmodel.Update) bool { return u.Sized }, "$set"},
		"concatenation":         {mongo, one2(`[]bson.M{{"$set": bson.M{"items": bson.M{"$concatArrays": bson.A{"$items", v}}}}}`), "items", nil, "$push"},
		"concatenated fields":   {mongo, one2(`[]bson.M{{"$set": bson.M{"items": bson.M{"$concatArrays": bson.A{"$items", "$more"}}}}}`), "items", nil, "$set"},
		"siblings":              {mongo, one2(`bson.M{"$push": bson.M{"items": v}, "$inc": bson.M{"count": 1}}`), "items", func(u *docmodel.Update) bool { return len(u.Siblings()) == 2 }, "$push"},

		"path as an argument":  {mongo, `func push(c *mongo.Collection, id, path string, v any) { c.UpdateOne(context.Background(), bson.M{"_id": id}, bson.M{"$push": bson.M{path: v}}) }; func f(c *mongo.Collection, v any) { push(c, "1", "items", v) }` + insert, "items", func(u *docmodel.Update) bool { return u.Func == "f" }, "$push"},
		"path of two calls":    {mongo, `type store interface { add(id, path string, v any) }; type own struct { c *mongo.Collection }; func (o own) add(id, path string, v any) { o.c.UpdateOne(context.Background(), bson.M{"_id": id}, bson.M{"$addToSet": bson.M{path: v}}) }; func tag(s store, path string, v any) { s.add("1", path, v) }; func f(s store, v any) { tag(s, "items", v) }` + insert, "items", nil, "$addToSet"},
		"firestore argument":   {fire, `func set(d *firestore.DocumentRef, path string, v any) { d.Update(context.Background(), []firestore.Update{{Path: path, Value: firestore.ArrayUnion(v)}}) }; func f(d *firestore.DocumentRef) { set(d, "items", 1) }; func g(c *firestore.CollectionRef, d Doc) { c.Add(context.Background(), d) }`, "items", nil, "$addToSet"},
		"dynamo append":        {guregu, dynamo2(`Append("items", v)`), "items", nil, "$push"},
		"dynamo append, chain": {guregu, dynamo2(`Set("inner.name", v).Append("items", v)`), "items", nil, "$push"},
		"dynamo set of texts":  {guregu, dynamo2(`AddStringsToSet("items", "a")`), "items", nil, "$addToSet"},
		"dynamo count":         {guregu, dynamo2(`Add("count", 1)`), "count", nil, "$inc"},

		"firestore set":         {fire, firestore(`{Path: "inner.name", Value: "x"}`), "inner.name", nil, "$set"},
		"firestore union":       {fire, firestore(`{Path: "items", Value: firestore.ArrayUnion(1)}`), "items", nil, "$addToSet"},
		"firestore increment":   {fire, firestore(`{Path: "count", Value: firestore.Increment(1)}`), "count", nil, "$inc"},
		"firestore two at once": {fire, firestore(`{Path: "count", Value: firestore.Increment(1)}, {Path: "items", Value: firestore.ArrayUnion(1)}`), "count", func(u *docmodel.Update) bool { return len(u.Siblings()) == 2 }, "$inc"},
		"firestore names":       {fire, firestore(`{FieldPath: firestore.FieldPath{"inner", "name"}, Value: id}`), "inner.name", func(u *docmodel.Update) bool { return !u.Dynamic }, "$set"},
		"firestore name":        {fire, firestore(`{FieldPath: firestore.FieldPath{"scores", id}, Value: 1}`), "scores", func(u *docmodel.Update) bool { return u.Dynamic && len(u.Parts) == 1 }, "$set"},
		"firestore id":          {fire, firestore(`{Path: "scores." + id, Value: 1}`), "scores", func(u *docmodel.Update) bool { return u.Dynamic }, "$set"},

		"azcosmos append":    {azure, cosmos(`ops.AppendAdd("/items/-", 1)`), "items", nil, "$push"},
		"azcosmos set":       {azure, cosmos(`ops.AppendSet("/inner/name", 1)`), "inner.name", nil, "$set"},
		"azcosmos increment": {azure, cosmos(`ops.AppendIncrement("/count", 1)`), "count", nil, "$inc"},
		"azcosmos position":  {azure, cosmos(`ops.AppendSet("/items/" + id + "/name", 1)`), "items[].name", func(u *docmodel.Update) bool { return !u.Dynamic }, "$set"},
		"azcosmos id":        {azure, cosmos(`ops.AppendSet("/scores/" + id, 1)`), "scores", func(u *docmodel.Update) bool { return u.Dynamic }, "$set"},

		"gocb remove":      {couch, gocb(`gocb.RemoveSpec(fmt.Sprintf("items[%d]", n), nil)`), "items", nil, "$pull"},
		"gocb, version 1":  {couch, `func f(b *gocb.Bucket, v any) { b.MutateIn("id").ArrayAppend("items", v, true) }; func g(b *gocb.Bucket, d Doc) { b.Upsert("id", d, 0) }; var _ = fmt.Sprint`, "items", nil, "$push"},
		"gocb, many":       {couch, `func f(b *gocb.Bucket, v any) { b.MutateIn("id").ArrayAppendMulti("items", v, true) }; func g(b *gocb.Bucket, d Doc) { b.Upsert("id", d, 0) }; var _ = fmt.Sprint`, "items", nil, "$push"},
		"azcosmos remove":  {azure, cosmos(`ops.AppendRemove("/items/" + id)`), "items", nil, "$pull"},
		"firestore map":    {fire, merged(`"count": firestore.Increment(1)`), "count", nil, "$inc"},
		"firestore nested": {fire, merged(`"inner": map[string]any{"name": firestore.ArrayUnion("x")}`), "inner.name", nil, "$addToSet"},
		"firestore beside": {fire, merged(`"inner": 1, "items": firestore.ArrayUnion(1)`), "inner", func(u *docmodel.Update) bool { return len(u.Siblings()) == 2 }, "$set"},

		"expression delete":            {aws, dynamo(`expression.Delete(expression.Name("items"), expression.Value(1))`), "items", nil, "$pull"},
		"expression add to a set":      {aws, dynamo(`expression.Add(expression.Name("items"), expression.Value(1))`), "items", nil, "$addToSet"},
		"expression below a map":       {aws, `func h(id string) { expression.Set(expression.Name("scores."+id), expression.Value(1)) }; ` + dynamo(``), "scores", func(u *docmodel.Update) bool { return u.Dynamic && len(u.Parts) == 1 }, "$set"},
		"update expression, set":       {aws2, dynamo(`_ = "SET inner.name = :n, items = list_append(if_not_exists(items, :none), :new)"`), "inner.name", func(u *docmodel.Update) bool { return len(u.Siblings()) == 2 }, "$set"},
		"update expression, count":     {aws2, dynamo(`_ = "set #c = if_not_exists(#c, :zero) + :one"; _ = map[string]string{"#c": "count"}`), "count", nil, "$inc"},
		"update expression, add":       {aws2, dynamo(`_ = "ADD items :new"`), "items", nil, "$addToSet"},
		"update expression, add to it": {aws2, dynamo(`_ = "SET inner.name = :n ADD count :one"`), "count", nil, "$inc"},
		"update expression, remove":    {aws2, dynamo(`_ = "REMOVE #i[3]"; names := map[string]string{}; names["#i"] = "items"`), "items", nil, "$pull"},
		"update expression, unset":     {aws2, dynamo(`_ = "REMOVE inner, other"`), "inner", nil, "$unset"},
		"update expression, delete":    {aws2, dynamo(`_ = "DELETE items :old"`), "items", nil, "$pull"},
		"update expression, id":        {aws2, `func h(id string) { _ = "SET #s.#id = :n"; _ = map[string]string{"#s": "scores", "#id": id} }; ` + dynamo(``), "scores", func(u *docmodel.Update) bool { return u.Dynamic && len(u.Parts) == 1 }, "$set"},
		"update expression, rest":      {aws2, dynamo(`_ = "items = list_append(items, :new)"`), "items", nil, "$push"},

		"expression append": {aws, dynamo(`expression.Set(expression.Name("items"), expression.ListAppend(1, 2))`), "items", nil, "$push"},
		"expression add":    {aws, dynamo(`expression.Add(expression.Name("count"), expression.Value(1))`), "count", nil, "$inc"},
		"update expression": {`"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"`, dynamo(`_ = "SET items = list_append(items, :new)"`), "items", nil, "$push"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tags := func(name string) string {
				return "`bson:\"" + name + "\" json:\"" + name + "\" firestore:\"" + name + "\" dynamodbav:\"" + name + "\"`"
			}
			d := document(one(t, "package store\nimport ("+test.imports+")\n"+
				"type Inner struct { Name string "+tags("name")+" }\n"+
				"type Doc struct { Items []Inner "+tags("items")+"; Count int "+tags("count")+"; Inner Inner "+tags("inner")+"; Scores map[string]int "+tags("scores")+" }\n"+test.body), "Doc")
			require.NotNil(t, d)
			f := field(d, test.path)
			require.NotNil(t, f)
			require.Len(t, f.Updates, 1)
			assert.Equal(t, test.op, f.Updates[0].Op)
			if test.check != nil {
				assert.True(t, test.check(f.Updates[0]), "%+v", f.Updates[0])
			}
		})
	}
}

// TestHandedPath leaves a path alone that could be of several documents: a
// function for all collections is given it.
func TestHandedPath(t *testing.T) {
	t.Parallel()
	p := one(t, mongoHead+`
type Post struct { Items []string }
type Page struct { Items []string }
func push(name, path string, v any) { db.Collection(name).UpdateOne(ctx, nil, bson.M{"$push": bson.M{path: v}}) }
var db *mongo.Database
func g(p Post, q Page) {
	c.InsertOne(ctx, p)
	c.InsertOne(ctx, q)
	push("posts", "items", "x")
}`)
	assert.Empty(t, field(document(p, "Post"), "items").Updates)
	assert.Empty(t, field(document(p, "Page"), "items").Updates)
}

// TestHandedByAPackage ties an update to the documents of the package that hands
// the path to a function of another package.
func TestHandedByAPackage(t *testing.T) {
	t.Parallel()
	store := func(name string) string {
		return "package " + name + `
import ("app/data"; "go.mongodb.org/mongo-driver/v2/mongo")
type ` + name + ` struct { Items []string }
func Get(c *mongo.Collection) (d ` + name + `) { c.FindOne(nil, nil).Decode(&d); return d }
func Add(c *mongo.Collection) { data.Push(c, "items", "` + name + `") }
`
	}
	p, _ := program(t, map[string]string{
		"app/data":  "package data\nimport (\"go.mongodb.org/mongo-driver/v2/mongo\"; \"go.mongodb.org/mongo-driver/v2/bson\")\nfunc Push(c *mongo.Collection, path string, v any) { c.UpdateOne(nil, nil, bson.M{\"$push\": bson.M{path: v}}) }",
		"app/posts": store("posts"),
		"app/pages": store("pages"),
	})
	assert.Len(t, field(document(p, "posts"), "items").Updates, 1)
	assert.Len(t, field(document(p, "pages"), "items").Updates, 1)
}

// TestCollections ties an update to the documents of the collection it goes to.
func TestCollections(t *testing.T) {
	t.Parallel()
	p := one(t, mongoHead+`
type Post struct { Items []string }
type Page struct { Items []string }
func g(db *mongo.Database, p Post, q Page) {
	db.Collection("posts").InsertOne(ctx, p)
	db.Collection("pages").InsertOne(ctx, q)
	db.Collection("posts").UpdateOne(ctx, nil, bson.M{"$push": bson.M{"items": "x"}})
	c.UpdateOne(ctx, nil, bson.M{"$set": bson.M{"items": nil}})
}`)
	posts, pages := field(document(p, "Post"), "items"), field(document(p, "Page"), "items")
	assert.Len(t, posts.Updated("$push"), 1)
	assert.Empty(t, pages.Updated("$push"))
	require.Len(t, posts.Updated("$set"), 1)
	assert.True(t, posts.Updated("$set")[0].Ambiguous)
	assert.False(t, posts.Updated("$push")[0].Ambiguous)
}

// TestCollectionOfADocument ties an update to the document that is passed to
// what sends it.
func TestCollectionOfADocument(t *testing.T) {
	t.Parallel()
	p := one(t, `package store
import ("context"; "cloud.google.com/go/firestore")
type Post struct { Items []string }
type Page struct { Items []string }
func f(ctx context.Context, c *firestore.Client, tx *firestore.Transaction, p Post, q Page) {
	c.Collection("posts").Add(ctx, p)
	c.Collection("pages").Add(ctx, q)
	post := c.Collection("posts").Doc("1")
	tx.Update(post, []firestore.Update{{Path: "Items", Value: firestore.ArrayUnion("x")}})
}`)
	assert.Len(t, field(document(p, "Post"), "Items").Updated("$addToSet"), 1)
	assert.Empty(t, field(document(p, "Page"), "Items").Updated("$addToSet"))
}

// TestCode sees what statements do to fields.
func TestCode(t *testing.T) {
	t.Parallel()
	p := one(t, mongoHead+`
type Doc struct { Items []string; Count int; Scores map[string]int }
func insert(d *Doc) { c.InsertOne(ctx, d) }
func add(d *Doc, s string) { d.Items = append(d.Items, s); d.Count++ }
func NewDoc() *Doc { d := &Doc{}; d.Items = append(d.Items, "first"); return d }
func keep(d *Doc, s string) { if len(d.Items) < 10 { d.Items = append(d.Items, s) } }
func count(d *Doc) { d.Count = len(d.Items) }
func check(d *Doc) bool { return d.Count == len(d.Items) }
func score(d *Doc, player string) { d.Scores[player] = 1; scores := d.Scores; scores["x"]++; delete(d.Scores, player) }
`)
	d := document(p, "Doc")
	var kinds []string
	for _, w := range field(d, "items").Writes {
		text := w.Func
		for word, is := range map[string]bool{" appends": w.Kind == docmodel.Appends, " fresh": w.Fresh} {
			if is && !strings.Contains(text, word) {
				text += word
			}
		}
		if w.Guarded {
			text += " guarded"
		}
		kinds = append(kinds, strings.Replace(text, " fresh appends", " appends fresh", 1))
	}
	assert.Equal(t, []string{"add appends", "NewDoc appends fresh", "keep appends guarded"}, kinds)
	measures := p.Measures(field(d, "count").Var)
	require.Len(t, measures, 2)
	assert.True(t, measures[0].Sets)
	assert.False(t, measures[1].Sets)
	assert.Equal(t, field(d, "items").Var, measures[0].List)
	uses := p.KeyUses(field(d, "scores").Var)
	require.Len(t, uses, 3)
	assert.True(t, uses[0].Write)
	assert.True(t, uses[1].Write)
	assert.False(t, uses[2].Write)
}

// A list that an update sets to its last elements is limited; one that loses an
// element is not.
func TestSetToAPartOfItself(t *testing.T) {
	t.Parallel()
	for text, limited := range map[string]bool{
		`d.Items[n:]`: true,
		`append([]string{"sum"}, d.Items[n:]...)`: true,
		`append(d.Items[:n], d.Items[n+1:]...)`:   false,
		`d.Items[1:]`:                             false,
	} {
		p := one(t, "package store\nimport (\"context\"; \"go.mongodb.org/mongo-driver/v2/bson\"; \"go.mongodb.org/mongo-driver/v2/mongo\")\n"+
			"type Doc struct { Items []string `bson:\"items\"` }\n"+
			"func f(c *mongo.Collection, d Doc, n int) { c.InsertOne(context.Background(), d); c.UpdateOne(context.Background(), nil, bson.M{\"$set\": bson.M{\"items\": "+text+"}}) }")
		assert.Equal(t, limited, p.Limited(field(document(p, "Doc"), "items")).IsValid(), text)
	}
}
