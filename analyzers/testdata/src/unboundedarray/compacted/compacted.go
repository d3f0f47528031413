// Package compacted stores lists that an update sets to a part of themselves.
package compacted

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Event struct {
	ID string    `bson:"id"`
	At time.Time `bson:"at"`
}

type Session struct {
	ID     string  `bson:"_id"`
	Events []Event `bson:"events"`
	Turns  []Event `bson:"turns"`
	Visits []Event `bson:"visits"` // want `visits grows without bound`
}

func add(ctx context.Context, c *mongo.Collection, s Session, e Event) {
	c.InsertOne(ctx, s)
	c.UpdateOne(ctx, bson.M{"_id": s.ID}, bson.M{"$push": bson.M{"events": e, "turns": e, "visits": e}})
}

// compact puts a summary in the place of old events.
func compact(ctx context.Context, c *mongo.Collection, s Session, summary Event, keep int) {
	cut := len(s.Events) - keep
	kept := make([]Event, 0, keep+1)
	kept = append(kept, summary)
	kept = append(kept, s.Events[cut:]...)
	c.UpdateOne(ctx, bson.M{"_id": s.ID}, bson.M{"$set": bson.M{"events": kept, "turns": s.Turns[len(s.Turns)-keep:]}})
}

// forget takes out one visit, and the next one comes.
func forget(ctx context.Context, c *mongo.Collection, s Session, i int) {
	c.UpdateOne(ctx, bson.M{"_id": s.ID}, bson.M{"$set": bson.M{"visits": append(s.Visits[:i], s.Visits[i+1:]...)}})
}
