package main

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// Setting is stored by init, which nothing refers to, and by a method.
type Setting struct {
	ID    string   `bson:"_id"`
	Users []string `bson:"users"` // want `users is stored as null while it is nil, but \$push fails on null`
	Flags []string `bson:"flags"` // want `flags is stored as null while it is nil, but \$push fails on null`
}

func init() {
	store{}.orders.InsertOne(context.Background(), &Setting{ID: "all", Flags: []string{}})
}

func (s store) reset(ctx context.Context) {
	s.orders.InsertOne(ctx, &Setting{ID: "all", Users: []string{}})
}

func allow(ctx context.Context, s store, user string) {
	s.orders.UpdateOne(ctx, bson.M{"_id": "all"}, bson.M{"$push": bson.M{"users": user, "flags": user}})
}
