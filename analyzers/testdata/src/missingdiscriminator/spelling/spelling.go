// Package spelling stores routes in two types that differ only in the spelling of their names.
package spelling

import (
	"context"

	"cloud.google.com/go/firestore"
)

// Route is what the interface shows.
type Route struct {
	Title     string `json:"title"`
	Polyline  string `json:"polyline"`
	Story     string `json:"story"`
	Proposals int
}

type KeptRoute struct {
	Title    string `firestore:"title"`
	Polyline string `firestore:"polyline"`
	Story    string `firestore:"story"`
	ExpireAt string `firestore:"until"`
}

func save(ctx context.Context, client *firestore.Client, s KeptRoute) {
	client.Collection("routes").Doc("1").Set(ctx, s)
}

func replace(ctx context.Context, client *firestore.Client, r Route) {
	client.Collection("routes").Doc("1").Set(ctx, r)
}

func all(ctx context.Context, client *firestore.Client) {
	client.Collection("routes").Documents(ctx)
}
