// Package buckets adds to documents of one day, and to others of the same shape.
package buckets

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Visit struct {
	ID string    `bson:"id"`
	At time.Time `bson:"at"`
}

// Day has a document for each day.
type Day struct {
	Door   string    `bson:"door"`
	Date   time.Time `bson:"date"`
	Visits []Visit   `bson:"visits"`
}

// Pass is looked for by its age.
type Pass struct {
	Door   string    `bson:"door"`
	Issued time.Time `bson:"issuedAt"`
	Visits []Visit   `bson:"visits"` // want `visits grows without bound`
}

func enter(ctx context.Context, db *mongo.Database, door string, day time.Time, v Visit) {
	db.Collection("days").InsertOne(ctx, Day{Door: door, Date: day})
	db.Collection("days").UpdateOne(ctx, bson.M{"door": door, "date": day}, bson.M{"$push": bson.M{"visits": v}})
	db.Collection("passes").InsertOne(ctx, Pass{Door: door, Issued: day})
	db.Collection("passes").UpdateOne(ctx, bson.M{"door": door, "issuedAt": bson.M{"$lt": day}}, bson.M{"$push": bson.M{"visits": v}})
}

// Guest and Room have lists of the same name. A method of Guest adds to its own.
type Guest struct {
	ID    string  `bson:"_id"`
	Stays []Visit `bson:"stays"` // want `stays grows without bound`
}

type Room struct {
	ID    string  `bson:"_id"`
	Stays []Visit `bson:"stays"`
}

func (g *Guest) stay(v Visit) bson.M { return bson.M{"$push": bson.M{"stays": v}} }

func save(ctx context.Context, db *mongo.Database, g Guest, r Room) {
	db.Collection("guests").InsertOne(ctx, g)
	db.Collection("rooms").InsertOne(ctx, r)
}
