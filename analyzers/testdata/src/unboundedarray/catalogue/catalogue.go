// Package catalogue stores lists that functions complete for their callers.
package catalogue

import (
	"context"
	"encoding/json"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// Group is made anew whenever the program starts.
type Group struct {
	Number int    `bson:"number"`
	Name   string `bson:"name"`
	Parts  []Part `bson:"parts"`
}

// Shelf comes from whoever has it.
type Shelf struct {
	Number int    `bson:"number"`
	Parts  []Part `bson:"parts"` // want `parts grows `
}

type Part struct {
	PartID int    `bson:"part_id"`
	Name   string `bson:"name"`
}

func fill(ctx context.Context, c *mongo.Collection, g Group, names []string) {
	for i, name := range names {
		g.Parts = append(g.Parts, Part{i, name})
	}
	c.UpdateOne(ctx, bson.M{"number": g.Number}, bson.M{"$set": g}, options.UpdateOne().SetUpsert(true))
}

func Start(ctx context.Context, c *mongo.Collection, names []string) {
	var g Group
	g.Number = 1
	fill(ctx, c, g, names)
}

func add(ctx context.Context, c *mongo.Collection, s Shelf, name string) {
	s.Parts = append(s.Parts, Part{len(s.Parts), name})
	c.UpdateOne(ctx, bson.M{"number": s.Number}, bson.M{"$set": s}, options.UpdateOne().SetUpsert(true))
}

func Receive(ctx context.Context, c *mongo.Collection, body []byte, name string) {
	var s Shelf
	json.Unmarshal(body, &s)
	add(ctx, c, s, name)
}
