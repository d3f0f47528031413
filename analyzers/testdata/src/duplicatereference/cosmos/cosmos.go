package cosmos

import (
	"context"
	"encoding/json"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

// Book is stored where no operation keeps a set: shown under --strict only.
type Book struct {
	ID        string   `json:"id"`
	AuthorIDs []string `json:"authorIds"`
}

func store(ctx context.Context, c *azcosmos.ContainerClient, b Book) {
	item, _ := json.Marshal(b)
	c.CreateItem(ctx, azcosmos.NewPartitionKeyString(b.ID), item, nil)
}

func addAuthor(ctx context.Context, c *azcosmos.ContainerClient, book, author string) {
	var patch azcosmos.PatchOperations
	patch.AppendAdd("/authorIds/-", author)
	c.PatchItem(ctx, azcosmos.NewPartitionKeyString(book), book, patch, nil)
}
