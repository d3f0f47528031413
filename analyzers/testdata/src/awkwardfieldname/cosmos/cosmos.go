package cosmos

import (
	"context"
	"encoding/json"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

type Stock struct {
	ID     string  `json:"id"`
	Cap    float64 `json:"mkt-cap"` // want `the name "mkt-cap" contains '-', which queries read as a minus`
	Ratio  float64 `json:"p:e"`     // want `the name "p:e" contains ':'`
	Etag   string  `json:"_etag"`
	Schema string  `json:"$schema"`
}

func save(ctx context.Context, c *azcosmos.ContainerClient, stock Stock) error {
	item, err := json.Marshal(stock)
	if err != nil {
		return err
	}
	_, err = c.UpsertItem(ctx, azcosmos.NewPartitionKeyString("x"), item, nil)
	return err
}
