// Package first makes a list before it adds to it.
package first

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Role struct {
	ID    string   `bson:"_id"`
	Users []string `bson:"users"`
	Rules []string `bson:"rules"` // want `rules is stored as null while it is nil, but \$addToSet fails on null`
}

func create(ctx context.Context, c *mongo.Collection, id string) { c.InsertOne(ctx, Role{ID: id}) }

func assign(ctx context.Context, c *mongo.Collection, id, user string) {
	c.UpdateOne(ctx, bson.M{"_id": id, "users": nil}, bson.M{"$set": bson.M{"users": bson.A{}}})
	c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$addToSet": bson.M{"users": user}})
}

func allow(ctx context.Context, c *mongo.Collection, id, rule string) {
	c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$addToSet": bson.M{"rules": rule}})
}

// reset stands behind no $addToSet.
func reset(ctx context.Context, c *mongo.Collection, id string) {
	c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$set": bson.M{"rules": bson.A{}}})
}
