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
