// Package posts keeps all comments of a post in the post.
package posts

import (
	"context"

	"cloud.google.com/go/firestore"
)

type Post struct {
	ID       string    `firestore:"id"`
	Name     string    `firestore:"name"`
	Summary  string    `firestore:"summary"`
	Comments []Comment `firestore:"comments"`
}

type Comment struct {
	ID     string `firestore:"id"`
	Author string `firestore:"author"`
	Text   string `firestore:"text"`
}

func SavePost(ctx context.Context, db *firestore.Client, p Post) error {
	_, err := db.Collection("posts").Doc(p.ID).Set(ctx, p)
	return err
}

func AddComment(ctx context.Context, db *firestore.Client, id string, added Comment) error {
	_, err := db.Collection("posts").Doc(id).Update(ctx, []firestore.Update{
		{Path: "comments", Value: firestore.ArrayUnion(added)},
	})
	return err
}
