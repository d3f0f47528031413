// Package marks keeps who did something to a document, which they can take back.
package marks

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Notice struct {
	ID         bson.ObjectID   `bson:"_id,omitempty"`
	HiddenBy   []bson.ObjectID `bson:"hiddenBy"` // want `hiddenBy grows without bound`
	ApprovedBy []bson.ObjectID `bson:"approvedBy"`
}

type notices struct{ all *mongo.Collection }

func (n *notices) Add(ctx context.Context, notice Notice) error {
	_, err := n.all.InsertOne(ctx, notice)
	return err
}

func (n *notices) Hide(ctx context.Context, id, who bson.ObjectID) error {
	_, err := n.all.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$addToSet": bson.M{"hiddenBy": who}})
	return err
}

func (n *notices) Show(ctx context.Context, id, who bson.ObjectID) error {
	_, err := n.all.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$pull": bson.M{"hiddenBy": who}})
	return err
}

func (n *notices) Approve(ctx context.Context, id, who bson.ObjectID) error {
	_, err := n.all.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$addToSet": bson.M{"approvedBy": who}})
	return err
}

func (n *notices) Withdraw(ctx context.Context, id, who bson.ObjectID) error {
	_, err := n.all.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$pull": bson.M{"approvedBy": who}})
	return err
}
