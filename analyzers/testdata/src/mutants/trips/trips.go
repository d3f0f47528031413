// Package trips stores items in Cosmos DB well, through an interface that tests
// can stand in for; tests break it.
package trips

import (
	"context"
	"encoding/json"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

type Trip struct {
	ID    string  `json:"id"`
	Items []Entry `json:"items"`
}

type Entry struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	At   int64  `json:"createdAt"`
}

type container interface {
	UpsertItem(context.Context, azcosmos.PartitionKey, []byte, *struct{}) (azcosmos.ItemResponse, error)
	PatchItem(context.Context, azcosmos.PartitionKey, string, azcosmos.PatchOperations, *struct{}) (azcosmos.ItemResponse, error)
}

func Save(ctx context.Context, c container, t Trip) error {
	item, err := json.Marshal(t)
	if err != nil {
		return err
	}
	_, err = c.UpsertItem(ctx, azcosmos.NewPartitionKeyString(t.ID), item, nil)
	return err
}

// Show stores the few items that are left, which the caller has cut.
func Show(ctx context.Context, c container, id string, items []Entry) error {
	var ops azcosmos.PatchOperations
	ops.AppendSet("/items", items)
	_, err := c.PatchItem(ctx, azcosmos.NewPartitionKeyString(id), id, ops, nil)
	return err
}
