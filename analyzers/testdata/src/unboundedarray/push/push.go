package push

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

// The elements write themselves, so that no child type can take them in.

type Entry struct {
	ID string    `bson:"_id"`
	At time.Time `bson:"at"`
}

func (e Entry) MarshalBSON() ([]byte, error) { return nil, nil }

type Ordered struct {
	ID      string  `bson:"_id"`
	Entries []Entry `bson:"entries"` // want `entries grows without bound`
}

type Mapped struct {
	ID      string  `bson:"_id"`
	Entries []Entry `bson:"lines"` // want `lines grows without bound`
}

type Many struct {
	ID      string  `bson:"_id"`
	Entries []Entry `bson:"batches"` // want `batches grows without bound`
}

type Variable struct {
	ID      string  `bson:"_id"`
	Entries []Entry `bson:"moves"` // want `moves grows without bound`
}

type Pipeline struct {
	ID      string  `bson:"_id"`
	Entries []Entry `bson:"steps"` // want `steps grows without bound`
}

type Plain struct {
	ID      string  `bson:"_id"`
	Entries []Entry `bson:"notes"` // want `notes grows without bound`
}

// Appended grows in code too: to bound one of the two would not help.
type Appended struct {
	ID      string  `bson:"_id"`
	Entries []Entry `bson:"visits"` // want `visits grows without bound`
}

func create(ctx context.Context, c *mongo.Collection, a Ordered, b Mapped, d Many, e Variable, f Pipeline, g Plain, h *Appended) {
	c.InsertOne(ctx, a)
	c.InsertOne(ctx, b)
	c.InsertOne(ctx, d)
	c.InsertOne(ctx, e)
	c.InsertOne(ctx, f)
	c.InsertOne(ctx, g)
	h.Entries = append(h.Entries, Entry{})
	c.InsertOne(ctx, h)
}

func add(ctx context.Context, c *mongo.Collection, id string, e Entry, all []Entry) {
	c.UpdateOne(ctx, bson.D{{"_id", id}}, bson.D{{"$push", bson.D{{"entries", e}}}})
	c.UpdateOne(ctx, bson.D{{Key: "_id", Value: id}}, bson.D{{Key: "$push", Value: bson.D{{Key: "entries", Value: Entry{ID: "x"}}}}})
	c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"lines": Entry{
		ID: "y",
		At: time.Now(),
	}}})
	c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"batches": bson.M{"$each": all}}})
	c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.D{{Key: "batches", Value: bson.D{
		{Key: "$each", Value: all},
	}}}})
	update := bson.M{"$push": bson.M{"moves": e}}
	c.UpdateOne(ctx, bson.M{"_id": id}, update)
	steps := bson.A{bson.D{{Key: "$set", Value: bson.D{{Key: "steps", Value: bson.D{{Key: "$concatArrays", Value: bson.A{"$steps", all}}}}}}}}
	c.UpdateOne(ctx, bson.M{"_id": id}, steps)
	c.UpdateOne(ctx, bson.M{"_id": id}, map[string]any{"$push": map[string]any{"notes": e}})
	c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"visits": e}})
}
