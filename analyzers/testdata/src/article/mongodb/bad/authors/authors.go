// Package authors ties authors and books together in documents of their own.
package authors

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Author struct {
	ID   string `bson:"_id"`
	Name string `bson:"name"`
}

type Book struct {
	ID    string `bson:"_id"`
	Title string `bson:"title"`
}

type AuthorBook struct {
	ID       string `bson:"_id"`
	AuthorID string `bson:"authorId"`
	BookID   string `bson:"bookId"`
}

func SaveAuthor(ctx context.Context, db *mongo.Database, a Author) error {
	_, err := db.Collection("authors").InsertOne(ctx, a)
	return err
}

func SaveBook(ctx context.Context, db *mongo.Database, b Book) error {
	_, err := db.Collection("books").InsertOne(ctx, b)
	return err
}

func SaveAuthorBook(ctx context.Context, db *mongo.Database, a AuthorBook) error {
	_, err := db.Collection("authorBooks").InsertOne(ctx, a)
	return err
}
