// Package sized keeps the length of a list as a number, and refuses more by it.
package sized

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Message struct {
	ID   string `bson:"id"`
	Text string `bson:"text"`
}

type Room struct {
	ID      string    `bson:"_id"`
	Size    int       `bson:"size"`
	MaxSize int       `bson:"maxSize"`
	Marks   []Message `bson:"marks"`
}

// Hall counts visits, of which there may be some number, and not lines.
type Hall struct {
	ID        string    `bson:"_id"`
	Visits    int       `bson:"visits"`
	MaxVisits int       `bson:"maxVisits"`
	Lines     []Message `bson:"lines"` // want `lines grows without bound`
}

type store struct{ rooms, halls *mongo.Collection }

func (s store) create(ctx context.Context, r Room, h Hall) {
	s.rooms.InsertOne(ctx, r)
	s.halls.InsertOne(ctx, h)
}

func (s store) post(ctx context.Context, r *Room, m Message) {
	if r.Size >= r.MaxSize {
		return
	}
	s.rooms.UpdateOne(ctx, bson.M{"_id": r.ID}, bson.M{"$push": bson.M{"marks": m}, "$inc": bson.M{"size": 1}})
}

func (s store) visit(ctx context.Context, h *Hall) {
	if h.Visits >= h.MaxVisits {
		return
	}
	s.halls.UpdateOne(ctx, bson.M{"_id": h.ID}, bson.M{"$inc": bson.M{"visits": 1}})
}

func (s store) say(ctx context.Context, h *Hall, m Message) {
	s.halls.UpdateOne(ctx, bson.M{"_id": h.ID}, bson.M{"$push": bson.M{"lines": m}})
}
