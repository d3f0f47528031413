package cosmos

import (
	"context"
	"encoding/json"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

type Post struct {
	ID    string `json:"_id"` // want `the id of Post is stored as _id: Azure Cosmos DB rejects an item without id`
	Title string `json:"title"`
}

type User struct {
	ID   string // want `the id of User is stored as ID`
	Name string `json:"name"`
}

type Good struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

func store(ctx context.Context, c *azcosmos.ContainerClient, p Post, u User, g Good) {
	a, _ := json.Marshal(p)
	c.CreateItem(ctx, azcosmos.PartitionKey{}, a, nil)
	b, _ := json.Marshal(u)
	c.CreateItem(ctx, azcosmos.PartitionKey{}, b, nil)
	d, _ := json.Marshal(g)
	c.CreateItem(ctx, azcosmos.PartitionKey{}, d, nil)
}
