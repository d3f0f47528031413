package cosmos

import (
	"context"
	"encoding/json"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

type Review struct { // want `Review has no field stored as bookId, its partition key`
	ID   string `json:"id"`
	Book string `json:"book_id"`
	Text string `json:"text"`
}

type Order struct {
	ID     string `json:"id"`
	Tenant string `json:"tenant"` // want `tenant is the partition key, but code changes it`
	Total  int    `json:"total"`
}

type Visit struct {
	ID     string `json:"id"`
	PageID string `json:"pageId"`
}

func create(ctx context.Context, db *azcosmos.DatabaseClient) {
	db.CreateContainer(ctx, azcosmos.ContainerProperties{
		ID:                     "reviews",
		PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{"/bookId"}},
	}, nil)
	db.CreateContainer(ctx, azcosmos.ContainerProperties{
		ID:                     "orders",
		PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{"/tenant"}},
	}, nil)
	db.CreateContainer(ctx, azcosmos.ContainerProperties{
		ID:                     "visits",
		PartitionKeyDefinition: azcosmos.PartitionKeyDefinition{Paths: []string{"/pageId", "/id"}},
	}, nil)
}

func container(c *azcosmos.Client, name string) *azcosmos.ContainerClient {
	found, _ := c.NewContainer("shop", name)
	return found
}

func store(ctx context.Context, c *azcosmos.Client, r Review, o Order, v Visit) {
	item, _ := json.Marshal(r)
	container(c, "reviews").CreateItem(ctx, azcosmos.NewPartitionKeyString(r.Book), item, nil)
	order, _ := json.Marshal(o)
	container(c, "orders").CreateItem(ctx, azcosmos.NewPartitionKeyString(o.Tenant), order, nil)
	visit, _ := json.Marshal(v)
	container(c, "visits").CreateItem(ctx, azcosmos.NewPartitionKeyString(v.PageID), visit, nil)
}

func moveOrder(ctx context.Context, c *azcosmos.Client, o *Order, tenant string) {
	from := o.Tenant
	o.Tenant = tenant
	item, _ := json.Marshal(o)
	container(c, "orders").ReplaceItem(ctx, azcosmos.NewPartitionKeyString(from), o.ID, item, nil)
}
