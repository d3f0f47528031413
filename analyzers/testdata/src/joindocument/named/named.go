// Package named calls references by what they refer to.
package named

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Hostel struct {
	ID   bson.ObjectID `bson:"_id"`
	Name string        `bson:"name"`
}

type Guest struct {
	ID   bson.ObjectID `bson:"_id"`
	Name string        `bson:"name"`
}

type Assignment struct { // want `Assignment only connects Hostel and Guest`
	ID     bson.ObjectID `bson:"_id"`
	Hostel bson.ObjectID `bson:"hostel"`
	Guest  bson.ObjectID `bson:"guest"`
}

// Stay says more than who was where.
type Stay struct {
	ID     bson.ObjectID `bson:"_id"`
	Hostel bson.ObjectID `bson:"hostel"`
	Guest  bson.ObjectID `bson:"guest"`
	Room   string        `bson:"room"`
	Price  int           `bson:"price"`
}

// Visit refers to one thing only.
type Visit struct {
	ID     bson.ObjectID `bson:"_id"`
	Hostel bson.ObjectID `bson:"hostel"`
	Code   string        `bson:"code"`
}

func store(ctx context.Context, db *mongo.Database, h Hostel, g Guest, a Assignment, s Stay, v Visit) {
	db.Collection("hostels").InsertOne(ctx, h)
	db.Collection("guests").InsertOne(ctx, g)
	db.Collection("assignments").InsertOne(ctx, a)
	db.Collection("stays").InsertOne(ctx, s)
	db.Collection("visits").InsertOne(ctx, v)
}
