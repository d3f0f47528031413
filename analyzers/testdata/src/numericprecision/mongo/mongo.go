package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Block struct {
	ID       string `bson:"_id"`
	Checksum uint64 `bson:"checksum"` // want `checksum is of type uint64, but bson has only signed integers`
	Seed     int64  `bson:"seed"`
	Height   uint64 `bson:"height"`
	OwnerID  uint64 `bson:"ownerId"`
}

func save(ctx context.Context, c *mongo.Collection, b Block) { c.InsertOne(ctx, b) }
