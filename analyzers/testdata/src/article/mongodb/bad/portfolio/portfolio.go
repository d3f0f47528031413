// Package portfolio copies stocks into the holdings of persons.
package portfolio

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Person struct {
	ID        string    `bson:"_id"`
	FirstName string    `bson:"firstName"`
	LastName  string    `bson:"lastName"`
	Holdings  []Holding `bson:"holdings"`
}

type Holding struct {
	NumberHeld int   `bson:"numberHeld"`
	Stock      Stock `bson:"stock"`
}

type Stock struct {
	ID     string  `bson:"_id"`
	Symbol string  `bson:"symbol"`
	Open   float64 `bson:"open"`
	High   float64 `bson:"high"`
	Low    float64 `bson:"low"`
}

func SavePerson(ctx context.Context, db *mongo.Database, p Person) error {
	_, err := db.Collection("persons").InsertOne(ctx, p)
	return err
}

func SaveStock(ctx context.Context, db *mongo.Database, s Stock) error {
	_, err := db.Collection("stocks").InsertOne(ctx, s)
	return err
}
