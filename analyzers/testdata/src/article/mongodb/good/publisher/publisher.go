// Package publisher names the publisher of a book in the book.
package publisher

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Publisher struct {
	ID   string `bson:"_id"`
	Name string `bson:"name"`
}

type Book struct {
	ID          string `bson:"_id"`
	PublisherID string `bson:"publisherId"`
	Title       string `bson:"title"`
}

func SavePublisher(ctx context.Context, db *mongo.Database, p Publisher) error {
	_, err := db.Collection("publishers").InsertOne(ctx, p)
	return err
}

func SaveBook(ctx context.Context, db *mongo.Database, b Book) error {
	_, err := db.Collection("books").InsertOne(ctx, b)
	return err
}
