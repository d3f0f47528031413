// Package looks asks another function whether the id is there.
package looks

import (
	"context"
	"errors"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type User struct {
	ID       string   `bson:"_id"`
	TopicIDs []string `bson:"topicIds"`
	GroupIDs []string `bson:"groupIds"` // want `groupIds refers to each group once`
}

func find(u *User, id string) (string, error) {
	for _, topic := range u.TopicIDs {
		if topic == id {
			return topic, nil
		}
	}
	return "", errors.New("not there")
}

func has(u *User, id string) bool {
	_, err := find(u, id)
	return err == nil
}

func follow(ctx context.Context, c *mongo.Collection, u *User, id string) {
	if has(u, id) {
		return
	}
	c.UpdateOne(ctx, bson.M{"_id": u.ID}, bson.M{"$push": bson.M{"topicIds": id}})
}

func join(ctx context.Context, c *mongo.Collection, u *User, id string) {
	c.UpdateOne(ctx, bson.M{"_id": u.ID}, bson.M{"$push": bson.M{"groupIds": id}})
}

func create(ctx context.Context, c *mongo.Collection, u User) { c.InsertOne(ctx, u) }
