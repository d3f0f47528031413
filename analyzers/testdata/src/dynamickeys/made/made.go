// Package made has maps by the ids of users, with an entry for each of two who talk, and for
// the first of many who play.
package made

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Talk struct {
	ID     string         `bson:"_id"`
	Unread map[string]int `bson:"unread"`
}

type Game struct {
	ID     string         `bson:"_id"`
	Points map[string]int `bson:"points"` // want `points uses user ids as field names`
}

func talk(ctx context.Context, c *mongo.Collection, userID, otherID string) {
	c.InsertOne(ctx, Talk{ID: userID + otherID, Unread: map[string]int{userID: 0, otherID: 0}})
}

func say(ctx context.Context, c *mongo.Collection, id, userID string) {
	c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$inc": bson.M{"unread." + userID: 1}})
}

func begin(ctx context.Context, c *mongo.Collection, userID string) {
	c.InsertOne(ctx, Game{ID: userID, Points: map[string]int{userID: 0}})
}

func score(ctx context.Context, c *mongo.Collection, id, userID string) {
	c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$inc": bson.M{"points." + userID: 1}})
}
