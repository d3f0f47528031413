// Package publisher lists every book of a publisher in the publisher.
package publisher

import (
	"context"
	"encoding/json"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

type Publisher struct {
	ID    string   `json:"id"`
	Name  string   `json:"name"`
	Books []string `json:"books"`
}

type Book struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

func SavePublisher(ctx context.Context, db *azcosmos.Client, p Publisher) error {
	container, err := db.NewContainer("shop", "publishers")
	if err != nil {
		return err
	}
	item, err := json.Marshal(p)
	if err != nil {
		return err
	}
	_, err = container.CreateItem(ctx, azcosmos.NewPartitionKeyString(p.ID), item, nil)
	return err
}

func SaveBook(ctx context.Context, db *azcosmos.Client, b Book) error {
	container, err := db.NewContainer("shop", "books")
	if err != nil {
		return err
	}
	item, err := json.Marshal(b)
	if err != nil {
		return err
	}
	_, err = container.CreateItem(ctx, azcosmos.NewPartitionKeyString(b.ID), item, nil)
	return err
}

func AddBook(ctx context.Context, container *azcosmos.ContainerClient, id string, added string) error {
	var patch azcosmos.PatchOperations
	patch.AppendAdd("/books/-", added)
	_, err := container.PatchItem(ctx, azcosmos.NewPartitionKeyString(id), id, patch, nil)
	return err
}
