// Package asked looks for documents of several collections by their ids.
package asked

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Label struct {
	ID   string `bson:"id"`
	Name string `bson:"name"`
}

type Company struct {
	ID   string `bson:"id"` // want `the id of Company is stored as id: MongoDB adds another _id to every document`
	Name string `bson:"name"`
}

type store struct{ labels, companies, others *mongo.Collection }

func open(db *mongo.Database) store {
	return store{db.Collection("labels"), db.Collection("companies"), db.Collection("others")}
}

func (s store) add(ctx context.Context, l Label, c Company) {
	s.labels.InsertOne(ctx, l)
	s.companies.InsertOne(ctx, c)
}

func (s store) other(ctx context.Context, id string) *mongo.SingleResult {
	filter := bson.M{"_id": id}
	return s.others.FindOne(ctx, filter)
}

func (s store) company(ctx context.Context, id string) *mongo.SingleResult {
	return s.companies.FindOne(ctx, bson.M{"_id": id})
}
