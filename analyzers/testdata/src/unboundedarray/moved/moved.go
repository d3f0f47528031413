// Package moved adds to a list what its document has already.
package moved

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Note struct {
	ID   string    `bson:"id"`
	At   time.Time `bson:"at"`
	Text string    `bson:"text"`
}

type Thread struct {
	ID       string `bson:"_id"`
	Draft    Note   `bson:"draft"`
	Comments []Note `bson:"comments"` // want `comments grows without bound`
	First    Note   `bson:"first"`
	Days     []Note `bson:"days"`
}

// publish makes room for the next draft.
func publish(ctx context.Context, c *mongo.Collection, id string) error {
	var t Thread
	if err := c.FindOne(ctx, bson.M{"_id": id}).Decode(&t); err != nil {
		return err
	}
	t.Comments = append(t.Comments, t.Draft)
	t.Draft = Note{}
	_, err := c.ReplaceOne(ctx, bson.M{"_id": id}, t)
	return err
}

// migrate keeps what was one value in a list.
func migrate(ctx context.Context, c *mongo.Collection, id string) error {
	var t Thread
	if err := c.FindOne(ctx, bson.M{"_id": id}).Decode(&t); err != nil {
		return err
	}
	t.Days = append(t.Days, t.First)
	_, err := c.ReplaceOne(ctx, bson.M{"_id": id}, t)
	return err
}
