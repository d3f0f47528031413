// Package twostores keeps tasks in one of two databases and has tags for one of them.
package twostores

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Task struct {
	UUID      string `bson:"_id"`
	Triggered bool   `bson:"chord_triggered"`
	HasLock   bool   `bson:"locked"`
}

func insert(ctx context.Context, db *mongo.Database, t Task) {
	db.Collection("tasks").InsertOne(ctx, t)
}

func trigger(ctx context.Context, db *mongo.Database, id string) {
	db.Collection("tasks").UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$set": bson.M{"chord_triggered": true}})
	db.Collection("tasks").UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$set": bson.M{"Locked": true}}) // want `\$set changes Locked, which Task stores as locked`
}
