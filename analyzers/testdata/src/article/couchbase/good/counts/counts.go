// Package counts counts the books of an author with every one that is added.
package counts

import (
	"github.com/couchbase/gocb/v2"
)

type Author struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	//shapevet:bounded max=50
	Books        []string `json:"books"`
	CountOfBooks int      `json:"countOfBooks"`
}

func SaveAuthor(db *gocb.Bucket, a Author) error {
	_, err := db.Collection("authors").Insert(a.ID, a, nil)
	return err
}

func AddBook(db *gocb.Bucket, id string, added string) error {
	_, err := db.Collection("authors").MutateIn(id, []gocb.MutateInSpec{
		gocb.ArrayAppendSpec("books", added, nil),
		gocb.IncrementSpec("countOfBooks", 1, nil),
	}, nil)
	return err
}
