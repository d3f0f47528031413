// Package unset has a reference that the whole program never fills.
package unset

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Hook struct {
	ID  bson.ObjectID `bson:"_id,omitempty"`
	URL string        `bson:"url"`
}

type Deployment struct {
	ID     bson.ObjectID `bson:"_id,omitempty"`
	Domain string        `bson:"domain"`
	HookID string        `bson:"hookId"`
}

type Delivery struct {
	ID     bson.ObjectID `bson:"_id,omitempty"`
	Status int           `bson:"status"`
	HookID string        `bson:"hookId"`
}

func save(ctx context.Context, db *mongo.Database, domain, hook string) {
	db.Collection("hooks").InsertOne(ctx, Hook{URL: domain})
	db.Collection("deployments").InsertOne(ctx, Deployment{Domain: domain})
	db.Collection("deliveries").InsertOne(ctx, Delivery{Status: 200, HookID: hook})
}
