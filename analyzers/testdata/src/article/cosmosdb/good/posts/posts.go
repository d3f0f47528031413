// Package posts keeps the latest comments in the post and each comment in a document of its own.
package posts

import (
	"context"
	"encoding/json"

	"github.com/Azure/azure-sdk-for-go/sdk/data/azcosmos"
)

type Post struct {
	ID             string    `json:"id"`
	Name           string    `json:"name"`
	Summary        string    `json:"summary"`
	RecentComments []Comment `json:"recentComments"`
}

type Comment struct {
	ID     string `json:"id"`
	PostID string `json:"postId"`
	Author string `json:"author"`
	Text   string `json:"text"`
}

// Show makes a comment the latest of its post.
func (p *Post) Show(c Comment) {
	p.RecentComments = append([]Comment{c}, p.RecentComments...)
	if len(p.RecentComments) > 3 {
		p.RecentComments = p.RecentComments[:3]
	}
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

func SaveComment(ctx context.Context, db *azcosmos.Client, c Comment) error {
	container, err := db.NewContainer("shop", "comments")
	if err != nil {
		return err
	}
	item, err := json.Marshal(c)
	if err != nil {
		return err
	}
	_, err = container.CreateItem(ctx, azcosmos.NewPartitionKeyString(c.ID), item, nil)
	return err
}
