// Package posts keeps the latest comments in the post and each comment in a document of its own.
package posts

import (
	"github.com/couchbase/gocb/v2"
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

func SavePost(db *gocb.Bucket, p Post) error {
	_, err := db.Collection("posts").Insert(p.ID, p, nil)
	return err
}

func SaveComment(db *gocb.Bucket, c Comment) error {
	_, err := db.Collection("comments").Insert(c.ID, c, nil)
	return err
}
