// Package reviews stores books and their reviews side by side, each with its type.
package reviews

import (
	"context"

	"cloud.google.com/go/firestore"
)

type Book struct {
	ID    string `firestore:"id"`
	Type  string `firestore:"type"`
	Title string `firestore:"title"`
	Pages int    `firestore:"pages"`
}

type Review struct {
	ID      string `firestore:"id"`
	Type    string `firestore:"type"`
	BookID  string `firestore:"bookId"`
	Content string `firestore:"content"`
	Stars   int    `firestore:"stars"`
}

func SaveBook(ctx context.Context, db *firestore.Client, id, title string, pages int) error {
	b := Book{ID: id, Type: "book", Title: title, Pages: pages}
	_, err := db.Collection("library").Doc(b.ID).Set(ctx, b)
	return err
}

func SaveReview(ctx context.Context, db *firestore.Client, id, book, content string, stars int) error {
	r := Review{ID: id, Type: "review", BookID: book, Content: content, Stars: stars}
	_, err := db.Collection("library").Doc(r.ID).Set(ctx, r)
	return err
}

func Library(ctx context.Context, db *firestore.Client) *firestore.DocumentIterator {
	return db.Collection("library").Documents(ctx)
}
