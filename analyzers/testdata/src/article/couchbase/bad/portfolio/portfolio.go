// Package portfolio copies stocks into the holdings of persons.
package portfolio

import (
	"github.com/couchbase/gocb/v2"
)

type Person struct {
	ID        string    `json:"id"`
	FirstName string    `json:"firstName"`
	LastName  string    `json:"lastName"`
	Holdings  []Holding `json:"holdings"`
}

type Holding struct {
	NumberHeld int   `json:"numberHeld"`
	Stock      Stock `json:"stock"`
}

type Stock struct {
	ID     string  `json:"id"`
	Symbol string  `json:"symbol"`
	Open   float64 `json:"open"`
	High   float64 `json:"high"`
	Low    float64 `json:"low"`
}

func SavePerson(db *gocb.Bucket, p Person) error {
	_, err := db.Collection("persons").Insert(p.ID, p, nil)
	return err
}

func SaveStock(db *gocb.Bucket, s Stock) error {
	_, err := db.Collection("stocks").Insert(s.ID, s, nil)
	return err
}
