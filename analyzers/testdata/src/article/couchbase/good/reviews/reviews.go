// Package reviews stores books and their reviews side by side, each with its type.
package reviews

import (
	"github.com/couchbase/gocb/v2"
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

func SaveBook(db *gocb.Bucket, id, title string, pages int) error {
	b := Book{ID: id, Type: "book", Title: title, Pages: pages}
	_, err := db.Collection("library").Insert(b.ID, b, nil)
	return err
}

func SaveReview(db *gocb.Bucket, id, book, content string, stars int) error {
	r := Review{ID: id, Type: "review", BookID: book, Content: content, Stars: stars}
	_, err := db.Collection("library").Insert(r.ID, r, nil)
	return err
}

func Library(db *gocb.Cluster) error {
	_, err := db.Query("SELECT l.* FROM shop._default.library l", nil)
	return err
}
