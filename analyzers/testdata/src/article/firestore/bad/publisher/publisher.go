// Package publisher lists every book of a publisher in the publisher.
package publisher

import (
	"context"

	"cloud.google.com/go/firestore"
)

type Publisher struct {
	ID    string   `firestore:"id"`
	Name  string   `firestore:"name"`
	Books []string `firestore:"books"`
}

type Book struct {
	ID    string `firestore:"id"`
	Title string `firestore:"title"`
}

func SavePublisher(ctx context.Context, db *firestore.Client, p Publisher) error {
	_, err := db.Collection("publishers").Doc(p.ID).Set(ctx, p)
	return err
}

func SaveBook(ctx context.Context, db *firestore.Client, b Book) error {
	_, err := db.Collection("books").Doc(b.ID).Set(ctx, b)
	return err
}

func AddBook(ctx context.Context, db *firestore.Client, id string, added string) error {
	_, err := db.Collection("publishers").Doc(id).Update(ctx, []firestore.Update{
		{Path: "books", Value: firestore.ArrayUnion(added)},
	})
	return err
}
