// Package rename copies a name, and rewrites the copies when it changes.
package rename

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Message struct {
	ID     string `bson:"_id"`
	Text   string `bson:"text"`
	Author Author `bson:"author"`
}

type Author struct {
	Username string `bson:"username"`
	Fullname string `bson:"fullname"`
}

func send(ctx context.Context, c *mongo.Collection, m Message) { c.InsertOne(ctx, m) }

func rename(ctx context.Context, c *mongo.Collection, user, name string) {
	c.UpdateMany(ctx, bson.M{"author.username": user}, bson.M{"$set": bson.M{"author.fullname": name}})
}
