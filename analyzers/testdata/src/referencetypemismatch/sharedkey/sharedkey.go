// Package sharedkey joins documents by a key that they share.
package sharedkey

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

// Chip is a kind of chip that is on sale.
type Chip struct {
	ID    bson.ObjectID `bson:"_id"`
	Price int           `bson:"price"`
}

// Dog is known by the number of the chip in its ear.
type Dog struct {
	ID         bson.ObjectID `bson:"_id"`
	ChipID     string        `bson:"chipId"`
	SoldChipID string        `bson:"soldChipId"` // want `soldChipId is stored as string`
}

func store(ctx context.Context, db *mongo.Database, c Chip, d Dog) {
	db.Collection("chips").InsertOne(ctx, c)
	db.Collection("dogs").InsertOne(ctx, d)
	db.Collection("scans").Aggregate(ctx, []bson.M{{"$lookup": bson.M{"from": "dogs", "localField": "chipId", "foreignField": "chipId", "as": "dogs"}}})
}
