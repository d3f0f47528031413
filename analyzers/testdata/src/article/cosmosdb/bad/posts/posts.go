// Package posts keeps all comments of a post in the post.
package posts

import (
	"context"
	"encoding/json"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

type Post struct {
	ID       string    `json:"id"`
	Name     string    `json:"name"`
	Summary  string    `json:"summary"`
	Comments []Comment `json:"comments"`
}

type Comment struct {
	ID     string `json:"id"`
	Author string `json:"author"`
	Text   string `json:"text"`
}

func SavePost(ctx context.Context, db *azcosmos.Client, p Post) error {
	container, err := db.NewContainer("shop", "posts")
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

func AddComment(ctx context.Context, container *azcosmos.ContainerClient, id string, added Comment) error {
	var patch azcosmos.PatchOperations
	patch.AppendAdd("/comments/-", added)
	_, err := container.PatchItem(ctx, azcosmos.NewPartitionKeyString(id), id, patch, nil)
	return err
}
