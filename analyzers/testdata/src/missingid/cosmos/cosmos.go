package cosmos

import (
	"context"
	"encoding/json"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

type Comment struct { // want `Comment has no field stored as id, but Azure Cosmos DB rejects an item without id`
	PostID  string `json:"postId"`
	Content string `json:"content"`
}

// Vote is listed without names somewhere: a field more would break that.
type Vote struct { // want `Vote has no field stored as id`
	PostID string `json:"postId"`
	UserID string `json:"userId"`
}

type Post struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

type base struct {
	ID string `json:"id"`
}

// Tag has the id of what it takes in.
type Tag struct {
	base
	Name string `json:"name"`
}

// Page has an id under another name, which is another mistake.
type Page struct {
	ID    string
	Title string
}

// Free holds whatever it holds.
type Free struct {
	values map[string]any
}

func (f Free) MarshalJSON() ([]byte, error) { return json.Marshal(f.values) }

// Envelope is sent, not stored.
type Envelope struct {
	Comments []Comment `json:"comments"`
}

func store(ctx context.Context, c *azcosmos.ContainerClient, document any) error {
	item, err := json.Marshal(document)
	if err != nil {
		return err
	}
	_, err = c.CreateItem(ctx, azcosmos.NewPartitionKeyString("x"), item, nil)
	return err
}

func all(ctx context.Context, c *azcosmos.ContainerClient, comment Comment, post Post, tag Tag, page Page, free Free) {
	store(ctx, c, comment)
	store(ctx, c, post)
	store(ctx, c, tag)
	store(ctx, c, page)
	store(ctx, c, free)
	store(ctx, c, Vote{"p1", "u1"})
}
