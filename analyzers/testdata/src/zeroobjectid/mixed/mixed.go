// Package mixed stores some documents by mgo still.
package mixed

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"gopkg.in/mgo.v2"
)

type Post struct {
	ID    bson.ObjectID `bson:"_id"` // want `Post.ID is not set`
	Title string        `bson:"title"`
}

type Page struct {
	ID    bson.ObjectID `bson:"_id"`
	Title string        `bson:"title"`
}

func post(ctx context.Context, c *mongo.Collection) { c.InsertOne(ctx, Post{Title: "one"}) }

func page(c *mgo.Collection) { c.Insert(Page{Title: "one"}) }
