package cosmos

import (
	"context"
	"encoding/json"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

type Area struct {
	ID    string          `json:"id"`
	Areas map[string]Area `json:"areas"` // want `areas contains its own type Area`
}

func save(ctx context.Context, c *azcosmos.ContainerClient, area Area) error {
	item, err := json.Marshal(area)
	if err != nil {
		return err
	}
	_, err = c.UpsertItem(ctx, azcosmos.NewPartitionKeyString("x"), item, nil)
	return err
}
