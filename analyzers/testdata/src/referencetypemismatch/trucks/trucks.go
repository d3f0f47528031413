// Package trucks has types of which no word begins the names of most. A driver may be that of a van.
package trucks

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type TruckDriver struct {
	ID   bson.ObjectID `bson:"_id"`
	Name string        `bson:"name"`
}

type TruckTyre struct {
	ID bson.ObjectID `bson:"_id"`
}

type TruckRoute struct {
	ID       bson.ObjectID `bson:"_id"`
	DriverID string        `bson:"driverId"`
}

type VanDriver struct {
	ID bson.ObjectID `bson:"_id"`
}

type Depot struct {
	ID bson.ObjectID `bson:"_id"`
}

type Tour struct {
	ID bson.ObjectID `bson:"_id"`
}

func trucks(ctx context.Context, db *mongo.Database, d TruckDriver, t TruckTyre, r TruckRoute, v VanDriver, p Depot, o Tour) {
	db.Collection("drivers").InsertOne(ctx, d)
	db.Collection("tyres").InsertOne(ctx, t)
	db.Collection("routes").InsertOne(ctx, r)
	db.Collection("vans").InsertOne(ctx, v)
	db.Collection("depots").InsertOne(ctx, p)
	db.Collection("tours").InsertOne(ctx, o)
}
