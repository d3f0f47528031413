// Package posts declares and stores posts.
package posts

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Post struct {
	ID       bson.ObjectID `bson:"_id"`
	Title    string        `bson:"title"`
	Comments []Comment     `bson:"comments"`
}

type Comment struct {
	ID   bson.ObjectID `bson:"_id"`
	Text string        `bson:"text"`
}

func Create(ctx context.Context, db *mongo.Database, p Post) error {
	_, err := db.Collection("posts").InsertOne(ctx, p)
	return err
}

func Comments(ctx context.Context, db *mongo.Database, id bson.ObjectID, c Comment) error {
	_, err := db.Collection("posts").UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"comments": c}})
	return err
}
