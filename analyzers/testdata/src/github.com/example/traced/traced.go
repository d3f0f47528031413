// Package traced records the calls of a client.
package traced

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/mongo"
)

// Calls do what the methods do that they hide.
type Calls struct{ *mongo.Collection }

func (c *Calls) InsertOne(ctx context.Context, document any) (*mongo.InsertOneResult, error) {
	return c.Collection.InsertOne(ctx, document)
}

// Stats counts, and stores nothing.
type Stats struct{ *mongo.Collection }

func (s *Stats) InsertOne(ctx context.Context, value any, name string) error { return nil }

// Lines prints.
type Lines struct{ Of *mongo.Collection }

func (l *Lines) InsertOne(ctx context.Context, document any) (*mongo.InsertOneResult, error) {
	return nil, nil
}
