// Package authors lists books in their authors and authors in their books.
package authors

import (
	"context"

	"cloud.google.com/go/firestore"
)

type Author struct {
	ID      string   `firestore:"id"`
	Name    string   `firestore:"name"`
	BookIDs []string `firestore:"bookIds"`
}

type Book struct {
	ID        string   `firestore:"id"`
	Title     string   `firestore:"title"`
	AuthorIDs []string `firestore:"authorIds"`
}

func SaveAuthor(ctx context.Context, db *firestore.Client, a Author) error {
	_, err := db.Collection("authors").Doc(a.ID).Set(ctx, a)
	return err
}

func SaveBook(ctx context.Context, db *firestore.Client, b Book) error {
	_, err := db.Collection("books").Doc(b.ID).Set(ctx, b)
	return err
}
