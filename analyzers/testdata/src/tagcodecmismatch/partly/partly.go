// Package partly gives some fields the right tag.
package partly

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Visit struct { // want `Visit has json tags but is stored by bson, which does not read them: VisitedBy is stored as "visitedby", not "visited_by"`
	ID        bson.ObjectID `bson:"_id,omitempty" json:"id"`
	LastedFor int           `json:"lasted_for"` // no query asks for it
	VisitedBy string        `json:"visited_by"`
	VisitedAt time.Time     `json:"visited_at"`
}

// Stay is never asked for by the names in its tags.
type Stay struct {
	ID       bson.ObjectID `bson:"_id,omitempty" json:"id"`
	StayedBy string        `json:"stayed_by"`
	StayedAt time.Time     `json:"stayed_at"`
}

func add(ctx context.Context, c *mongo.Collection, v Visit, s Stay) {
	c.InsertOne(ctx, v)
	c.InsertOne(ctx, s)
}

func of(ctx context.Context, c *mongo.Collection, name string) (*mongo.Cursor, error) {
	return c.Find(ctx, bson.M{"visited_by": name})
}
