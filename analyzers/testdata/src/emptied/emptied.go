// Package emptied has a list of references that the whole program never fills.
package emptied

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Artist struct {
	ID     bson.ObjectID   `bson:"_id,omitempty"`
	Name   string          `bson:"name"`
	Events []bson.ObjectID `bson:"events"`
	Songs  []bson.ObjectID `bson:"songs"`
}

type Event struct {
	ID       bson.ObjectID `bson:"_id,omitempty"`
	ArtistID bson.ObjectID `bson:"artistId"`
	City     string        `bson:"city"`
}

type Song struct {
	ID       bson.ObjectID `bson:"_id,omitempty"`
	ArtistID bson.ObjectID `bson:"artistId"`
	Title    string        `bson:"title"`
}

func add(ctx context.Context, db *mongo.Database, a Artist) {
	a.Events = []bson.ObjectID{}
	db.Collection("artists").InsertOne(ctx, a)
}

func edit(ctx context.Context, db *mongo.Database, a, before Artist, songs []bson.ObjectID) {
	a.Events = before.Events
	a.Songs = songs
	db.Collection("artists").ReplaceOne(ctx, bson.M{"_id": a.ID}, a)
}

func plan(ctx context.Context, db *mongo.Database, e Event, s Song) {
	db.Collection("events").InsertOne(ctx, e)
	db.Collection("songs").InsertOne(ctx, s)
}

// Nurse: documents are made without the logs, and nothing ever sets them.
type Nurse struct {
	ID       bson.ObjectID `bson:"_id"`
	Name     string        `bson:"name"`
	AwayLogs []AwayLog     `bson:"away_logs"`
}

type AwayLog struct {
	ID   bson.ObjectID `bson:"id"`
	Ward string        `bson:"ward"`
}

func hire(ctx context.Context, db *mongo.Database, name string) {
	n := &Nurse{}
	n.Name = name
	db.Collection("nurses").InsertOne(ctx, n)
}
