// Package authors ties authors and books together in documents of their own.
package authors

import (
	"context"

	"cloud.google.com/go/firestore"
)

type Author struct {
	ID   string `firestore:"id"`
	Name string `firestore:"name"`
}

type Book struct {
	ID    string `firestore:"id"`
	Title string `firestore:"title"`
}

type AuthorBook struct {
	ID       string `firestore:"id"`
	AuthorID string `firestore:"authorId"`
	BookID   string `firestore:"bookId"`
}

func SaveAuthor(ctx context.Context, db *firestore.Client, a Author) error {
	_, err := db.Collection("authors").Doc(a.ID).Set(ctx, a)
	return err
}

func SaveBook(ctx context.Context, db *firestore.Client, b Book) error {
	_, err := db.Collection("books").Doc(b.ID).Set(ctx, b)
	return err
}

func SaveAuthorBook(ctx context.Context, db *firestore.Client, a AuthorBook) error {
	_, err := db.Collection("authorBooks").Doc(a.ID).Set(ctx, a)
	return err
}
