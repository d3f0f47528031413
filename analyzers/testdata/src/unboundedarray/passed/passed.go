// Package passed has helpers for all collections, which its callers pass on.
package passed

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Post struct {
	ID       bson.ObjectID   `bson:"_id"`
	Voters   []bson.ObjectID `bson:"voters"`   // want `voters grows without bound`
	Admirers []bson.ObjectID `bson:"admirers"` // want `admirers grows without bound`
	Readers  []bson.ObjectID `bson:"readers"`  // want `readers grows without bound`
}

type Photo struct {
	ID       bson.ObjectID   `bson:"_id"`
	Voters   []bson.ObjectID `bson:"voters"`   // want `voters grows without bound`
	Admirers []bson.ObjectID `bson:"admirers"` // want `admirers grows without bound`
	Readers  []bson.ObjectID `bson:"readers"`
}

// Page is not passed with these lists.
type Page struct {
	ID       bson.ObjectID   `bson:"_id"`
	Voters   []bson.ObjectID `bson:"voters"`
	Admirers []bson.ObjectID `bson:"admirers"`
	Readers  []bson.ObjectID `bson:"readers"`
	Names    []bson.ObjectID `bson:"names"` // want `names grows without bound`
}

func save(ctx context.Context, db *mongo.Database, p Post, o Photo, a Page) {
	db.Collection("posts").InsertOne(ctx, p)
	db.Collection("photos").InsertOne(ctx, o)
	db.Collection("pages").InsertOne(ctx, a)
}

func push(ctx context.Context, c *mongo.Collection, id bson.ObjectID, list string, value any) {
	c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{list: value}})
}

func pushTo(ctx context.Context, db *mongo.Database, collection string, id bson.ObjectID, list string, value any) {
	db.Collection(collection).UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{list: value}})
}

// vote names the list, and has the collection from its callers.
func vote(ctx context.Context, c *mongo.Collection, id, user bson.ObjectID) {
	push(ctx, c, id, "voters", user)
}

// admire has its name from them.
func admire(ctx context.Context, db *mongo.Database, collection string, id, user bson.ObjectID) {
	pushTo(ctx, db, collection, id, "admirers", user)
}

func act(ctx context.Context, db *mongo.Database, id, user bson.ObjectID) {
	vote(ctx, db.Collection("posts"), id, user)
	vote(ctx, db.Collection("photos"), id, user)
	admire(ctx, db, "posts", id, user)
	admire(ctx, db, "photos", id, user)
	push(ctx, db.Collection("pages"), id, "names", user)
	push(ctx, db.Collection("posts"), id, "readers", user)
}
