// Package counts counts the books of an author and forgets to.
package counts

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Author struct {
	ID   string `bson:"_id"`
	Name string `bson:"name"`
	//shapevet:bounded max=50
	Books        []string `bson:"books"`
	CountOfBooks int      `bson:"countOfBooks"`
}

func SaveAuthor(ctx context.Context, db *mongo.Database, a Author) error {
	_, err := db.Collection("authors").InsertOne(ctx, a)
	return err
}

func AddBook(ctx context.Context, db *mongo.Database, id string, added string) error {
	_, err := db.Collection("authors").UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"books": added}})
	return err
}
