// Package reviews stores books and their reviews side by side, each with its type.
package reviews

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Book struct {
	ID    string `bson:"_id"`
	Type  string `bson:"type"`
	Title string `bson:"title"`
	Pages int    `bson:"pages"`
}

type Review struct {
	ID      string `bson:"_id"`
	Type    string `bson:"type"`
	BookID  string `bson:"bookId"`
	Content string `bson:"content"`
	Stars   int    `bson:"stars"`
}

func SaveBook(ctx context.Context, db *mongo.Database, id, title string, pages int) error {
	b := Book{ID: id, Type: "book", Title: title, Pages: pages}
	_, err := db.Collection("library").InsertOne(ctx, b)
	return err
}

func SaveReview(ctx context.Context, db *mongo.Database, id, book, content string, stars int) error {
	r := Review{ID: id, Type: "review", BookID: book, Content: content, Stars: stars}
	_, err := db.Collection("library").InsertOne(ctx, r)
	return err
}

func Library(ctx context.Context, db *mongo.Database) (*mongo.Cursor, error) {
	return db.Collection("library").Find(ctx, nil)
}
