// Package posts keeps all comments of a post in the post.
package posts

import (
	"github.com/couchbase/gocb/v2"
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

func SavePost(db *gocb.Bucket, p Post) error {
	_, err := db.Collection("posts").Insert(p.ID, p, nil)
	return err
}

func AddComment(db *gocb.Bucket, id string, added Comment) error {
	_, err := db.Collection("posts").MutateIn(id, []gocb.MutateInSpec{
		gocb.ArrayAppendSpec("comments", added, nil),
	}, nil)
	return err
}
