package docmodel_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/analyzers/docmodel"
)

// TestSinks stores and reads through each library that is known.
func TestSinks(t *testing.T) {
	t.Parallel()
	mongo2 := `"context"; "go.mongodb.org/mongo-driver/v2/mongo"`
	mongo1 := `"context"; "go.mongodb.org/mongo-driver/mongo"`
	zero := `"context"; "github.com/zeromicro/go-zero/core/stores/monc"`
	mon := `"context"; "github.com/zeromicro/go-zero/core/stores/mon"`
	for name, test := range map[string]struct {
		imports, body string
		codec         docmodel.Codec
		collections   []string
		written       bool
	}{
		"mongo v2 insert":                 {mongo2, `func f(c *mongo.Database, d Doc) { c.Collection("docs").InsertOne(context.Background(), d) }`, docmodel.BSON, []string{"docs"}, true},
		"mongo v2 insert many":            {mongo2, `func f(c *mongo.Collection, d []*Doc) { c.InsertMany(context.Background(), d) }`, docmodel.BSON, nil, true},
		"mongo v2 replace":                {mongo2, `func f(c *mongo.Collection, d *Doc) { c.ReplaceOne(context.Background(), nil, d) }`, docmodel.BSON, nil, true},
		"mongo v2 read":                   {mongo2, `func f(c *mongo.Collection) { var d Doc; c.FindOne(context.Background(), nil).Decode(&d) }`, docmodel.BSON, nil, false},
		"mongo v2 cursor":                 {mongo2, `func f(c *mongo.Collection) { var d []Doc; r, _ := c.Find(context.Background(), nil); r.All(context.Background(), &d) }`, docmodel.BSON, nil, false},
		"mongo v1 insert":                 {mongo1, `func f(c *mongo.Database, d Doc) { c.Collection("docs").InsertOne(context.Background(), d) }`, docmodel.BSON, []string{"docs"}, true},
		"mongo v1 insert many":            {mongo1, `func f(c *mongo.Collection, d []Doc) { var all []any; for _, x := range d { all = append(all, x) }; c.InsertMany(context.Background(), all) }`, docmodel.BSON, nil, true},
		"mongo v1 find, replace":          {mongo1, `func f(c *mongo.Collection, d *Doc) { c.FindOneAndReplace(context.Background(), nil, d) }`, docmodel.BSON, nil, true},
		"mongo v1 insert model":           {mongo1, `func f(c *mongo.Collection, d *Doc) { c.BulkWrite(context.Background(), []mongo.WriteModel{mongo.NewInsertOneModel().SetDocument(d)}) }`, docmodel.BSON, nil, true},
		"mongo v1 insert literal":         {mongo1, `func f(d *Doc) any { return &mongo.InsertOneModel{Document: d} }`, docmodel.BSON, nil, true},
		"mongo v1 replace literal":        {mongo1, `func f(d *Doc) any { return mongo.ReplaceOneModel{Filter: 1, Replacement: d} }`, docmodel.BSON, nil, true},
		"gocb in bulk":                    {`"github.com/couchbase/gocb/v2"`, `func f(d Doc) any { return []any{&gocb.UpsertOp{ID: d.ID, Value: d}} }`, docmodel.JSON, nil, true},
		"mongo v1 replace model":          {mongo1, `func f(d *Doc) { mongo.NewReplaceOneModel().SetReplacement(d) }`, docmodel.BSON, nil, true},
		"fork insert":                     {`"context"; "github.com/example/mongo-go-driver/mongo"`, `func f(c *mongo.Collection, d Doc) { c.InsertOne(context.Background(), d) }`, docmodel.BSON, nil, true},
		"mgo insert":                      {`"gopkg.in/mgo.v2"`, `func f(c *mgo.Database, d *Doc) { c.C("docs").Insert(1, d) }`, docmodel.BSON, []string{"docs"}, true},
		"mgo upsert":                      {`"gopkg.in/mgo.v2"`, `func f(c *mgo.Collection, d *Doc) { c.UpsertId(1, d) }`, docmodel.BSON, nil, true},
		"mgo read":                        {`"gopkg.in/mgo.v2"`, `func f(c *mgo.Collection) { var d Doc; c.Find(nil).One(&d) }`, docmodel.BSON, nil, false},
		"qmgo insert":                     {`"context"; "github.com/qiniu/qmgo"`, `func f(c *qmgo.Collection, d *Doc) { c.InsertOne(context.Background(), d) }`, docmodel.BSON, nil, true},
		"qmgo upsert":                     {`"context"; "github.com/qiniu/qmgo"`, `func f(c *qmgo.Collection, d *Doc) { c.Upsert(context.Background(), nil, d) }`, docmodel.BSON, nil, true},
		"qmgo replace":                    {`"context"; "github.com/qiniu/qmgo"`, `func f(c *qmgo.Collection, d *Doc) { c.ReplaceOne(context.Background(), nil, d) }`, docmodel.BSON, nil, true},
		"mgm create":                      {`"github.com/kamva/mgm/v3"`, `func (*Doc) GetID() any { return nil }; func f(d *Doc) { mgm.Coll(d).Create(d) }`, docmodel.BSON, nil, true},
		"mgm create in context":           {`"context"; "github.com/kamva/mgm/v3"`, `func (*Doc) GetID() any { return nil }; func f(d *Doc) { mgm.Coll(d).CreateWithCtx(context.Background(), d) }`, docmodel.BSON, nil, true},
		"go-zero insert":                  {zero, `func f(c *monc.Model, d *Doc) { c.InsertOne(context.Background(), "key", d) }`, docmodel.BSON, nil, true},
		"go-zero insert, no cache":        {zero, `func f(d *Doc) { monc.MustNewModel("uri", "db", "docs", nil).InsertOneNoCache(context.Background(), d) }`, docmodel.BSON, []string{"docs"}, true},
		"go-zero replace":                 {zero, `func f(c *monc.Model, d *Doc) { c.ReplaceOne(context.Background(), "key", nil, d) }`, docmodel.BSON, nil, true},
		"go-zero replace, uncached":       {zero, `func f(c *monc.Model, d *Doc) { c.ReplaceOneNoCache(context.Background(), nil, d) }`, docmodel.BSON, nil, true},
		"go-zero find, replace":           {zero, `func f(c *monc.Model, d *Doc) { c.FindOneAndReplace(context.Background(), "key", nil, nil, d) }`, docmodel.BSON, nil, true},
		"go-zero find, replace, uncached": {zero, `func f(c *monc.Model, d *Doc) { c.FindOneAndReplaceNoCache(context.Background(), nil, nil, d) }`, docmodel.BSON, nil, true},
		"go-zero read":                    {zero, `func f(c *monc.Model) { var d Doc; c.FindOne(context.Background(), "key", &d, nil) }`, docmodel.BSON, nil, false},
		"go-zero read, uncached":          {zero, `func f(c *monc.Model) { var d Doc; c.FindOneNoCache(context.Background(), &d, nil) }`, docmodel.BSON, nil, false},
		"go-zero read all":                {zero, `func f(c *monc.Model) { var d []Doc; c.Find(context.Background(), &d, nil) }`, docmodel.BSON, nil, false},
		"mon insert":                      {mon, `func f(d *Doc) { mon.MustNewModel("uri", "db", "docs").InsertOne(context.Background(), d) }`, docmodel.BSON, []string{"docs"}, true},
		"mon replace":                     {mon, `func f(c *mon.Model, d *Doc) { c.ReplaceOne(context.Background(), nil, d) }`, docmodel.BSON, nil, true},
		"mon find, replace":               {mon, `func f(c *mon.Model, d *Doc) { c.FindOneAndReplace(context.Background(), nil, nil, d) }`, docmodel.BSON, nil, true},
		"azcosmos":                        {`"context"; "encoding/json"; "github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"`, `func f(c *azcosmos.ContainerClient, d *Doc) { b, _ := json.Marshal(d); c.UpsertItem(context.Background(), azcosmos.PartitionKey{}, b, nil) }`, docmodel.JSON, nil, true},
		"azcosmos replace":                {`"context"; "encoding/json"; "github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"`, `func f(c *azcosmos.ContainerClient, d *Doc) { b, _ := json.MarshalIndent(d, "", " "); c.ReplaceItem(context.Background(), azcosmos.PartitionKey{}, d.ID, b, nil) }`, docmodel.JSON, nil, true},
		"azcosmos helper":                 {`"context"; "encoding/json"; "github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"`, `func encode(v any) []byte { b, _ := json.Marshal(v); return b }; func put(c *azcosmos.ContainerClient, b []byte) { c.CreateItem(context.Background(), azcosmos.PartitionKey{}, b, nil) }; func f(c *azcosmos.ContainerClient, d *Doc) { put(c, encode(d)) }`, docmodel.JSON, nil, true},
		"firestore set":                   {`"context"; "cloud.google.com/go/firestore"`, `func f(c *firestore.Client, d *Doc) { c.Collection("docs").Doc(d.ID).Set(context.Background(), d) }`, docmodel.Firestore, []string{"docs"}, true},
		"firestore add":                   {`"context"; "cloud.google.com/go/firestore"`, `func f(c *firestore.Client, d Doc) { c.Collection("docs").Add(context.Background(), d) }`, docmodel.Firestore, []string{"docs"}, true},
		"firestore read":                  {`"context"; "cloud.google.com/go/firestore"`, `func f(c *firestore.DocumentRef) { var d Doc; s, _ := c.Get(context.Background()); s.DataTo(&d) }`, docmodel.Firestore, nil, false},
		"attributevalue":                  {`"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"`, `func f(d Doc) { attributevalue.MarshalMap(d) }`, docmodel.DynamoDB, nil, true},
		"attributevalue read":             {`"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"`, `func f() { var d Doc; attributevalue.UnmarshalMap(nil, &d) }`, docmodel.DynamoDB, nil, false},
		"dynamodbattribute":               {`"github.com/aws/aws-sdk-go/service/dynamodb/dynamodbattribute"`, `func f(d Doc) { dynamodbattribute.MarshalMap(d) }`, docmodel.DynamoDB1, nil, true},
		"dynamo put":                      {`"github.com/guregu/dynamo"`, `func f(db *dynamo.DB, d Doc) { db.Table("docs").Put(d).Run() }`, docmodel.DynamoDB1, []string{"docs"}, true},
		"dynamo read":                     {`"github.com/guregu/dynamo"`, `func f(db *dynamo.DB) { var d []Doc; db.Table("docs").Get("id", 1).All(&d) }`, docmodel.DynamoDB1, nil, false},
		"gocb":                            {`"github.com/couchbase/gocb/v2"`, `func f(b *gocb.Bucket, d Doc) { b.Collection("docs").Upsert(d.ID, d, nil) }`, docmodel.JSON, []string{"docs"}, true},
		"gocb read":                       {`"github.com/couchbase/gocb/v2"`, `func f(r *gocb.GetResult) { var d Doc; r.Content(&d) }`, docmodel.JSON, nil, false},
		"gocb, version 1":                 {`"github.com/couchbase/gocb/v2"`, `func f(b *gocb.Bucket, d Doc) { b.Upsert(d.ID, d, 0) }`, docmodel.JSON, nil, true},
		"gocb, version 1, read":           {`"github.com/couchbase/gocb/v2"`, `func f(b *gocb.Bucket) { var d Doc; b.Get("1", &d) }`, docmodel.JSON, nil, false},
		"gocb transaction":                {`"github.com/couchbase/gocb/v2"`, `func f(t *gocb.TransactionAttemptContext, c *gocb.Collection, d Doc) { t.Insert(c, d.ID, d) }`, docmodel.JSON, nil, true},
		"kivik in bulk":                   {`"context"; "github.com/go-kivik/kivik/v4"`, `func f(db *kivik.DB, d *Doc) { db.BulkDocs(context.Background(), []any{d}) }`, docmodel.JSON, nil, true},
		"kivik, version 3, read":          {`"github.com/go-kivik/kivik/v4"`, `func f(r *kivik.Row) { var d Doc; r.ScanDoc(&d) }`, docmodel.JSON, nil, false},
		"own interface":                   {mongo2, `type inserter interface { InsertOne(ctx context.Context, d any) (*mongo.InsertOneResult, error) }; func f(c inserter, d Doc) { c.InsertOne(context.Background(), d) }`, docmodel.BSON, nil, true},
		"own interface, bytes":            {`"context"; "encoding/json"; "github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"`, `type container interface { CreateItem(context.Context, azcosmos.PartitionKey, []byte, *struct{}) (azcosmos.ItemResponse, error) }; func f(c container, d *Doc) { b, _ := json.Marshal(d); c.CreateItem(context.Background(), azcosmos.PartitionKey{}, b, nil) }`, docmodel.JSON, nil, true},
		"kivik put":                       {`"context"; "github.com/go-kivik/kivik/v4"`, `func f(db *kivik.DB, d *Doc) { db.Put(context.Background(), d.ID, d) }`, docmodel.JSON, nil, true},
		"kivik create":                    {`"context"; "github.com/go-kivik/kivik/v4"`, `func f(db *kivik.DB, d *Doc) { db.CreateDoc(context.Background(), d) }`, docmodel.JSON, nil, true},
		"kivik read":                      {`"context"; "github.com/go-kivik/kivik/v4"`, `func f(db *kivik.DB) { var d Doc; db.Get(context.Background(), "1").ScanDoc(&d) }`, docmodel.JSON, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := one(t, "package store\nimport ("+test.imports+")\ntype Doc struct { ID string }\n"+test.body)
			require.Equal(t, []string{"Doc"}, sure(p))
			d := document(p, "Doc")
			assert.Equal(t, test.codec, d.Codec)
			assert.Equal(t, test.collections, d.Collections)
			assert.Equal(t, test.written, d.Written)
			if test.written {
				assert.InDelta(t, 0.95, d.Confidence, 0.001)
			} else {
				assert.InDelta(t, 0.85, d.Confidence, 0.001)
			}
		})
	}
}

// TestTwoDatabases stores types in two databases, with tags for one of them or for both.
func TestTwoDatabases(t *testing.T) {
	t.Parallel()
	p := one(t, `package store
import ("context"; "cloud.google.com/go/firestore"; "go.mongodb.org/mongo-driver/v2/mongo")
type One struct { ID string "bson:\"_id\"" }
type Both struct { ID string "bson:\"_id\" firestore:\"id\"" }
func f(ctx context.Context, fire *firestore.Client, c *mongo.Collection, o One, b Both) {
	fire.Collection("ones").Add(ctx, o)
	fire.Collection("boths").Add(ctx, b)
	c.InsertOne(ctx, o)
	c.InsertOne(ctx, b)
}
`)
	assert.Equal(t, docmodel.BSON, document(p, "One").Codec)
	assert.Equal(t, docmodel.Firestore, document(p, "Both").Codec, "the first one, as without tags")
}

// TestPropagation follows values to the call that stores them.
func TestPropagation(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"helper":             `func insert(v any) { c.InsertOne(ctx, v) }; func f(d *Doc) { insert(d) }`,
		"helper of helper":   `func insert(v any) { c.InsertOne(ctx, v) }; func all(v ...any) { for _, x := range v { insert(x) } }; func f(d *Doc) { all(1, d) }`,
		"interface":          `type saver interface{ Save(v any) }; type store struct{}; func (store) Save(v any) { c.InsertOne(ctx, v) }; func f(s saver, d Doc) { s.Save(d) }`,
		"own interface":      `type record interface{ key() string }; func (*Doc) key() string { return "" }; func put(r record) { c.InsertOne(ctx, r) }; func f(d *Doc) { put(d) }`,
		"generic function":   `func put[T any](v T) { c.InsertOne(ctx, v) }; func f(d Doc) { put(d) }`,
		"generic type":       `type repo[T any] struct{}; func (repo[T]) Put(v *T) { c.InsertOne(ctx, v) }; var docs repo[Doc]`,
		"generic of generic": `type base[T any] struct{}; func (base[T]) Put(v T) { c.InsertOne(ctx, v) }; type repo[T any] struct { base[T] }; var docs repo[Doc]`,
		"field":              `type box struct { v any }; func (b box) store() { c.InsertOne(ctx, b.v) }; func f(d Doc) { box{v: d}.store() }`,
		"result":             `func make1() any { return &Doc{} }; func f() { c.InsertOne(ctx, make1()) }`,
		"type switch":        `func f(v any) { switch x := v.(type) { case Doc: c.InsertOne(ctx, x) } }`,
		"pointer to a list":  `func f(d *[]Doc) { c.InsertMany(ctx, d) }`,
		"named list":         `type docs []*Doc; func f(d docs) { c.InsertMany(ctx, d) }`,
		"alias":              `type alias = Doc; func f(d alias) { c.InsertOne(ctx, d) }`,
		"written out":        `type Other struct { A, B string }; func f(d Doc, o Other) { c.InsertOne(ctx, bson.M{"id": d.ID, "text": d.Text}); c.InsertOne(ctx, bson.M{"a": o.A, "c": o.B}) }`,
		"read helper":        `func find[T any]() T { var v T; c.FindOne(ctx, nil).Decode(&v); return v }; func f() { _ = find[Doc]() }`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := one(t, `package store
import ("context"; "go.mongodb.org/mongo-driver/v2/bson"; "go.mongodb.org/mongo-driver/v2/mongo")
var c *mongo.Collection
var ctx = context.Background()
var _ bson.M
type Doc struct { ID, Text string }
`+body)
			assert.Equal(t, []string{"Doc"}, sure(p))
		})
	}
}

// TestInterfaces stores what implements an interface, although the code does not
// show where the values come from.
func TestInterfaces(t *testing.T) {
	t.Parallel()
	p := one(t, strings.Replace(mongoHead, `"time"`, `"io"; "time"`, 1)+`
type Event interface { Kind() string }
func Save(queue chan Event) { for e := range queue { c.InsertOne(ctx, e) } }

type Joined struct { ID string "bson:\"_id\"" }
func (*Joined) Kind() string { return "joined" }

type Base struct { At time.Time "bson:\"at\"" }
func (Base) Kind() string { return "" }
type Parted struct { Base "bson:\",inline\""; Name string "bson:\"name\"" }

type Untagged struct { Name string }
func (Untagged) Kind() string { return "untagged" }

type OtherCodec struct { Name string "json:\"name\"" }
func (OtherCodec) Kind() string { return "other" }

type JoinRequest struct { Name string "bson:\"name\"" }
func (JoinRequest) Kind() string { return "request" }

type Page[T any] struct { Name T "bson:\"name\"" }
func (Page[T]) Kind() string { return "page" }

type Sharing struct { Name string "bson:\"name\"" }
func (*Sharing) Kind() string { return "sharing" }
func share(s *Sharing) { c.InsertOne(ctx, s) }
type APISharing struct { *Sharing; Link string "bson:\"link\"" }

type Strange struct { Name string "bson:\"name\"" }

type Anything interface{}
func SaveAny(queue chan Anything) { for e := range queue { c.InsertOne(ctx, e) } }

type File struct { Name string "bson:\"name\"" }
func (File) Close() error { return nil }
func SaveFile(queue chan io.Closer) { for e := range queue { c.InsertOne(ctx, e) } }

type Row struct { Name string "bson:\"name\"" }
func (*Row) Shown() bool { return true }
type View interface { Shown() bool }
func Load(v View) { c.FindOne(ctx, nil).Decode(v) }
`)
	assert.Equal(t, []string{"Joined", "Parted", "Sharing"}, sure(p))
	require.Len(t, document(p, "Sharing").Reasons, 1)
	assert.Equal(t, "a value of it is stored here", document(p, "Sharing").Reasons[0].Text)
}

// TestPackages stores in one package what another declares.
func TestPackages(t *testing.T) {
	t.Parallel()
	p, packages := program(t, map[string]string{
		"app/model": `package model
type Post struct { ID string; Author Author }
type Author struct { Name string }`,
		"app/repo": `package repo
import ("context"; "go.mongodb.org/mongo-driver/v2/mongo")
type Repo[T any] struct { C *mongo.Collection }
func (r Repo[T]) Save(v *T) { r.C.InsertOne(context.Background(), v) }`,
		"app/service": `package service
import ("app/model"; "app/repo")
func f(r repo.Repo[model.Post]) { r.Save(&model.Post{}) }`,
	})
	require.Len(t, packages, 3)
	assert.Equal(t, []string{"Post"}, sure(p))
	assert.NotNil(t, field(document(p, "Post"), "author.name"))
}

// TestOwnInterfaces leaves interfaces alone that only share a name with a
// library.
func TestOwnInterfaces(t *testing.T) {
	t.Parallel()
	p := one(t, mongoHead+`
type Mail struct { ID string }
type outbox interface { InsertOne(ctx context.Context, d any) (string, error) }
func send(o outbox, m Mail) { o.InsertOne(ctx, m) }`)
	assert.Empty(t, sure(p))
}

// TestNamedForDatabase goes by the name of a package, not by whose it is.
func TestNamedForDatabase(t *testing.T) {
	t.Parallel()
	for path, named := range map[string]bool{
		"github.com/mongodb/grip": false, "github.com/who/mongoutil": true, "example.com/app/store/mongo": true, "app/mongo": true, "go.mongodb.org/mongo-driver/bson": false,
	} {
		assert.Equal(t, named, docmodel.NamedForDatabase(path), path)
	}
}

// TestEncoders follows a helper that encodes call by call: what one caller
// stores is not what another sends.
func TestEncoders(t *testing.T) {
	t.Parallel()
	p := one(t, strings.Replace(mongoHead, `"time"`, `"encoding/json"; "time"`, 1)+`
type Doc struct { ID string }
type Reply struct { ID string }
type Page struct { ID string }
func encode(v any) (b []byte, err error) { b, err = json.Marshal(v); return b, err }
func compact(v any) ([]byte, error) { return encode(v) }
func store(d Doc) { b, _ := encode(d); c.InsertOne(ctx, b) }
func storePage(d Page) { b, _ := compact(&d); c.InsertOne(ctx, b) }
func answer(r Reply) []byte { b, _ := compact(r); return b }`)
	assert.Equal(t, []string{"Doc", "Page"}, sure(p))
}

// TestUpdateSinks stores a whole document with an update, through each method of
// go-zero.
func TestUpdateSinks(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`c.UpdateOne(ctx, "key", nil, bson.M{"$set": d})`, `c.UpdateOneNoCache(ctx, nil, bson.M{"$set": d})`,
		`c.FindOneAndUpdate(ctx, "key", nil, nil, bson.M{"$set": d})`, `c.Model.UpdateOne(ctx, nil, bson.M{"$set": d})`,
		`c.Model.FindOneAndUpdate(ctx, nil, nil, bson.M{"$set": d})`, `c.FindOneAndUpdateNoCache(ctx, nil, nil, bson.M{"$set": d})`,
	} {
		t.Run(body, func(t *testing.T) {
			t.Parallel()
			p := one(t, "package store\nimport (\"context\"; \"go.mongodb.org/mongo-driver/bson\"; \"github.com/zeromicro/go-zero/core/stores/monc\")\ntype Doc struct { ID string }\n"+
				"func f(ctx context.Context, c *monc.Model, d *Doc) { "+body+" }")
			assert.Equal(t, []string{"Doc"}, sure(p))
		})
	}
}

// TestBulkUpdates stores a whole document with the model of an update. If the update
// inserts what is not there, the document is written.
func TestBulkUpdates(t *testing.T) {
	t.Parallel()
	for body, written := range map[string]bool{
		`return mongo.NewUpdateOneModel().SetFilter(1).SetUpdate(bson.M{"$set": d}).SetUpsert(true)`: true,
		`return mongo.NewUpdateOneModel().SetUpsert(true).SetUpdate(bson.M{"$set": d})`:              true,
		`return &mongo.UpdateOneModel{Update: bson.M{"$set": d}, Upsert: &yes}`:                      true,
		`update := bson.M{"$set": d}; return mongo.NewUpdateManyModel().SetUpdate(update)`:           false,
		`return mongo.NewUpdateOneModel().SetUpdate(bson.M{"$set": d}).SetUpsert(false)`:             false,
		`return &mongo.UpdateManyModel{Update: bson.M{"$set": d}}`:                                   false,
	} {
		t.Run(body, func(t *testing.T) {
			t.Parallel()
			p := one(t, "package store\nimport (\"go.mongodb.org/mongo-driver/bson\"; \"go.mongodb.org/mongo-driver/mongo\")\ntype Doc struct { ID string }\n"+
				"var yes = true\nfunc f(d *Doc) mongo.WriteModel { "+body+" }")
			assert.Equal(t, []string{"Doc"}, sure(p))
			assert.Equal(t, written, document(p, "Doc").Written)
		})
	}
}
