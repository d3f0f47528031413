// Package collections has two types with a field of one name, and an index on that of one
// of them.
package collections

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

type Ticket struct {
	ID     string `bson:"_id"`
	EndsAt int64  `bson:"endsAt"` // want `endsAt is stored as a number, but its TTL index needs a date: no Ticket expires`
}

// Contract ends too, and is kept.
type Contract struct {
	ID     string `bson:"_id"`
	EndsAt int64  `bson:"endsAt"`
}

// Draft is stored in a collection that the caller chooses.
type Draft struct {
	ID     string `bson:"_id"`
	LeftAt int64  `bson:"leftAt"` // want `leftAt is stored as a number, but its TTL index needs a date: no Draft expires`
}

func keep(ctx context.Context, drafts *mongo.Collection, d Draft) { drafts.InsertOne(ctx, d) }

func store(ctx context.Context, db *mongo.Database, t Ticket, c Contract) {
	db.Collection("tickets").InsertOne(ctx, t)
	db.Collection("contracts").InsertOne(ctx, c)
}

func indexes(ctx context.Context, db *mongo.Database) {
	tickets := db.Collection("tickets")
	all := []mongo.IndexModel{
		{Keys: bson.D{{Key: "endsAt", Value: 1}}, Options: options.Index().SetExpireAfterSeconds(0)},
	}
	tickets.Indexes().CreateMany(ctx, all)
	db.Collection("drafts").Indexes().CreateMany(ctx, []mongo.IndexModel{
		{Keys: bson.D{{Key: "leftAt", Value: 1}}, Options: options.Index().SetExpireAfterSeconds(3600)},
	})
}
