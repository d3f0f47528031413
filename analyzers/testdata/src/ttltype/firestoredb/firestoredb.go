package firestoredb

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"
)

type Token struct {
	ID  string `firestore:"id"`
	TTL int    `firestore:"ttl"` // want `ttl is stored as a number: a Firestore TTL policy accepts only timestamps`
}

// An Attribute expires at a time: what it lives is what the time is made of.
type Attribute struct {
	ID        string    `firestore:"id"`
	TTL       int       `firestore:"ttl"`
	ExpiresAt time.Time `firestore:"expires_at"`
}

func store(ctx context.Context, c *firestore.Client, t Token, a Attribute) {
	a.ExpiresAt = time.Now().Add(time.Duration(a.TTL) * time.Second)
	c.Collection("tokens").Doc(t.ID).Set(ctx, t)
	c.Collection("attributes").Doc(a.ID).Set(ctx, a)
}
