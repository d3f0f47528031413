// Package projection reads a selection of fields into a type of its own.
package projection

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Chat struct {
	ID       bson.ObjectID   `bson:"_id"`
	Title    string          `bson:"title"`
	Messages []bson.ObjectID `bson:"messages"` // want `messages grows without bound`
}

// selected is Chat without what a list of chats does not show.
type selected struct {
	ID       bson.ObjectID   `bson:"_id"`
	Messages []bson.ObjectID `bson:"messages"`
}

func store(ctx context.Context, c *mongo.Collection, chat Chat, message bson.ObjectID) {
	c.InsertOne(ctx, chat)
	c.UpdateOne(ctx, bson.M{"_id": chat.ID}, bson.M{"$push": bson.M{"messages": message}})
}

func read(ctx context.Context, c *mongo.Collection, id bson.ObjectID) int {
	var s selected
	if c.FindOne(ctx, bson.M{"_id": id}).Decode(&s) != nil {
		return 0
	}
	return len(s.Messages)
}
