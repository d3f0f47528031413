// Package split changes a list and its count in two writes.
package split

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Post struct {
	ID      string   `bson:"_id"`
	LikedBy []string `bson:"likedBy"`
	Likes   int      `bson:"likes"` // want `likes drifts from likedBy: like changes them in two writes, and one may fail`
}

func create(ctx context.Context, c *mongo.Collection, p Post) { c.InsertOne(ctx, p) }

func like(ctx context.Context, c *mongo.Collection, id, user string) {
	c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"likedBy": user}})
	c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$inc": bson.M{"likes": 1}})
}

type Room struct {
	ID        string   `bson:"_id"`
	Users     []string `bson:"users"`
	UserCount int      `bson:"userCount"`
}

func open(ctx context.Context, c *mongo.Collection, r Room) { c.InsertOne(ctx, r) }

func joinTransaction(ctx context.Context, c *mongo.Collection, id, user string) {
	transaction(func() {
		c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"users": user}})
		c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$inc": bson.M{"userCount": 1}})
	})
}

func transaction(run func()) { run() }

type Song struct {
	ID          string   `bson:"_id"`
	ListenedBy  []string `bson:"listenedBy"`
	ListenCount int      `bson:"listenCount"` // want `listenCount drifts from listenedBy: listen changes them in two writes`
	CreatedBy   []string `bson:"createdBy"`
	PlayCount   int      `bson:"playCount"`
}

func record(ctx context.Context, c *mongo.Collection, s Song) { c.InsertOne(ctx, s) }

func listen(ctx context.Context, c *mongo.Collection, id, user string) {
	c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"listenedBy": user}})
	c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$inc": bson.M{"listenCount": 1}})
}

func credit(ctx context.Context, c *mongo.Collection, id, user string) {
	c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"createdBy": user}})
	c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$inc": bson.M{"playCount": 1}})
}
