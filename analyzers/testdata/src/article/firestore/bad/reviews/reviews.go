// Package reviews stores books and their reviews side by side, and nothing says which is which.
package reviews

import (
	"context"

	"cloud.google.com/go/firestore"
)

type Book struct {
	ID    string `firestore:"id"`
	Title string `firestore:"title"`
	Pages int    `firestore:"pages"`
}

type Review struct {
	ID      string `firestore:"id"`
	BookID  string `firestore:"bookId"`
	Content string `firestore:"content"`
	Stars   int    `firestore:"stars"`
}

func SaveBook(ctx context.Context, db *firestore.Client, b Book) error {
	_, err := db.Collection("library").Doc(b.ID).Set(ctx, b)
	return err
}

func SaveReview(ctx context.Context, db *firestore.Client, r Review) error {
	_, err := db.Collection("library").Doc(r.ID).Set(ctx, r)
	return err
}

func Library(ctx context.Context, db *firestore.Client) *firestore.DocumentIterator {
	return db.Collection("library").Documents(ctx)
}
