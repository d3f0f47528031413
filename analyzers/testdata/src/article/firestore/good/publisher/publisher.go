// Package publisher names the publisher of a book in the book.
package publisher

import (
	"context"

	"cloud.google.com/go/firestore"
)

type Publisher struct {
	ID   string `firestore:"id"`
	Name string `firestore:"name"`
}

type Book struct {
	ID          string `firestore:"id"`
	PublisherID string `firestore:"publisherId"`
	Title       string `firestore:"title"`
}

func SavePublisher(ctx context.Context, db *firestore.Client, p Publisher) error {
	_, err := db.Collection("publishers").Doc(p.ID).Set(ctx, p)
	return err
}

func SaveBook(ctx context.Context, db *firestore.Client, b Book) error {
	_, err := db.Collection("books").Doc(b.ID).Set(ctx, b)
	return err
}
