// Package authors lists books in their authors and authors in their books.
package authors

import (
	"github.com/couchbase/gocb/v2"
)

type Author struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	BookIDs []string `json:"bookIds"`
}

type Book struct {
	ID        string   `json:"id"`
	Title     string   `json:"title"`
	AuthorIDs []string `json:"authorIds"`
}

func SaveAuthor(db *gocb.Bucket, a Author) error {
	_, err := db.Collection("authors").Insert(a.ID, a, nil)
	return err
}

func SaveBook(db *gocb.Bucket, b Book) error {
	_, err := db.Collection("books").Insert(b.ID, b, nil)
	return err
}
