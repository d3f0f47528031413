// Package authors lists books in their authors and authors in their books.
package authors

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Author struct {
	ID      string   `bson:"_id"`
	Name    string   `bson:"name"`
	BookIDs []string `bson:"bookIds"`
}

type Book struct {
	ID        string   `bson:"_id"`
	Title     string   `bson:"title"`
	AuthorIDs []string `bson:"authorIds"`
}

func SaveAuthor(ctx context.Context, db *mongo.Database, a Author) error {
	_, err := db.Collection("authors").InsertOne(ctx, a)
	return err
}

func SaveBook(ctx context.Context, db *mongo.Database, b Book) error {
	_, err := db.Collection("books").InsertOne(ctx, b)
	return err
}
