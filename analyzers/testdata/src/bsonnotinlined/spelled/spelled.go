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

// Ward is asked for by a path below the embedded struct of its beds. An archive has beds too.
type Ward struct {
	ID   bson.ObjectID `bson:"_id"`
	Beds []Bed         `bson:"beds"`
}

type Archive struct {
	ID    bson.ObjectID `bson:"_id"`
	Freed []Bed         `bson:"freed"`
}

type Bed struct {
	Number int `bson:"number"`
	Size
}

type Size struct {
	Width int `bson:"width"`
}

func wards(ctx context.Context, c *mongo.Collection, w Ward, a Archive) {
	c.InsertOne(ctx, w)
	c.InsertOne(ctx, a)
	c.Aggregate(ctx, []bson.M{{"$project": bson.M{"width": "$beds.size.width"}}})
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
