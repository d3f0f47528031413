// Package publisher names the publisher of a book in the book.
package publisher

import (
	"github.com/couchbase/gocb/v2"
)

type Publisher struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type Book struct {
	ID          string `json:"id"`
	PublisherID string `json:"publisherId"`
	Title       string `json:"title"`
}

func SavePublisher(db *gocb.Bucket, p Publisher) error {
	_, err := db.Collection("publishers").Insert(p.ID, p, nil)
	return err
}

func SaveBook(db *gocb.Bucket, b Book) error {
	_, err := db.Collection("books").Insert(b.ID, b, nil)
	return err
}
