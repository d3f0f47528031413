// Package spelled builds its queries with a helper that takes paths.
package spelled

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Flags struct {
	Flag int `bson:"flag"`
}

type Visit struct {
	ID bson.ObjectID `bson:"_id,omitempty"`
	Flags
	Room string `bson:"room"`
}

type condition struct {
	path  string
	value any
}

func store(ctx context.Context, c *mongo.Collection, v Visit) {
	c.InsertOne(ctx, v)
	find(ctx, c, condition{path: "flags.flag", value: 1})
}

func find(ctx context.Context, c *mongo.Collection, by condition) {
	c.Find(ctx, bson.M{by.path: by.value})
}
