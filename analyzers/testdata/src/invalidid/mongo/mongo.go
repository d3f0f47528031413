package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Edge struct {
	ID     []string `bson:"_id"` // want `_id is stored as an array, but MongoDB rejects an array as _id`
	Weight int      `bson:"weight"`
}

type pair struct {
	From string `bson:"from"`
	To   string `bson:"to"`
}

type Link struct {
	ID pair `bson:"_id"`
}

type Blob struct {
	ID   []byte `bson:"_id"`
	Data []byte `bson:"data"`
}

type File struct {
	ID bson.D `bson:"_id"`
}

// Group is computed: _id is what it is grouped by.
type Group struct {
	ID    []string `bson:"_id"`
	Count int      `bson:"count"`
}

func store(ctx context.Context, c *mongo.Collection, e Edge, l Link, b Blob, f File) ([]Group, error) {
	c.InsertOne(ctx, e)
	c.InsertOne(ctx, l)
	c.InsertOne(ctx, b)
	c.InsertOne(ctx, f)
	cursor, err := c.Aggregate(ctx, bson.A{})
	if err != nil {
		return nil, err
	}
	var groups []Group
	return groups, cursor.All(ctx, &groups)
}
