// Package prefix has types whose names begin with the word for all of them. References leave
// it out.
package prefix

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type ShopClient struct {
	ID   bson.ObjectID `bson:"_id"`
	Name string        `bson:"name"`
}

type ShopInvoice struct {
	ID       bson.ObjectID `bson:"_id"`
	ClientID string        `bson:"clientId"` // want `clientId is stored as string, but the _id of ShopClient`
}

type ShopReturn struct {
	ID       bson.ObjectID `bson:"_id"`
	ClientID bson.ObjectID `bson:"clientId"`
}

func store(ctx context.Context, db *mongo.Database, c ShopClient, i ShopInvoice, r ShopReturn) {
	db.Collection("clients").InsertOne(ctx, c)
	db.Collection("invoices").InsertOne(ctx, i)
	db.Collection("returns").InsertOne(ctx, r)
}
