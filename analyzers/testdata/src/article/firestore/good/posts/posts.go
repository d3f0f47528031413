// Package posts keeps the latest comments in the post and each comment in a document of its own.
package posts

import (
	"context"

	"cloud.google.com/go/firestore"
)

type Post struct {
	ID             string    `firestore:"id"`
	Name           string    `firestore:"name"`
	Summary        string    `firestore:"summary"`
	RecentComments []Comment `firestore:"recentComments"`
}

type Comment struct {
	ID     string `firestore:"id"`
	PostID string `firestore:"postId"`
	Author string `firestore:"author"`
	Text   string `firestore:"text"`
}

// Show makes a comment the latest of its post.
func (p *Post) Show(c Comment) {
	p.RecentComments = append([]Comment{c}, p.RecentComments...)
	if len(p.RecentComments) > 3 {
		p.RecentComments = p.RecentComments[:3]
	}
}

func SavePost(ctx context.Context, db *firestore.Client, p Post) error {
	_, err := db.Collection("posts").Doc(p.ID).Set(ctx, p)
	return err
}

func SaveComment(ctx context.Context, db *firestore.Client, c Comment) error {
	_, err := db.Collection("comments").Doc(c.ID).Set(ctx, c)
	return err
}
