// Package rooms stores documents in Firestore well; tests break it.
package rooms

import (
	"context"

	"cloud.google.com/go/firestore"
)

type Room struct {
	ID    string  `firestore:"id"`
	Name  string  `firestore:"name"`
	Items []Entry `firestore:"items"`
	//shapevet:bounded max=12
	Seats     []string `firestore:"seats"`
	SeatCount int      `firestore:"seatCount"`
}

type Entry struct {
	ID   string `firestore:"id"`
	Text string `firestore:"text"`
	At   int64  `firestore:"createdAt"`
}

func Open(ctx context.Context, rooms *firestore.CollectionRef, r Room) error {
	_, err := rooms.Doc(r.ID).Set(ctx, r)
	return err
}

// Show stores the few items that are left, which the caller has cut.
func Show(ctx context.Context, room *firestore.DocumentRef, items []Entry) error {
	_, err := room.Update(ctx, []firestore.Update{{Path: "items", Value: items}})
	return err
}

func Sit(ctx context.Context, room *firestore.DocumentRef, seat string) error {
	_, err := room.Set(ctx, map[string]any{"seats": firestore.ArrayUnion(seat), "seatCount": firestore.Increment(1)}, firestore.MergeAll)
	return err
}
