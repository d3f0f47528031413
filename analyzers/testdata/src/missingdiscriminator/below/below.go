// Package below stores plans in a collection of their own, and drafts in one of
// the same name below each trip.
package below

import (
	"context"

	"cloud.google.com/go/firestore"
)

type Plan struct { // want `Plan shares the collection plans with Offer`
	Title string `firestore:"title"`
	Days  int    `firestore:"days"`
}

type Draft struct {
	Places []string `firestore:"places"`
	Score  float64  `firestore:"score"`
}

type Offer struct { // want `Offer shares the collection plans with Plan`
	Price int `firestore:"price"`
}

type store struct{ client *firestore.Client }

func (s store) trip(id string) *firestore.DocumentRef { return s.client.Collection("trips").Doc(id) }

func (s store) drafts(trip string) *firestore.CollectionRef { return s.trip(trip).Collection("plans") }

func (s store) save(ctx context.Context, id string, p Plan, d Draft, o Offer) {
	s.client.Collection("plans").Doc(id).Set(ctx, p)
	s.drafts(id).Doc(id).Set(ctx, d)
	s.client.Collection("plans").Doc(id).Set(ctx, o)
	s.client.Collection("plans").Documents(ctx)
}
