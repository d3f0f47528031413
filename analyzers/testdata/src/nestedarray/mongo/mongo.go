package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Hall struct {
	ID    bson.ObjectID `bson:"_id"`
	Rows  [][]Seat      `bson:"rows"` // want `rows is a list of lists: an update that looks for an element reaches only the outer list`
	Ring  [][]float64   `bson:"ring"`
	Cells [][]string    `bson:"cells"`
	Walls [][]Wall      `bson:"walls"`
}

type Seat struct {
	ID    string `bson:"id"`
	Taken bool   `bson:"taken"`
}

// Wall has no id by which one would be looked for.
type Wall struct{ From, To int }

func save(ctx context.Context, c *mongo.Collection, h Hall) { c.InsertOne(ctx, h) }
