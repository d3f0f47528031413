// Package firestoredb stores maps whose keys are data.
package firestoredb

import (
	"context"

	"cloud.google.com/go/firestore"
)

type Member struct {
	UserID string `firestore:"userId"`
	Role   string `firestore:"role"`
}

type Room struct {
	Name    string            `firestore:"name"`
	Members map[string]Member `firestore:"members"` // want `members uses user ids as field names`
	Texts   map[string]string `firestore:"translations"`
}

func save(ctx context.Context, c *firestore.Client, r Room) error {
	_, err := c.Collection("rooms").Doc(r.Name).Set(ctx, r)
	return err
}

func join(ctx context.Context, c *firestore.Client, room, userID string) error {
	_, err := c.Collection("rooms").Doc(room).Update(ctx, []firestore.Update{
		{Path: "members." + userID, Value: Member{UserID: userID, Role: "guest"}},
	})
	return err
}
