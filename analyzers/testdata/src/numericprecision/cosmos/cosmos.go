package cosmos

import (
	"context"
	"encoding/json"
	"hash/fnv"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

type Tweet struct {
	ID          string `json:"id"`
	AuthorID    int64  `json:"authorId"`    // want `authorId is of type int64 and stored as a JSON number: above 2\^53 it is read back as another value \(numeric-precision\)`
	ContentHash uint64 `json:"contentHash"` // want `contentHash is of type uint64`
	ReplyHash   uint64 `json:"replyHash,string"`
	Shard       int64  `json:"shard"` // want `shard is of type int64`
	Likes       int64  `json:"likes"`
}

// Account counts its ids up from one.
type Account struct {
	ID      string `json:"id"`
	OwnerID int64  `json:"ownerId"`
}

func save(ctx context.Context, c *azcosmos.ContainerClient, text string, account Account) error {
	h := fnv.New64a()
	h.Write([]byte(text))
	tweet := Tweet{ID: text, Shard: int64(h.Sum64())}
	for _, document := range []any{tweet, account} {
		item, err := json.Marshal(document)
		if err != nil {
			return err
		}
		if _, err := c.UpsertItem(ctx, azcosmos.NewPartitionKeyString("x"), item, nil); err != nil {
			return err
		}
	}
	return nil
}
