// Package atwork reads a document into the struct that fetches it, by mistake.
package atwork

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Notes struct {
	Name   string
	Ctx    context.Context
	Client *mongo.Client
}

type Note struct {
	ID   bson.ObjectID `bson:"_id"`
	Text string        `bson:"text"`
}

func (n *Notes) Get(id bson.ObjectID) (*Notes, error) {
	var result Notes
	n.Client.Database(n.Name).Collection("notes").Find(n.Ctx, bson.M{})
	err := n.Client.Database(n.Name).Collection("notes").FindOne(n.Ctx, bson.M{"_id": id}).Decode(&result)
	return &result, err
}

func (n *Notes) Add(note Note) error {
	_, err := n.Client.Database(n.Name).Collection("notes").InsertOne(n.Ctx, note)
	return err
}
