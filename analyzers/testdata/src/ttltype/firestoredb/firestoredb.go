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

// Corporate is a notice: its name only has the letters of rate in it.
type Corporate struct {
	ID             string `firestore:"id"`
	ExpirationDate string `firestore:"expiration_date"`
}

// Login is over when its time has come.
type Login struct {
	ID      string `firestore:"id"`
	Expires string `firestore:"expires"` // want `expires is stored as a string`
}

func more(ctx context.Context, c *firestore.Client, r Corporate, l Login) {
	c.Collection("corporates").Doc(r.ID).Set(ctx, r)
	c.Collection("logins").Doc(l.ID).Set(ctx, l)
}
