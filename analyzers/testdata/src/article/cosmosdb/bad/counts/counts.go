// Package counts counts the books of an author and forgets to.
package counts

import (
	"context"
	"encoding/json"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

type Author struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	//shapevet:bounded max=50
	Books        []string `json:"books"`
	CountOfBooks int      `json:"countOfBooks"`
}

func SaveAuthor(ctx context.Context, db *azcosmos.Client, a Author) error {
	container, err := db.NewContainer("shop", "authors")
	if err != nil {
		return err
	}
	item, err := json.Marshal(a)
	if err != nil {
		return err
	}
	_, err = container.CreateItem(ctx, azcosmos.NewPartitionKeyString(a.ID), item, nil)
	return err
}

func AddBook(ctx context.Context, container *azcosmos.ContainerClient, id string, added string) error {
	var patch azcosmos.PatchOperations
	patch.AppendAdd("/books/-", added)
	_, err := container.PatchItem(ctx, azcosmos.NewPartitionKeyString(id), id, patch, nil)
	return err
}
