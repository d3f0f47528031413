// Package references refers to stocks by numbers and identifies them by strings.
package references

import (
	"context"

	"cloud.google.com/go/firestore"
)

type Person struct {
	ID        string    `firestore:"id"`
	FirstName string    `firestore:"firstName"`
	LastName  string    `firestore:"lastName"`
	Holdings  []Holding `firestore:"holdings"`
}

type Holding struct {
	NumberHeld int `firestore:"numberHeld"`
	StockID    int `firestore:"stockId"`
}

type Stock struct {
	ID     string  `firestore:"id"`
	Symbol string  `firestore:"symbol"`
	Open   float64 `firestore:"open"`
	High   float64 `firestore:"high"`
	Low    float64 `firestore:"low"`
}

func SavePerson(ctx context.Context, db *firestore.Client, p Person) error {
	_, err := db.Collection("persons").Doc(p.ID).Set(ctx, p)
	return err
}

func SaveStock(ctx context.Context, db *firestore.Client, s Stock) error {
	_, err := db.Collection("stocks").Doc(s.ID).Set(ctx, s)
	return err
}
