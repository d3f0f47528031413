// Package reviews stores books and their reviews side by side, and nothing says which is which.
package reviews

import (
	"github.com/couchbase/gocb/v2"
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

func SaveBook(db *gocb.Bucket, b Book) error {
	_, err := db.Collection("library").Insert(b.ID, b, nil)
	return err
}

func SaveReview(db *gocb.Bucket, r Review) error {
	_, err := db.Collection("library").Insert(r.ID, r, nil)
	return err
}

func Library(db *gocb.Cluster) error {
	_, err := db.Query("SELECT l.* FROM shop._default.library l", nil)
	return err
}
