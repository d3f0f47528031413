package jsontags

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

type Person struct {
	Email     string `json:"email"`
	FirstName string `json:"firstName"`
}

func client() *options.ClientOptions {
	return options.Client().SetBSONOptions(&options.BSONOptions{UseJSONStructTags: true})
}

func store(ctx context.Context, c *mongo.Collection, p Person) { c.InsertOne(ctx, p) }
