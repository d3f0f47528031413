// Package store stores what another package declares.
package store

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"

	"example.com/shop/orders"
)

func Create(ctx context.Context, db *mongo.Database, o orders.Order) error {
	_, err := db.Collection("orders").InsertOne(ctx, o)
	return err
}

func Happen(ctx context.Context, db *mongo.Database, number string, e orders.Event) error {
	_, err := db.Collection("orders").UpdateOne(ctx, bson.M{"number": number}, bson.M{"$push": bson.M{"events": e}})
	return err
}
