package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

type Session struct {
	ID       string    `bson:"_id"`
	ExpireAt int64     `bson:"expireAt"` // want `expireAt is stored as a number, but its TTL index needs a date: no Session expires`
	SeenAt   time.Time `bson:"seenAt"`
	EndsAt   int64     `bson:"endsAt"`
}

var indexes = []mongo.IndexModel{
	{Keys: bson.D{{Key: "expireAt", Value: 1}}, Options: options.Index().SetExpireAfterSeconds(0)},
	{Keys: bson.D{{Key: "seenAt", Value: 1}}, Options: options.Index().SetExpireAfterSeconds(3600)},
	{Keys: bson.D{{Key: "endsAt", Value: 1}}, Options: options.Index().SetUnique(true)},
}

func store(ctx context.Context, c *mongo.Collection, s Session) { c.InsertOne(ctx, s) }
