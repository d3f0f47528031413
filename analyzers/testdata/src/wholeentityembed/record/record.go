// Package record keeps what was when something happened.
package record

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Server struct {
	Name    string    `bson:"_id"`
	Port    string    `bson:"port"`
	Address string    `bson:"address"`
	Zone    string    `bson:"zone"`
	Rack    string    `bson:"rack"`
	Since   time.Time `bson:"since"`
}

// EventData records which server did it.
type EventData struct {
	ID     string `bson:"_id"`
	Server Server `bson:"server"`
}

type Watch struct {
	ID     string `bson:"_id"`
	Server Server `bson:"server"` // want `server holds a whole Server`
	Model  Model  `bson:"model"`
}

// Model is never changed, so that no copy of one goes stale.
type Model struct {
	Name   string `bson:"_id"`
	Maker  string `bson:"maker"`
	Cores  string `bson:"cores"`
	Memory string `bson:"memory"`
	Size   string `bson:"size"`
	Weight string `bson:"weight"`
}

func store(ctx context.Context, db *mongo.Database, s Server, m Model, e EventData, w Watch) {
	db.Collection("servers").InsertOne(ctx, s)
	db.Collection("servers").UpdateOne(ctx, bson.M{"_id": s.Name}, bson.M{"$set": bson.M{"port": s.Port}})
	db.Collection("models").InsertOne(ctx, m)
	var model Model
	db.Collection("models").FindOne(ctx, w.ID).Decode(&model)
	w.Model = model
	var read Server
	db.Collection("servers").FindOne(ctx, w.ID).Decode(&read)
	e.Server, w.Server = read, read
	db.Collection("events").InsertOne(ctx, e)
	db.Collection("watches").InsertOne(ctx, w)
}
