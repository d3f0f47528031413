// Package publisher lists every book of a publisher in the publisher.
package publisher

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Publisher struct {
	ID    string   `bson:"_id"`
	Name  string   `bson:"name"`
	Books []string `bson:"books"`
}

type Book struct {
	ID    string `bson:"_id"`
	Title string `bson:"title"`
}

func SavePublisher(ctx context.Context, db *mongo.Database, p Publisher) error {
	_, err := db.Collection("publishers").InsertOne(ctx, p)
	return err
}

func SaveBook(ctx context.Context, db *mongo.Database, b Book) error {
	_, err := db.Collection("books").InsertOne(ctx, b)
	return err
}

func AddBook(ctx context.Context, db *mongo.Database, id string, added string) error {
	_, err := db.Collection("publishers").UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$addToSet": bson.M{"books": added}})
	return err
}
