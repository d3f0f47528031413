// Package conventions stores routes in two types, of which one has tags for another codec.
package conventions

import (
	"context"

	"cloud.google.com/go/firestore"
)

// Route is what the interface shows.
type Route struct {
	Title     string `json:"title"` // want `Route.Title is stored as Title, and as title by KeptRoute in the same collection, like 2 more fields`
	Polyline  string `json:"polyline"`
	Story     string `json:"story"`
	Proposals int
	Legacy    string
	Views     int // want `Route.Views is stored as Views, and as views by Counted in the same collection`
}

type KeptRoute struct {
	Title    string `firestore:"title"`
	Polyline string `firestore:"polyline"`
	Story    string `firestore:"story"`
	ExpireAt string `firestore:"until"`
	Legacy   string `firestore:"legacy"`
}

// Leg is part of a route. Two of its fields share a declaration, so that no tag fits both.
type Leg struct {
	Name        string // want `Leg.Name is stored as Name, and as name by KeptLeg in the same collection, like 2 more fields`
	Start, Stop string
}

type KeptLeg struct {
	Name  string `firestore:"name"`
	Start string `firestore:"start"`
	Stop  string `firestore:"stop"`
}

func legs(ctx context.Context, client *firestore.Client, l Leg, k KeptLeg) {
	client.Collection("legs").Doc("1").Set(ctx, l)
	client.Collection("legs").Doc("2").Set(ctx, k)
}

// Counted is what a job adds up.
type Counted struct {
	Views int `firestore:"views"`
	Likes int `firestore:"likes"`
}

func count(ctx context.Context, client *firestore.Client, c Counted) {
	client.Collection("routes").Doc("1").Set(ctx, c)
}

func save(ctx context.Context, client *firestore.Client, s KeptRoute) {
	client.Collection("routes").Doc("1").Set(ctx, s)
}

func replace(ctx context.Context, client *firestore.Client, r Route) {
	client.Collection("routes").Doc("1").Set(ctx, r)
}

func read(ctx context.Context, client *firestore.Client) (found KeptRoute) {
	d, _ := client.Collection("routes").Doc("1").Get(ctx)
	d.DataTo(&found)
	return found
}
