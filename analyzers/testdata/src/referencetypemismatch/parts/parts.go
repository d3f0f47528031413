// Package parts has two types that are parts of an order. An item may be something else.
package parts

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type OrderItem struct {
	ID    bson.ObjectID `bson:"_id"`
	Price int           `bson:"price"`
}

type OrderLog struct {
	ID     bson.ObjectID `bson:"_id"`
	ItemID string        `bson:"itemId"`
}

func orders(ctx context.Context, db *mongo.Database, i OrderItem, l OrderLog) {
	db.Collection("items").InsertOne(ctx, i)
	db.Collection("logs").InsertOne(ctx, l)
}
