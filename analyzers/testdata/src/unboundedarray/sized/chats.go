package sized

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// Friend is kept twice in a friendship.
type Friend struct {
	Name     string    `bson:"name"`
	Messages []Message `bson:"messages"` // want `recipient.messages grows without bound: .*append.f.Recipient.Messages`
}

type Friendship struct {
	ID        string `bson:"_id"`
	Requester Friend `bson:"requester"`
	Recipient Friend `bson:"recipient"`
}

func (s store) befriend(ctx context.Context, f Friendship) { s.rooms.InsertOne(ctx, f) }

func (s store) chat(ctx context.Context, id string, m Message) {
	var f Friendship
	s.rooms.FindOne(ctx, bson.M{"_id": id}).Decode(&f)
	f.Requester.Messages = append(f.Requester.Messages, m)
	f.Recipient.Messages = append(f.Recipient.Messages, m)
	s.rooms.ReplaceOne(ctx, bson.M{"_id": id}, f)
}
