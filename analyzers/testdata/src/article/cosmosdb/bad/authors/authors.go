// Package authors ties authors and books together in documents of their own.
package authors

import (
	"context"
	"encoding/json"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

type Author struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type Book struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

type AuthorBook struct {
	ID       string `json:"id"`
	AuthorID string `json:"authorId"`
	BookID   string `json:"bookId"`
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

func SaveAuthorBook(ctx context.Context, db *azcosmos.Client, a AuthorBook) error {
	container, err := db.NewContainer("shop", "authorBooks")
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
