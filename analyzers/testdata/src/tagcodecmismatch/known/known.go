// Package known asks for one of its documents by the names that are stored. So
// its authors know of the other, too.
package known

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Known struct {
	Email    string `json:"email"`
	LastName string `json:"lastName"`
}

type Other struct {
	Email    string `json:"email"`
	NickName string `json:"nickName"`
}

func store(ctx context.Context, c *mongo.Collection, k Known, o Other) {
	c.InsertOne(ctx, k)
	c.InsertOne(ctx, o)
	c.FindOne(ctx, bson.M{"lastname": "x"})
}
