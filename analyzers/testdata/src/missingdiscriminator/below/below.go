// Package below stores plans in a collection of their own, and drafts and notes in
// collections of the same name below each trip and each guide.
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

type Note struct {
	Text string `firestore:"text"`
}

type Offer struct { // want `Offer shares the collection plans with Plan`
	Price int `firestore:"price"`
}

type store struct{ client *firestore.Client }

func (s store) trip(id string) *firestore.DocumentRef { return s.client.Collection("trips").Doc(id) }

func (s store) drafts(trip string) *firestore.CollectionRef { return s.trip(trip).Collection("plans") }

func (s store) save(ctx context.Context, id string, guide *firestore.DocumentRef, p Plan, d Draft, n Note, o Offer) {
	guide.Collection("plans").Doc(id).Set(ctx, n)
	guide.Collection("plans").Documents(ctx)
	s.client.Collection("plans").Doc(id).Set(ctx, p)
	s.drafts(id).Doc(id).Set(ctx, d)
	s.client.Collection("plans").Doc(id).Set(ctx, o)
	s.client.Collection("plans").Documents(ctx)
}
