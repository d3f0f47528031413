package mongo

import (
	"context"
	"encoding/json"
	"net/http"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Post struct {
	ID    bson.ObjectID `bson:"_id" json:"id"` // want `Post.ID is not set before a Post is inserted: _id is stored as 24 zeros, and the second insert fails as a duplicate \(zero-object-id\)`
	Title string        `bson:"title"`
}

func post(ctx context.Context, c *mongo.Collection) {
	c.InsertOne(ctx, Post{Title: "one"})
}

type Comment struct {
	ID   *bson.ObjectID `bson:"_id"` // want `Comment.ID is not set .* stored as null`
	Text string         `bson:"text"`
}

func comment(ctx context.Context, c *mongo.Collection) {
	var comment Comment
	comment.Text = "one"
	c.InsertOne(ctx, &comment)
}

type Tag struct {
	Name string `bson:"_id"` // want `Tag.Name is not set .* stored as an empty string`
	Uses int    `bson:"uses"`
}

func tag(ctx context.Context, c *mongo.Collection) {
	c.InsertOne(ctx, &Tag{Uses: 1})
}

type Decoded struct {
	ID   bson.ObjectID `bson:"_id" json:"id"` // want `Decoded.ID is not set`
	Text string        `bson:"text"`
}

func decoded(c *mongo.Collection, r *http.Request) {
	var d Decoded
	if json.NewDecoder(r.Body).Decode(&d) == nil {
		c.InsertOne(r.Context(), d)
	}
}

type LookedAt struct {
	ID bson.ObjectID `bson:"_id"` // want `LookedAt.ID is not set`
	N  int           `bson:"n"`
}

func lookedAt(ctx context.Context, c *mongo.Collection) {
	made := new(LookedAt)
	made.N = 1
	if _, err := json.Marshal(made); err == nil {
		c.InsertOne(ctx, made)
	}
}

// What was stored before has its id.
type Restored struct {
	ID   bson.ObjectID `bson:"_id" json:"id"`
	Text string        `bson:"text"`
}

func restored(ctx context.Context, from, to *mongo.Collection, backup []byte) {
	var d Restored
	if json.Unmarshal(backup, &d) == nil {
		to.InsertOne(ctx, d)
	}
	var e Restored
	if from.FindOne(ctx, bson.M{}).Decode(&e) == nil {
		to.InsertOne(ctx, e)
	}
}

// The others are set, one way or another.

type Omitted struct {
	ID bson.ObjectID `bson:"_id,omitempty"`
	N  int           `bson:"n"`
}

type InLiteral struct {
	ID bson.ObjectID `bson:"_id"`
	N  int           `bson:"n"`
}

type Assigned struct {
	ID bson.ObjectID `bson:"_id"`
	N  int           `bson:"n"`
}

type ByMethod struct {
	ID bson.ObjectID `bson:"_id"`
	N  int           `bson:"n"`
}

func (b *ByMethod) prepare() { b.ID = bson.NewObjectID() }

type Passed struct {
	ID bson.ObjectID `bson:"_id"`
	N  int           `bson:"n"`
}

type Made struct {
	ID bson.ObjectID `bson:"_id"`
	N  int           `bson:"n"`
}

func newMade() *Made { return &Made{bson.NewObjectID(), 1} }

func others(ctx context.Context, c *mongo.Collection, passed Passed) {
	c.InsertOne(ctx, Omitted{N: 1})
	c.InsertOne(ctx, InLiteral{ID: bson.NewObjectID(), N: 1})
	a := Assigned{N: 1}
	a.ID = bson.NewObjectID()
	c.InsertOne(ctx, a)
	b := &ByMethod{N: 1}
	b.prepare()
	c.InsertOne(ctx, b)
	c.InsertOne(ctx, passed)
	made := newMade()
	c.InsertOne(ctx, made)
}

// Base is embedded in Resource, and Resource in what is stored.
type Base struct {
	ID bson.ObjectID `bson:"_id"` // want `Bare.ID is not set`
}

type Resource struct {
	Base  `bson:",inline"`
	State string `bson:"state"`
}

func newResource() Resource { return Resource{Base: Base{ID: bson.NewObjectID()}} }

// Tool gets its id with all that it embeds.
type Tool struct {
	Resource `bson:",inline"`
	Name     string `bson:"name"`
}

type Bare struct {
	Resource `bson:",inline"`
	Name     string `bson:"name"`
}

// Labelled has a method with the name of the id that it embeds.
type Labelled struct {
	Base `bson:",inline"`
	Name string `bson:"name"`
}

func (l Labelled) Label() string { return l.Name }

func (l Labelled) Long() string { return l.Name + l.ID() }

func (l Labelled) ID() string { return l.Base.ID.Hex() }

func labelled(ctx context.Context, c *mongo.Collection) {
	c.InsertOne(ctx, Labelled{Name: "one", Base: Base{ID: bson.NewObjectID()}})
}

func tools(ctx context.Context, c, bare *mongo.Collection) {
	tool := &Tool{Resource: newResource(), Name: "one"}
	c.InsertOne(ctx, tool)
	bare.InsertOne(ctx, Bare{Name: "one"})
}
