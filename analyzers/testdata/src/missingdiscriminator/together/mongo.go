// Package together stores pairs of types in one collection each. It matters only
// where a request may return both.
package together

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Lamp struct {
	ID    string `bson:"_id"`
	Owner string `bson:"owner"`
	Watts int    `bson:"watts"`
	Maker Maker  `bson:"maker"`
}

type Maker struct {
	Name string `bson:"name"`
}

type Chair struct {
	ID    string `bson:"_id"`
	Owner string `bson:"owner"`
	Legs  int    `bson:"legs"`
	Wood  string `bson:"wood"`
	Back  string `bson:"back"`
}

// Nothing asks for more than the keys, or for what both have.
func keyed(ctx context.Context, db *mongo.Database, l Lamp, c Chair, ids []string) {
	room := db.Collection("room")
	room.InsertOne(ctx, l)
	room.InsertOne(ctx, c)
	room.FindOne(ctx, bson.M{"_id": l.ID, "owner": l.Owner})
	room.Find(ctx, bson.D{{Key: "_id", Value: bson.M{"$in": ids}}})
	room.Find(ctx, bson.M{"owner": l.Owner, "maker.name": l.Maker.Name})
	room.Aggregate(ctx, bson.A{bson.M{"$match": bson.M{"legs": 4}}, bson.M{"$limit": 1}})
	db.Collection("other").Find(ctx, bson.M{})
}

type Spoon struct { // want `Spoon shares the collection drawer with Fork`
	ID    string `bson:"_id"`
	Maker Maker  `bson:"maker"`
	Bowl  int    `bson:"bowl"`
	Shape string `bson:"shape"`
}

type Fork struct { // want `Fork shares the collection drawer with Spoon`
	ID    string `bson:"_id"`
	Maker Maker  `bson:"maker"`
	Tines int    `bson:"tines"`
	Metal string `bson:"metal"`
}

func ranged(ctx context.Context, db *mongo.Database, s Spoon, f Fork) {
	drawer := db.Collection("drawer")
	drawer.InsertOne(ctx, s)
	drawer.InsertOne(ctx, f)
	drawer.Find(ctx, bson.M{"_id": bson.M{"$gt": s.ID}, "maker.name": s.Maker.Name})
}

type Cup struct { // want `Cup shares the collection shelf with Plate`
	ID    string `bson:"_id"`
	Owner string `bson:"owner"`
	Rim   int    `bson:"rim"`
	Glaze string `bson:"glaze"`
}

type Plate struct { // want `Plate shares the collection shelf with Cup`
	ID    string `bson:"_id"`
	Owner string `bson:"owner"`
	Depth int    `bson:"depth"`
	Clay  string `bson:"clay"`
}

func counted(ctx context.Context, db *mongo.Database, c Cup, p Plate) {
	shelf := db.Collection("shelf")
	shelf.InsertOne(ctx, c)
	shelf.InsertOne(ctx, p)
	shelf.Aggregate(ctx, bson.A{bson.M{"$group": bson.M{"_id": "$owner"}}})
}
