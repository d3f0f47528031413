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

type Room struct {
	Name        string   `firestore:"name"`
	Members     []string `firestore:"members"`
	MemberCount int      `firestore:"memberCount"` // want `memberCount drifts from members: enter changes them in two writes, and one may fail`
}

type Hall struct {
	Name      string   `firestore:"name"`
	Seats     []string `firestore:"seats"`
	SeatCount int      `firestore:"seatCount"`
}

func open(ctx context.Context, c *firestore.Client, r Room, h Hall) {
	c.Collection("rooms").Add(ctx, r)
	c.Collection("halls").Add(ctx, h)
}

func set(ctx context.Context, c *firestore.Client, id, path string, value any) {
	c.Collection("rooms").Doc(id).Update(ctx, []firestore.Update{{Path: path, Value: value}})
}

func setMembers(ctx context.Context, c *firestore.Client, id, path string, members []string) {
	c.Collection("rooms").Doc(id).Update(ctx, []firestore.Update{{Path: path, Value: members}})
}

func enter(ctx context.Context, c *firestore.Client, id string, members []string) {
	setMembers(ctx, c, id, "members", members)
	set(ctx, c, id, "memberCount", len(members))
}

func setHall(ctx context.Context, c *firestore.Client, id, path string, seats []string, seatCount string) {
	c.Collection("halls").Doc(id).Update(ctx, []firestore.Update{{Path: path, Value: seats}, {Path: seatCount, Value: len(seats)}})
}

func seat(ctx context.Context, c *firestore.Client, id string, seats []string) {
	setHall(ctx, c, id, "seats", seats, "seatCount")
}
