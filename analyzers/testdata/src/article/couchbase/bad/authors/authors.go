// Package authors ties authors and books together in documents of their own.
package authors

import (
	"github.com/couchbase/gocb/v2"
)

type Author struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type Book struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

type AuthorBook struct {
	ID       string `json:"id"`
	AuthorID string `json:"authorId"`
	BookID   string `json:"bookId"`
}

func SaveAuthor(db *gocb.Bucket, a Author) error {
	_, err := db.Collection("authors").Insert(a.ID, a, nil)
	return err
}

func SaveBook(db *gocb.Bucket, b Book) error {
	_, err := db.Collection("books").Insert(b.ID, b, nil)
	return err
}

func SaveAuthorBook(db *gocb.Bucket, a AuthorBook) error {
	_, err := db.Collection("authorBooks").Insert(a.ID, a, nil)
	return err
}
