// Package enriched adds to documents that it has read what an answer needs.
package enriched

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

// Machine is stored.
type Machine struct {
	ID    bson.ObjectID   `bson:"_id"`
	Links map[string]Link `bson:"links"` // want `links uses data as field names`
}

// View is only read, and gets its links here.
type View struct {
	ID    bson.ObjectID   `bson:"_id"`
	Links map[string]Link `bson:"links"`
}

type Link struct {
	ModuleID int64 `bson:"module_id"`
}

func save(ctx context.Context, machines *mongo.Collection, m Machine, module string) {
	m.Links[module] = Link{}
	machines.InsertOne(ctx, m)
}

func view(ctx context.Context, machines *mongo.Collection, module string) (v View, err error) {
	if err = machines.FindOne(ctx, bson.M{}).Decode(&v); err == nil {
		v.Links[module] = Link{}
	}
	return v, err
}
