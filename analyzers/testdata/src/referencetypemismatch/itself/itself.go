// Package itself stores ids of a type that decides by itself how it is stored.
package itself

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"

	mgobson "referencetypemismatch/itself/bson"
)

// ID is text in code and an ObjectID in documents.
type ID string

func (id ID) MarshalBSONValue() (byte, []byte, error) {
	made, err := bson.ObjectIDFromHex(string(id))
	return 7, made[:], err
}

type Singer struct {
	ID   bson.ObjectID `bson:"_id"`
	Name string        `bson:"name"`
}

type Choir struct {
	ID   ID     `bson:"_id"`
	Name string `bson:"name"`
}

type Rehearsal struct {
	ID       bson.ObjectID `bson:"_id"`
	SingerID ID            `bson:"singerId"`
	ChoirID  bson.ObjectID `bson:"choirId"`
}

type Absence struct {
	ID       bson.ObjectID `bson:"_id"`
	SingerID string        `bson:"singerId"` // want `singerId is stored as string`
}

// Hall has an id whose name says what it becomes.
type Hall struct {
	ID   mgobson.ObjectId `bson:"_id"`
	Seat int              `bson:"seat"`
}

type Booking struct {
	ID     bson.ObjectID `bson:"_id"`
	HallID string        `bson:"hallId"` // want `hallId is stored as string`
}

func save(ctx context.Context, db *mongo.Database, s Singer, c Choir, r Rehearsal, a Absence, h Hall, b Booking) {
	db.Collection("singers").InsertOne(ctx, s)
	db.Collection("choirs").InsertOne(ctx, c)
	db.Collection("rehearsals").InsertOne(ctx, r)
	db.Collection("absences").InsertOne(ctx, a)
	db.Collection("halls").InsertOne(ctx, h)
	db.Collection("bookings").InsertOne(ctx, b)
}
