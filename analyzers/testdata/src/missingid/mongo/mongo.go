package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/mongo"
)

// Reading gets an ObjectID from the driver.
type Reading struct {
	Value float64 `bson:"value"`
}

func store(ctx context.Context, c *mongo.Collection, r Reading) { c.InsertOne(ctx, r) }
