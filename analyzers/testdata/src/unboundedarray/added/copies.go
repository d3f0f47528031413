package added

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// Hall is written anew with each guest, as a copy of what was read.
type Hall struct {
	ID     int64   `bson:"_id"`
	Name   string  `bson:"name"`
	Guests []Guest `bson:"guests"` // want `guests grows without bound: each call of register adds to the list in Hall`
	Seats  []Guest `bson:"seats"`
}

type Guest struct {
	ID   string `bson:"id"`
	Name string `bson:"name"`
}

func hall(ctx context.Context, c *mongo.Collection, id int64) (h *Hall) {
	if c.FindOne(ctx, bson.M{"_id": id}).Decode(&h) != nil {
		return &Hall{}
	}
	return h
}

func set(ctx context.Context, c *mongo.Collection, id int64, data any) error {
	_, err := c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$set": data}, options.UpdateOne().SetUpsert(true))
	return err
}

func register(ctx context.Context, c *mongo.Collection, id int64, name string, g Guest) error {
	old := hall(ctx, c, id)
	guests := old.Guests
	guests = append(guests, g)
	return set(ctx, c, id, &Hall{ID: id, Name: name, Guests: guests})
}

// plan shows what a hall would be like. Nothing stores it.
func plan(ctx context.Context, c *mongo.Collection, id int64, g Guest) *Hall {
	old := hall(ctx, c, id)
	return &Hall{ID: id, Seats: append(old.Seats, g)}
}
