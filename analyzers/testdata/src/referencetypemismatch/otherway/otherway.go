// Package otherway refers to sources by a text of their own, not by their _id.
package otherway

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Source struct {
	ID   bson.ObjectID `bson:"_id"`
	UID  string        `bson:"uid"`
	Name string        `bson:"name"`
}

type Call struct {
	ID       bson.ObjectID `bson:"_id"`
	SourceID string        `bson:"source_id"`
}

// Meta is set from requests, which say nothing about what its text means.
type Meta struct {
	ID       bson.ObjectID `bson:"_id"`
	SourceID string        `bson:"source_id"`
}

type Sink struct {
	ID   bson.ObjectID `bson:"_id"`
	UID  string        `bson:"uid"`
	Name string        `bson:"name"`
}

type Drain struct {
	ID     bson.ObjectID `bson:"_id"`
	SinkID string        `bson:"sink_id"` // want `sink_id is stored as string, but the _id of Sink that it refers to as ObjectID`
}

type stores struct{ sources, calls, metas, sinks, drains *mongo.Collection }

func (s stores) call(ctx context.Context, from *Source) error {
	_, err := s.calls.InsertOne(ctx, Call{ID: bson.NewObjectID(), SourceID: from.UID})
	return err
}

func (s stores) save(ctx context.Context, from Source, m Meta, to Sink, d Drain) {
	s.sources.InsertOne(ctx, from)
	s.metas.InsertOne(ctx, m)
	s.sinks.InsertOne(ctx, to)
	s.drains.InsertOne(ctx, d)
}

// Shelf has an ObjectID. The UUID that books refer to is that of another service.
type Shelf struct {
	ID   bson.ObjectID `bson:"_id"`
	Name string        `bson:"name"`
}

type Book struct {
	ID        bson.ObjectID `bson:"_id"`
	ShelfGUID string        `bson:"shelfGuid"`
	ShelfUuid string        `bson:"shelfUuid"`
	ShelfID   string        `bson:"shelfId"` // want `shelfId is stored as string, but the _id of Shelf that it refers to as ObjectID`
}

func shelve(ctx context.Context, c *mongo.Collection, s Shelf, b Book) {
	c.InsertOne(ctx, s)
	c.InsertOne(ctx, b)
}
