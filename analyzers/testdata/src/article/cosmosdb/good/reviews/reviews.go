// Package reviews stores books and their reviews side by side, each with its type.
package reviews

import (
	"context"
	"encoding/json"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

type Book struct {
	ID    string `json:"id"`
	Type  string `json:"type"`
	Title string `json:"title"`
	Pages int    `json:"pages"`
}

type Review struct {
	ID      string `json:"id"`
	Type    string `json:"type"`
	BookID  string `json:"bookId"`
	Content string `json:"content"`
	Stars   int    `json:"stars"`
}

func SaveBook(ctx context.Context, db *azcosmos.Client, id, title string, pages int) error {
	b := Book{ID: id, Type: "book", Title: title, Pages: pages}
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

func SaveReview(ctx context.Context, db *azcosmos.Client, id, book, content string, stars int) error {
	r := Review{ID: id, Type: "review", BookID: book, Content: content, Stars: stars}
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
