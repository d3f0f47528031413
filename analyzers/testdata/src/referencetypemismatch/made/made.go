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

// Guest has a name to log in with. LoginRecord says when one did.
type Guest struct {
	ID      bson.ObjectID `bson:"_id"`
	LoginID *string       `bson:"login_id"`
}

type LoginRecord struct {
	At string `bson:"at"`
	By string `bson:"by"`
}

func enter(ctx context.Context, c *mongo.Collection, g Guest, r LoginRecord) {
	c.InsertOne(ctx, g)
	c.InsertOne(ctx, r)
}

// Plan is what another service calls a plan, and when it was fetched. It is known by the
// id that it has there.
type Plan struct {
	Remote
	Fetched string `bson:"fetched"`
}

type Remote struct {
	ID   string `bson:"id"`
	Name string `bson:"name"`
}

type Step struct {
	ID     string `bson:"_id"`
	PlanID string `bson:"planId"`
}

func fetch(ctx context.Context, c *mongo.Collection, p Plan, s Step) {
	c.InsertOne(ctx, p)
	c.InsertOne(ctx, s)
}

// Alarm has an id of its own. What waits to be sent has one too, which no alarm has.
type Alarm struct {
	ID   bson.ObjectID `bson:"_id"`
	Kind string        `bson:"kind"`
}

type Waiting struct {
	ID      string `bson:"_id"`
	AlarmID string `bson:"alarmId"`
}

type Rung struct {
	ID      string `bson:"_id"`
	AlarmID string `bson:"alarmId"` // want `alarmId is stored as string, but the _id of Alarm that it refers to as ObjectID`
}

func queue(ctx context.Context, c *mongo.Collection, e Alarm, id string) {
	c.InsertOne(ctx, e)
	c.InsertOne(ctx, Waiting{ID: id, AlarmID: bson.NewObjectID().Hex()})
	c.InsertOne(ctx, Rung{ID: id, AlarmID: id})
}

func add(ctx context.Context, c *mongo.Collection, r Room, b Booking, e Extra) {
	c.InsertOne(ctx, r)
	c.InsertOne(ctx, b)
	c.InsertOne(ctx, e)
	c.InsertOne(ctx, Key{ID: "k", RoomID: r.Name})
}
