package cosmos

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

type Order struct {
	ID    int    `json:"id"` // want `id is stored as number, but Azure Cosmos DB accepts only strings as the id`
	Buyer string `json:"buyer"`
}

type Invoice struct {
	ID    int64  `json:"id,string"`
	Buyer string `json:"buyer"`
}

type key struct{ Year, Number int }

type Receipt struct {
	ID key `json:"id"` // want `id is stored as object`
}

type code [3]string

func (c code) MarshalJSON() ([]byte, error) { return json.Marshal(strings.Join(c[:], "-")) }

type Voucher struct {
	ID code `json:"id"`
}

type Review struct {
	ID     string `json:"id"` // want `id is joined with "/"`
	BookID string `json:"bookId"`
}

type Vote struct {
	ID     string `json:"id"` // want `id is joined with "#"`
	BookID string `json:"bookId"`
}

type Page struct {
	ID  string `json:"id"` // want `id is base64 that may contain a slash`
	URL string `json:"url"`
}

type Link struct {
	ID  string `json:"id"`
	URL string `json:"url"`
}

type Visit struct {
	ID     string `json:"id"`
	LinkID string `json:"linkId"`
}

func store(ctx context.Context, c *azcosmos.ContainerClient, document any) error {
	item, err := json.Marshal(document)
	if err != nil {
		return err
	}
	_, err = c.CreateItem(ctx, azcosmos.NewPartitionKeyString("x"), item, nil)
	return err
}

func voteID(book string, n int) string { return strings.Join([]string{book, fmt.Sprint(n)}, "#") }

func all(ctx context.Context, c *azcosmos.ContainerClient, o Order, i Invoice, r Receipt, v Voucher, book, address string, n int) {
	store(ctx, c, o)
	store(ctx, c, i)
	store(ctx, c, r)
	store(ctx, c, v)
	id := fmt.Sprintf("%s/%d", book, n)
	store(ctx, c, Review{ID: id, BookID: book})
	var vote Vote
	vote.ID = voteID(book, n)
	store(ctx, c, vote)
	store(ctx, c, Page{ID: base64.StdEncoding.EncodeToString([]byte(address)), URL: address})
	store(ctx, c, Link{ID: url.PathEscape("a/" + address), URL: address})
	store(ctx, c, Visit{ID: fmt.Sprintf("%s:%#x", address, n), LinkID: address})
}
