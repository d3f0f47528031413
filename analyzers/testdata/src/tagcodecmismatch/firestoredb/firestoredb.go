package firestoredb

import (
	"context"
	"time"

	"cloud.google.com/go/firestore"
)

// State is asked for by a name that jobs use, too, but users have.
type State struct { // want `State has json tags but is stored by firestore`
	Key       string    `json:"key"`
	ExpiresAt time.Time `json:"expires_at"`
}

// Lease is asked for by way of the query of its collection.
type Lease struct { // want `Lease has json tags but is stored by firestore`
	Key    string    `json:"key"`
	EndsAt time.Time `json:"ends_at"`
}

// Shop is asked for twice, and once it is not seen where.
type Shop struct { // want `Shop has json tags but is stored by firestore`
	Key     string    `json:"key"`
	OpensAt time.Time `json:"opens_at"`
}

// Job is asked for by the names that it has.
type Job struct {
	Key       string    `json:"key"`
	ExpiresAt time.Time `json:"expires_at"`
	EndsAt    time.Time `json:"ends_at"`
	OpensAt   time.Time `json:"opens_at"`
}

type User struct {
	Key       string    `firestore:"key"`
	ExpiresAt time.Time `firestore:"expires_at"`
}

func save(ctx context.Context, c *firestore.Client, s State, l Lease, h Shop, j Job, u User) {
	c.Collection("states").Doc(s.Key).Set(ctx, s)
	c.Collection("leases").Doc(l.Key).Set(ctx, l)
	c.Collection("shops").Doc(h.Key).Set(ctx, h)
	c.Collection("jobs").Doc(j.Key).Set(ctx, j)
	c.Collection("users").Doc(u.Key).Set(ctx, u)
}

func open(ctx context.Context, q firestore.Query, now time.Time) *firestore.DocumentIterator {
	return q.Where("opens_at", "<", now).Documents(ctx)
}

func find(ctx context.Context, c *firestore.Client, now time.Time) {
	c.Collection("states").Where("expires_at", "<", now).Documents(ctx)
	c.Collection("users").Where("expires_at", "<", now).Documents(ctx)
	q := c.Collection("leases").Query
	q = q.Where("ends_at", "<", now)
	q.Documents(ctx)
	c.Collection("shops").Where("opens_at", "<", now).Documents(ctx)
	c.Collection("jobs").Where("ExpiresAt", "<", now).Where("EndsAt", "<", now).Where("OpensAt", "<", now).Documents(ctx)
}

// Agency has a tag with a tab before its firestore key, of which another rule speaks.
type Agency struct {
	Key  string `firestore:"key"`
	Name string `firestore:"name"`
	Code string `json:"code"	firestore:"code"`
}

func found(ctx context.Context, c *firestore.Client, a Agency) {
	c.Collection("agencies").Doc(a.Key).Set(ctx, a)
}
