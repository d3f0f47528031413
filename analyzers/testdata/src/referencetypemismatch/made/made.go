// Package made refers to documents whose ids the driver makes.
package made

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Room struct {
	Name string `bson:"name"`
	Beds int    `bson:"beds"`
}

type Booking struct {
	ID     string `bson:"_id"`
	RoomID string `bson:"roomId"` // want `roomId is stored as string, but each Room that it refers to gets an ObjectID as its _id when it is inserted`
}

type Extra struct {
	ID     string        `bson:"_id"`
	RoomID bson.ObjectID `bson:"roomId"`
}

// Key opens a room, which it knows by its name.
type Key struct {
	ID     string `bson:"_id"`
	RoomID string `bson:"room"`
}

func add(ctx context.Context, c *mongo.Collection, r Room, b Booking, e Extra) {
	c.InsertOne(ctx, r)
	c.InsertOne(ctx, b)
	c.InsertOne(ctx, e)
	c.InsertOne(ctx, Key{ID: "k", RoomID: r.Name})
}
