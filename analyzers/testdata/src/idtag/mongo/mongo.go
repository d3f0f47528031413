package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Post struct {
	ID    bson.ObjectID `bson:"id"` // want `the id of Post is stored as id: MongoDB adds another _id to every document \(id-tag\)`
	Title string        `bson:"title"`
}

type Tag struct {
	ID   string // want `the id of Tag is stored as id`
	Name string `bson:"name"`
}

type Good struct {
	ID bson.ObjectID `bson:"_id"`
	N  string        `bson:"id"`
}

type Base struct {
	ID bson.ObjectID `bson:"_id"`
}

type Promoted struct {
	Base `bson:",inline"`
	Key  string `bson:"id"`
}

// Moved has its id below base.
type Moved struct {
	Base
	ID2 string `bson:"ID"`
}

type ByKey struct {
	GroupID string `bson:"group_id"`
}

// Spaced has the right name in a tag that the codec cannot read.
type Spaced struct {
	ID   bson.ObjectID `bson: "_id"`
	Name string        `bson:"name"`
}

// Part is stored in posts only.
type Part struct {
	ID string `bson:"id"`
}

type Whole struct {
	ID    string `bson:"_id"`
	Parts []Part `bson:"parts"`
}

func store(ctx context.Context, c *mongo.Collection, documents ...any) {
	c.InsertOne(ctx, Post{})
	c.InsertOne(ctx, Tag{})
	c.InsertOne(ctx, Good{})
	c.InsertOne(ctx, Promoted{})
	c.InsertOne(ctx, Moved{})
	c.InsertOne(ctx, ByKey{})
	c.InsertOne(ctx, Spaced{})
	c.InsertOne(ctx, Whole{})
	c.FindOne(ctx, bson.M{"_id": 1})
}
