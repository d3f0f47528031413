// Package publisher lists every book of a publisher in the publisher.
package publisher

import (
	"github.com/couchbase/gocb/v2"
)

type Publisher struct {
	ID    string   `json:"id"`
	Name  string   `json:"name"`
	Books []string `json:"books"`
}

type Book struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

func SavePublisher(db *gocb.Bucket, p Publisher) error {
	_, err := db.Collection("publishers").Insert(p.ID, p, nil)
	return err
}

func SaveBook(db *gocb.Bucket, b Book) error {
	_, err := db.Collection("books").Insert(b.ID, b, nil)
	return err
}

func AddBook(db *gocb.Bucket, id string, added string) error {
	_, err := db.Collection("publishers").MutateIn(id, []gocb.MutateInSpec{
		gocb.ArrayAddUniqueSpec("books", added, nil),
	}, nil)
	return err
}
