// Package cosmos stores maps whose keys are data.
package cosmos

import (
	"context"
	"encoding/json"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

type Holding struct {
	StockID string `json:"stockId"`
	Number  int    `json:"number"`
}

type Portfolio struct {
	ID       string             `json:"id"`
	Holdings map[string]Holding `json:"holdings"` // want `holdings uses stock ids as field names`
	Totals   map[string]float64 `json:"totals"`
}

func save(ctx context.Context, c *azcosmos.ContainerClient, p *Portfolio, found []Holding) error {
	for _, h := range found {
		name := h.StockID
		p.Holdings[name] = h
	}
	item, err := json.Marshal(p)
	if err != nil {
		return err
	}
	_, err = c.UpsertItem(ctx, azcosmos.NewPartitionKeyString(p.ID), item, nil)
	return err
}
