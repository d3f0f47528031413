// Package mocks has a store and a mock of it, which keeps what it is given.
package mocks

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Sample struct {
	Value int `bson:"value"`
}

type Series struct {
	ID      bson.ObjectID `bson:"_id"`
	Name    string        `bson:"name"`
	Samples []Sample      `bson:"samples"`
}

func Save(ctx context.Context, db *mongo.Database, s *Series) error {
	_, err := db.Collection("series").ReplaceOne(ctx, bson.M{"_id": s.ID}, s)
	return err
}

func Find(ctx context.Context, db *mongo.Database, name string) (*Series, error) {
	var s Series
	err := db.Collection("series").FindOne(ctx, bson.M{"name": name}).Decode(&s)
	return &s, err
}
