package omitempty

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

type Post struct {
	ID    bson.ObjectID `bson:"_id"`
	Title string        `bson:"title"`
}

func client() *options.ClientOptions {
	return options.Client().SetBSONOptions(&options.BSONOptions{OmitEmpty: true})
}

func post(ctx context.Context, c *mongo.Collection) {
	c.InsertOne(ctx, Post{Title: "one"})
}
