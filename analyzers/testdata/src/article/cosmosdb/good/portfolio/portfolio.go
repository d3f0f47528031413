// Package portfolio refers to stocks from the holdings of persons.
package portfolio

import (
	"context"
	"encoding/json"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

type Person struct {
	ID        string    `json:"id"`
	FirstName string    `json:"firstName"`
	LastName  string    `json:"lastName"`
	Holdings  []Holding `json:"holdings"`
}

type Holding struct {
	NumberHeld int    `json:"numberHeld"`
	StockID    string `json:"stockId"`
}

type Stock struct {
	ID     string  `json:"id"`
	Symbol string  `json:"symbol"`
	Open   float64 `json:"open"`
	High   float64 `json:"high"`
	Low    float64 `json:"low"`
}

func SavePerson(ctx context.Context, db *azcosmos.Client, p Person) error {
	container, err := db.NewContainer("shop", "persons")
	if err != nil {
		return err
	}
	item, err := json.Marshal(p)
	if err != nil {
		return err
	}
	_, err = container.CreateItem(ctx, azcosmos.NewPartitionKeyString(p.ID), item, nil)
	return err
}

func SaveStock(ctx context.Context, db *azcosmos.Client, s Stock) error {
	container, err := db.NewContainer("shop", "stocks")
	if err != nil {
		return err
	}
	item, err := json.Marshal(s)
	if err != nil {
		return err
	}
	_, err = container.CreateItem(ctx, azcosmos.NewPartitionKeyString(s.ID), item, nil)
	return err
}
