// Package states has constants, which only documents of the same run can be
// compared with.
package states

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type State string

const (
	Open   State = "open"
	Closed State = "closed"
)

// Label is a type without a list of values.
type Label string

const NoLabel Label = ""

type Ticket struct {
	ID    bson.ObjectID `bson:"_id"`
	State State         `bson:"state"`
	Label Label         `bson:"label"`
	Steps []State       `bson:"steps"`
}

func Create(ctx context.Context, db *mongo.Database, t Ticket) error {
	_, err := db.Collection("tickets").InsertOne(ctx, t)
	return err
}
