package cosmos

import (
	"context"
	"encoding/json"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

type Session struct {
	ID  string        `json:"id"`
	TTL time.Duration `json:"ttl"` // want `ttl is stored as a number of nanoseconds: Cosmos DB needs a whole number of seconds, or -1`
}

type Token struct {
	ID  string    `json:"id"`
	TTL time.Time `json:"ttl"` // want `ttl is stored as an RFC 3339 string`
}

type Absolute struct {
	ID  string `json:"id"`
	TTL int64  `json:"ttl"` // want `ttl is set by Unix\(\), but the database takes seconds from the last write`
}

type Good struct {
	ID        string    `json:"id"`
	TTL       *int32    `json:"ttl,omitempty"`
	ExpiresAt time.Time `json:"expiresAt"`
}

func store(ctx context.Context, c *azcosmos.ContainerClient, s Session, t Token, g Good) {
	a, _ := json.Marshal(s)
	c.CreateItem(ctx, azcosmos.PartitionKey{}, a, nil)
	b, _ := json.Marshal(t)
	c.CreateItem(ctx, azcosmos.PartitionKey{}, b, nil)
	d, _ := json.Marshal(g)
	c.CreateItem(ctx, azcosmos.PartitionKey{}, d, nil)
	e, _ := json.Marshal(Absolute{ID: "a", TTL: time.Now().Unix()})
	c.CreateItem(ctx, azcosmos.PartitionKey{}, e, nil)
}
