// Package reviews stores books and their reviews side by side, and nothing says which is which.
package reviews

import (
	"context"
	"encoding/json"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

type Book struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Pages int    `json:"pages"`
}

type Review struct {
	ID      string `json:"id"`
	BookID  string `json:"bookId"`
	Content string `json:"content"`
	Stars   int    `json:"stars"`
}

func SaveBook(ctx context.Context, db *azcosmos.Client, b Book) error {
	container, err := db.NewContainer("shop", "library")
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

func SaveReview(ctx context.Context, db *azcosmos.Client, r Review) error {
	container, err := db.NewContainer("shop", "library")
	if err != nil {
		return err
	}
	item, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = container.CreateItem(ctx, azcosmos.NewPartitionKeyString(r.ID), item, nil)
	return err
}

func Library(ctx context.Context, db *azcosmos.Client) (page azcosmos.QueryItemsResponse, err error) {
	container, err := db.NewContainer("shop", "library")
	if err != nil {
		return page, err
	}
	return container.NewQueryItemsPager("SELECT * FROM c", azcosmos.NewPartitionKeyString("all"), nil).NextPage(ctx)
}
