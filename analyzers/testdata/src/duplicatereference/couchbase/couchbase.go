package couchbase

import "github.com/couchbase/gocb/v2"

type Book struct {
	ID        string   `json:"id"`
	AuthorIDs []string `json:"authorIds"` // want `authorIds refers to each author once, but addAuthor adds the id again`
	ReaderIDs []string `json:"readerIds"`
}

func store(c *gocb.Collection, b Book) { c.Insert(b.ID, b, nil) }

func addAuthor(c *gocb.Collection, book, author string) {
	c.MutateIn(book, []gocb.MutateInSpec{gocb.ArrayAppendSpec("authorIds", author, nil)}, nil)
}
