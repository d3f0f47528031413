// Package contents stores chats whose detail is a field of any type.
package contents

import (
	"context"
	"net/http"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Chat struct {
	ID     bson.ObjectID `bson:"_id"`
	Kind   string        `bson:"kind"`
	Detail any           `bson:"detail"`
}

type Group struct {
	Title   string          `bson:"title"`
	Members []bson.ObjectID `bson:"members"` // want `detail.members grows without bound`
}

type Room struct {
	Floor  int             `bson:"floor"`
	Guests []bson.ObjectID `bson:"guests"` // want `detail.guests grows without bound`
}

// Shown is what an answer shows as the detail.
type Shown struct {
	Title string          `bson:"title"`
	Fans  []bson.ObjectID `bson:"fans"`
}

type server struct{ chats *mongo.Collection }

func (s *server) create(ctx context.Context, title string) {
	s.chats.InsertOne(ctx, newChat("group", Group{Title: title}))
	s.chats.InsertOne(ctx, Chat{Kind: "room", Detail: &Room{}})
}

func newChat(kind string, detail any) *Chat {
	c := &Chat{Kind: kind}
	c.Detail = detail
	return c
}

// Answer is what is sent.
type Answer struct {
	Kind   string `json:"kind"`
	Detail any    `json:"detail"`
}

func (s *server) show(ctx context.Context, id bson.ObjectID) *Answer {
	c := s.chat(ctx, id)
	c.Detail = &Shown{Title: "today"}
	return answer(c)
}

func answer(c *Chat) *Answer { return &Answer{Kind: c.Kind, Detail: c.Detail} }

func (s *server) chat(ctx context.Context, id bson.ObjectID) *Chat {
	var c Chat
	s.chats.FindOne(ctx, bson.M{"_id": id}).Decode(&c)
	return &c
}

func (s *server) join(w http.ResponseWriter, r *http.Request) {
	chat, user := bson.NewObjectID(), bson.NewObjectID()
	s.chats.UpdateOne(r.Context(), bson.M{"_id": chat}, bson.M{"$addToSet": bson.M{"detail.members": user}})
	s.chats.UpdateOne(r.Context(), bson.M{"_id": chat}, bson.M{"$addToSet": bson.M{"detail.guests": user}})
	s.chats.UpdateOne(r.Context(), bson.M{"_id": chat}, bson.M{"$addToSet": bson.M{"detail.fans": user}})
}
