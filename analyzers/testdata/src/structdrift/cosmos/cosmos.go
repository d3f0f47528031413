package cosmos

import (
	"context"
	"encoding/json"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

type Invoice struct { // want `Invoice has no field for currency \(in 120\) of 120 documents: UpsertItem drops them \(struct-drift\)`
	ID     string          `json:"id"`
	Number string          `json:"Number"` // want `Number is read from number, but UpsertItem writes it back as Number: queries for number no longer find it`
	Total  int             `json:"total"`  // want `total is a number with a fraction in 119 of 120 documents, which encoding/json cannot decode into int`
	Due    time.Time       `json:"due"`    // want `due is a string in at least 60 of 120 documents, which encoding/json cannot decode into time.Time`
	Raw    json.RawMessage `json:"raw"`
	Count  int             `json:"count,string"` // want `count is an int in 120 of 120 documents, which encoding/json cannot decode into int with the option string`
	Paid   *bool           `json:"paid"`
	Lines  []Line          `json:"lines"`
}

type Line struct {
	Article string         `json:"article"`
	Options map[string]int `json:"options"` // want `lines\[\]\.options\.size is a string in 120 of 120 documents, which encoding/json cannot decode into int`
}

func Pay(ctx context.Context, client *azcosmos.Client, stored []byte) error {
	invoices, err := client.NewContainer("shop", "invoices")
	if err != nil {
		return err
	}
	var invoice Invoice
	if err := json.Unmarshal(stored, &invoice); err != nil {
		return err
	}
	paid := true
	invoice.Paid = &paid
	item, err := json.Marshal(invoice)
	if err != nil {
		return err
	}
	_, err = invoices.UpsertItem(ctx, azcosmos.NewPartitionKeyString(invoice.ID), item, nil)
	return err
}
