// Package transfer makes values of a stored type that carry an update.
package transfer

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Trade struct {
	ID    string   `bson:"_id"`
	Fills []string `bson:"fills"`
	Fees  []string `bson:"fees"`
}

type Offer struct {
	ID   string   `bson:"_id"`
	Bids []string `bson:"bids"` // want `bids is stored as null while it is nil`
}

func newTrade(id string) Trade { return Trade{ID: id, Fills: []string{}, Fees: []string{}} }

func read(ids []string) (opened, filled []Trade) {
	for _, id := range ids {
		opened = append(opened, newTrade(id))
		filled = append(filled, Trade{ID: id, Fills: ids})
	}
	return opened, filled
}

func run(ctx context.Context, c *mongo.Collection, ids []string) {
	opened, filled := read(ids)
	insert(ctx, c, opened)
	update(ctx, c, filled)
}

func insert(ctx context.Context, c *mongo.Collection, list []Trade) {
	var docs []any
	for _, t := range list {
		docs = append(docs, t)
	}
	c.InsertMany(ctx, docs)
}

func update(ctx context.Context, c *mongo.Collection, list []Trade) {
	for _, t := range list {
		c.UpdateOne(ctx, bson.M{"_id": t.ID}, bson.M{"$push": bson.M{"fills": bson.M{"$each": t.Fills}, "fees": bson.M{"$each": t.Fees}}})
	}
}

// offers are inserted by another function, one of them without bids.
func offers(ctx context.Context, c *mongo.Collection) {
	first := Offer{ID: "a", Bids: []string{}}
	second := Offer{ID: "b"}
	insertOffers(ctx, c, []Offer{first, second})
	c.UpdateOne(ctx, bson.M{"_id": "a"}, bson.M{"$push": bson.M{"bids": "b"}})
}

func insertOffers(ctx context.Context, c *mongo.Collection, list []Offer) {
	var docs []any
	for _, o := range list {
		docs = append(docs, o)
	}
	c.InsertMany(ctx, docs)
}
