package pending

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Shop struct {
	ID      bson.ObjectID `bson:"_id"`
	Name    string        `bson:"name"`
	Balance float64       `bson:"balance"`
	Price   float64       `bson:"price"`
}

// Application holds a shop that does not exist yet.
type Application struct {
	ID   bson.ObjectID `bson:"_id"`
	Shop Shop          `bson:"shop"`
}

// Lease holds one that is stored at the same time.
type Lease struct {
	ID   bson.ObjectID `bson:"_id"`
	Shop Shop          `bson:"shop"` // want `shop copies Shop into Lease`
}

// Visit holds one whose id was known before.
type Visit struct {
	ID   bson.ObjectID `bson:"_id"`
	Shop *Shop         `bson:"shop"` // want `shop copies Shop into Visit`
}

// Tour holds one that is put together.
type Tour struct {
	ID   bson.ObjectID `bson:"_id"`
	Shop Shop          `bson:"shop"` // want `shop copies Shop into Tour`
}

// Exam has exercises about topics, of types and in an order of their own.
type Exam struct {
	ID        bson.ObjectID `bson:"_id"`
	Exercises []Exercise    `bson:"exercises"`
}

type Exercise struct {
	TopicID  string `bson:"topicId"`
	Text     string `bson:"text"`
	Type     string `bson:"type"`
	Position int    `bson:"position"`
}

type Topic struct {
	ID       string `bson:"_id"`
	Name     string `bson:"name"`
	Type     string `bson:"type"`
	Position int    `bson:"position"`
}

func examine(ctx context.Context, db *mongo.Database, e Exam, t Topic) error {
	if _, err := db.Collection("topics").InsertOne(ctx, t); err != nil {
		return err
	}
	_, err := db.Collection("exams").InsertOne(ctx, e)
	return err
}

func tour(ctx context.Context, db *mongo.Database, id bson.ObjectID) error {
	var shop Shop
	shop.ID = id
	_, err := db.Collection("tours").InsertOne(ctx, Tour{ID: bson.NewObjectID(), Shop: shop})
	return err
}

func apply(ctx context.Context, db *mongo.Database, name string) error {
	shop := Shop{ID: bson.NewObjectID(), Name: name}
	shop.Price = 5
	application := Application{ID: bson.NewObjectID(), Shop: shop}
	_, err := db.Collection("applications").InsertOne(ctx, application)
	return err
}

func lease(ctx context.Context, db *mongo.Database, name string) error {
	shop := Shop{ID: bson.NewObjectID(), Name: name}
	if _, err := db.Collection("shops").InsertOne(ctx, shop); err != nil {
		return err
	}
	_, err := db.Collection("leases").InsertOne(ctx, Lease{ID: bson.NewObjectID(), Shop: shop})
	return err
}

func visit(ctx context.Context, db *mongo.Database, id bson.ObjectID, name string) error {
	shop := &Shop{ID: id, Name: name}
	_, err := db.Collection("visits").InsertOne(ctx, Visit{ID: bson.NewObjectID(), Shop: shop})
	return err
}

// Auction holds the highest of its bids, which no other auction holds.
type Auction struct {
	ID      bson.ObjectID `bson:"_id"`
	Highest *Bid          `bson:"highest"`
}

type Bid struct {
	ID        bson.ObjectID `bson:"_id"`
	AuctionID bson.ObjectID `bson:"auctionId"`
	Price     float64       `bson:"price"`
	Balance   float64       `bson:"balance"`
}

func bid(ctx context.Context, db *mongo.Database, id bson.ObjectID) error {
	var bid Bid
	if err := db.Collection("bids").FindOne(ctx, bson.M{"_id": id}).Decode(&bid); err != nil {
		return err
	}
	if _, err := db.Collection("auctions").InsertOne(ctx, Auction{ID: bid.AuctionID, Highest: &bid}); err != nil {
		return err
	}
	_, err := db.Collection("bids").InsertOne(ctx, bid)
	return err
}
