package emptyslices

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

type Post struct {
	ID   string   `bson:"_id"`
	Tags []string `bson:"tags"`
}

func client() *options.ClientOptions {
	o := &options.BSONOptions{}
	o.NilSliceAsEmpty = true
	return options.Client().SetBSONOptions(o)
}

func create(ctx context.Context, c *mongo.Collection, id, tag string) {
	c.InsertOne(ctx, Post{ID: id})
	c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"tags": tag}})
}
