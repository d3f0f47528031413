package firestoredb

import (
	"context"

	"cloud.google.com/go/firestore"
)

type Player struct {
	Name  string            `firestore:"name"`
	Coins uint64            `firestore:"coins"` // want `coins is of type uint64, which the client of Cloud Firestore rejects: writing a Player fails`
	Wins  map[string]uint   `firestore:"wins"`  // want `wins is of type uint`
	Level uint32            `firestore:"level"`
	Seed  int64             `firestore:"seed"`
	Notes map[string]uint16 `firestore:"notes"`
}

func save(ctx context.Context, c *firestore.Client, p Player) {
	c.Collection("players").Doc(p.Name).Set(ctx, p)
}

// Letter is stored with a text instead of its content.
type Letter struct {
	Topic   string
	Retries int
	Sent    int64
	Content any
}

type Parcel struct{ Weight uint64 }

func send(ctx context.Context, c *firestore.Client, l Letter, text []byte) {
	c.Collection("letters").Add(ctx, map[string]any{"Topic": l.Topic, "Retries": l.Retries, "Sent": l.Sent, "Content": string(text)})
}

func parcel(weight uint64) Letter { return Letter{Topic: "parcels", Content: Parcel{weight}} }

// Card is stored as it is, with a number of another time.
type Card struct {
	Topic string
	Place string
	Sent  int64
	Code  uint64 // want `Code is of type uint64`
}

func post(ctx context.Context, c *firestore.Client, card Card, now int64) {
	c.Collection("cards").Add(ctx, map[string]any{"Topic": card.Topic, "Place": card.Place, "Sent": now, "Code": card.Code})
}
