// Package codecs stores events that one of two codecs encodes. What one of them
// encodes as JSON has no fields in a document.
package codecs

import (
	"context"
	"encoding/json"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type codec interface {
	encode(name string) ([]byte, error)
}

type bsonCodec struct{}

type bsonEvent struct {
	EventName string `bson:"event_name"`
}

func (bsonCodec) encode(name string) ([]byte, error) { return bson.Marshal(bsonEvent{name}) }

type jsonCodec struct{}

type jsonEvent struct {
	EventName string `json:"event_name"`
}

func (jsonCodec) encode(name string) ([]byte, error) { return json.Marshal(jsonEvent{name}) }

type Entry struct {
	ID    string   `bson:"_id"`
	Event bson.Raw `bson:"event"`
}

func put(ctx context.Context, db *mongo.Database, c codec, id, name string) {
	event, _ := c.encode(name)
	db.Collection("outbox").InsertOne(ctx, Entry{ID: id, Event: event})
}

var _ = []codec{bsonCodec{}, jsonCodec{}}
