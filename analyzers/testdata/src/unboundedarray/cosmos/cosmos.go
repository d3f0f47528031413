package cosmos

import (
	"context"
	"encoding/json"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

type Post struct {
	ID       string    `json:"id"`
	Comments []Comment `json:"comments"` // want `comments grows without bound`
	Latest   []Comment `json:"latestComments"`
}

type Comment struct {
	ID   string `json:"id"`
	Text string `json:"text"`
}

// repository stores any document.
type repository[T any] struct{ container *azcosmos.ContainerClient }

func (r repository[T]) upsert(ctx context.Context, document T) error {
	item, err := json.Marshal(document)
	if err != nil {
		return err
	}
	_, err = r.container.UpsertItem(ctx, azcosmos.NewPartitionKeyString("x"), item, nil)
	return err
}

func add(ctx context.Context, posts repository[Post], p Post) error {
	return posts.upsert(ctx, p)
}

func comment(ctx context.Context, c *azcosmos.ContainerClient, id string, comment Comment) {
	var patch azcosmos.PatchOperations
	patch.AppendAdd("/comments/-", comment)
	c.PatchItem(ctx, azcosmos.NewPartitionKeyString(id), id, patch, nil)
}
