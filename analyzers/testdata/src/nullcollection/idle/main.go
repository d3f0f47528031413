// Package main stores orders with an empty list. Only tests store others.
package main

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Order struct {
	ID    string   `bson:"_id"`
	Tries []string `bson:"tries"`
	Notes []string `bson:"notes"` // want `notes is stored as null while it is nil, but \$push fails on null`
}

type store struct{ orders *mongo.Collection }

func main() {
	s := store{}
	serve(context.Background(), s, "1")
}

func serve(ctx context.Context, s store, id string) {
	o := &Order{ID: id, Tries: []string{}}
	s.create(ctx, o)
	s.try(ctx, id, "first")
}

func (s store) create(ctx context.Context, o *Order) { s.orders.InsertOne(ctx, o) }

func (s store) try(ctx context.Context, id, text string) {
	s.orders.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"tries": text, "notes": text}})
}

// SeedOrder makes an order for tests.
func SeedOrder(ctx context.Context, s store, id string) {
	s.orders.InsertOne(ctx, &Order{ID: id})
}
