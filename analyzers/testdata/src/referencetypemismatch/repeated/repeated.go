// Package repeated refers to authors by text in types of which only the name says so, which
// is one decision, in types that code fills with their ids, which is another, and by UUID.
package repeated

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Author struct {
	ID   bson.ObjectID `bson:"_id"`
	Name string        `bson:"name"`
}

type Answer struct {
	ID       bson.ObjectID `bson:"_id"`
	AuthorID string        `bson:"authorId"` // want `authorId is stored as string.* they never match \(only the name says what it refers to\)`
}

type Review struct {
	ID       bson.ObjectID `bson:"_id"`
	AuthorID string        `bson:"authorId"` // want `authorId is stored as string.* they never match .reference`
}

type Letter struct {
	ID       bson.ObjectID `bson:"_id"`
	AuthorID string        `bson:"authorId"` // want `authorId is stored as string.* they never match .reference`
}

type Comment struct {
	ID       bson.ObjectID `bson:"_id"`
	AuthorID string        `bson:"authorId"` // want `authorId is stored as string`
}

type Like struct {
	ID       bson.ObjectID `bson:"_id"`
	AuthorID [16]byte      `bson:"authorId"` // want `authorId is stored as UUID`
}

// Abstract is only the result of a computation.
type Abstract struct {
	AuthorID string `bson:"authorId"`
	Count    int    `bson:"count"`
}

func count(ctx context.Context, c *mongo.Collection) (found []Abstract) {
	cursor, err := c.Aggregate(ctx, bson.A{bson.M{"$group": bson.M{"_id": "$authorId", "count": bson.M{"$sum": 1}}}})
	if err != nil {
		return nil
	}
	cursor.All(ctx, &found)
	return found
}

func store(ctx context.Context, c *mongo.Collection, a Author, b Answer, d Comment, e Like, f Letter) {
	f.AuthorID = a.ID.Hex()
	c.InsertOne(ctx, Review{ID: bson.NewObjectID(), AuthorID: a.ID.Hex()})
	c.InsertOne(ctx, f)
	c.InsertOne(ctx, a)
	c.InsertOne(ctx, b)
	c.InsertOne(ctx, d)
	c.InsertOne(ctx, e)
}
