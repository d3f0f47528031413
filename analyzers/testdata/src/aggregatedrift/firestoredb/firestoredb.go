// Package firestoredb keeps a count beside a list in Firestore.
package firestoredb

import (
	"context"

	"cloud.google.com/go/firestore"
)

type Event struct {
	Name          string   `firestore:"name"`
	Guests        []string `firestore:"guests"`
	GuestCount    int      `firestore:"guestCount"` // want `guestCount drifts from guests: invite \(\$addToSet\) changes guests but not the guestCount`
	Helpers       []string `firestore:"helpers"`
	NumberHelpers int      `firestore:"numberOfHelpers"`
}

func save(ctx context.Context, c *firestore.Client, e Event) error {
	_, _, err := c.Collection("events").Add(ctx, e)
	return err
}

func invite(ctx context.Context, c *firestore.Client, id, guest string) error {
	_, err := c.Collection("events").Doc(id).Update(ctx, []firestore.Update{
		{Path: "guests", Value: firestore.ArrayUnion(guest)},
	})
	return err
}

func help(ctx context.Context, c *firestore.Client, id, helper string) error {
	_, err := c.Collection("events").Doc(id).Update(ctx, []firestore.Update{
		{Path: "helpers", Value: firestore.ArrayUnion(helper)},
		{Path: "numberOfHelpers", Value: firestore.Increment(1)},
	})
	return err
}
