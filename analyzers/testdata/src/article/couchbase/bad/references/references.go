// Package references refers to stocks by numbers and identifies them by strings.
package references

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
	NumberHeld int `json:"numberHeld"`
	StockID    int `json:"stockId"`
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
