package firestoredb

import (
	"context"

	"cloud.google.com/go/firestore"
)

type user struct {
	Name     string   `firestore:"name"`
	Visitors []string `firestore:"visitors"` // want `visitors grows without bound`
	Roles    []string `firestore:"roles"`
}

func save(ctx context.Context, c *firestore.Client, id string, u *user) {
	c.Collection("users").Doc(id).Set(ctx, u)
}

func visit(ctx context.Context, c *firestore.Client, id, visitor string) {
	c.Collection("users").Doc(id).Update(ctx, []firestore.Update{
		{Path: "visitors", Value: firestore.ArrayUnion(visitor)},
	})
}
