// Package answers has a type that extends a stored one for an answer.
package answers

import (
	"context"
	"encoding/json"
	"net/http"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Trip struct {
	ID     bson.ObjectID `bson:"_id"`
	Driver Driver        `bson:"driver"`
}

type Driver struct {
	Name string `bson:"name"`
}

type DriverWithCar struct {
	Driver
	Car string `json:"car"`
}

type Listed struct {
	*Trip  `bson:",inline"`
	Driver DriverWithCar `json:"driver" bson:"driver"`
}

func save(ctx context.Context, coll *mongo.Collection, t *Trip) { coll.InsertOne(ctx, t) }

func list(w http.ResponseWriter, t *Trip, car string) {
	json.NewEncoder(w).Encode(Listed{Trip: t, Driver: DriverWithCar{Driver: t.Driver, Car: car}})
}
