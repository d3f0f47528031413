// Package lookup has a field that exists to read the result of a $lookup.
package lookup

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Card struct {
	ID       bson.ObjectID `bson:"_id"`
	Status   string        `bson:"status"`
	Price    float64       `bson:"price"`
	Stock    int           `bson:"stock"`
	Position int           `bson:"position"`
}

type Board struct {
	ID      bson.ObjectID   `bson:"_id"`
	CardIDs []bson.ObjectID `bson:"cardIds"`
	Found   []Card          `bson:"found,omitempty"`
	First   Card            `bson:"first"`
	Best    Card            `bson:"best"`
	Top     Card            `bson:"top"` // want `top copies Card into Board`
}

// Wall keeps a Board, in which nothing was found yet.
type Wall struct {
	ID    bson.ObjectID `bson:"_id"`
	Board Board         `bson:"board"`
}

func store(ctx context.Context, cards, boards, walls *mongo.Collection, c Card, b Board) {
	walls.InsertOne(ctx, Wall{Board: b})
	cards.InsertOne(ctx, c)
	boards.InsertOne(ctx, b)
}

func read(ctx context.Context, boards *mongo.Collection) {
	boards.Aggregate(ctx, bson.A{
		bson.M{"$lookup": bson.M{"from": "cards", "localField": "cardIds", "foreignField": "_id", "as": "found"}},
		bson.M{"$set": bson.M{"first": bson.M{"$first": "$found"}}},
		bson.D{{"$addFields", bson.D{{"best", bson.D{{"$arrayElemAt", bson.A{"$found", 0}}}}}}},
		bson.M{"$set": bson.M{"top": bson.M{"$first": "$played"}}},
	})
}
