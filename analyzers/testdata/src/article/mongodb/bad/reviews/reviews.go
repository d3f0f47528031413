// Package reviews stores books and their reviews side by side, and nothing says which is which.
package reviews

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Book struct {
	ID    string `bson:"_id"`
	Title string `bson:"title"`
	Pages int    `bson:"pages"`
}

type Review struct {
	ID      string `bson:"_id"`
	BookID  string `bson:"bookId"`
	Content string `bson:"content"`
	Stars   int    `bson:"stars"`
}

func SaveBook(ctx context.Context, db *mongo.Database, b Book) error {
	_, err := db.Collection("library").InsertOne(ctx, b)
	return err
}

func SaveReview(ctx context.Context, db *mongo.Database, r Review) error {
	_, err := db.Collection("library").InsertOne(ctx, r)
	return err
}

func Library(ctx context.Context, db *mongo.Database) (*mongo.Cursor, error) {
	return db.Collection("library").Find(ctx, nil)
}
