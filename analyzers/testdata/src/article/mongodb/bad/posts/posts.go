// Package posts keeps all comments of a post in the post.
package posts

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Post struct {
	ID       string    `bson:"_id"`
	Name     string    `bson:"name"`
	Summary  string    `bson:"summary"`
	Comments []Comment `bson:"comments"`
}

type Comment struct {
	ID     string `bson:"_id"`
	Author string `bson:"author"`
	Text   string `bson:"text"`
}

func SavePost(ctx context.Context, db *mongo.Database, p Post) error {
	_, err := db.Collection("posts").InsertOne(ctx, p)
	return err
}

func AddComment(ctx context.Context, db *mongo.Database, id string, added Comment) error {
	_, err := db.Collection("posts").UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"comments": added}})
	return err
}
