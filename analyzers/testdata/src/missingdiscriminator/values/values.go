// Package values stores fields of type any.
package values

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Circle struct {
	Radius float64 `bson:"radius"`
}

type Square struct {
	Side float64 `bson:"side"`
}

type Drawing struct {
	ID    string `bson:"_id"`
	Shape any    `bson:"shape"` // want `shape holds Circle or Square, and nothing stored with it says which`
	Extra any    `bson:"extra"`
	Value any    `bson:"value"`
}

// Plan says beside the shape what it is.
type Plan struct {
	ID    string `bson:"_id"`
	Type  string `bson:"type"`
	Shape any    `bson:"shape"`
}

func store(ctx context.Context, c *mongo.Collection, p Plan) {
	d := Drawing{ID: "1", Shape: Circle{Radius: 1}, Extra: Circle{Radius: 2}, Value: 1}
	c.InsertOne(ctx, d)
	d.Shape = &Square{Side: 1}
	d.Extra = Square{Side: 2}
	d.Value = "one"
	c.InsertOne(ctx, d)
	p.Shape = Circle{}
	c.InsertOne(ctx, p)
	p.Shape = Square{}
	c.InsertOne(ctx, p)
}
