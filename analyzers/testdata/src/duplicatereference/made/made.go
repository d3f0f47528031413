// Package made adds ids of what each caller has just made.
package made

import (
	"context"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Shop struct {
	ID   bson.ObjectID `bson:"_id,omitempty"`
	Name string        `bson:"name"`
}

type Owner struct {
	ID       bson.ObjectID   `bson:"_id,omitempty"`
	ShopIDs  []bson.ObjectID `bson:"shopIds"`
	KeptIDs  []bson.ObjectID `bson:"keptIds"`
	SavedIDs []bson.ObjectID `bson:"savedIds"` // want `savedIds refers to each saved once, but save adds the id again`
}

type shops struct{ c *mongo.Collection }

func (s shops) Create(ctx context.Context, name string) (bson.ObjectID, error) {
	result, err := s.c.InsertOne(ctx, Shop{Name: name})
	return result.InsertedID.(bson.ObjectID), err
}

type owners struct{ c *mongo.Collection }

func (o owners) add(ctx context.Context, owner Owner) { o.c.InsertOne(ctx, owner) }

func (o owners) attach(ctx context.Context, owner, shop bson.ObjectID) error {
	_, err := o.c.UpdateOne(ctx, bson.M{"_id": owner}, bson.M{"$push": bson.M{"shopIds": shop}})
	return err
}

func (o owners) save(ctx context.Context, owner bson.ObjectID, shop string) error {
	id, err := bson.ObjectIDFromHex(shop)
	if err != nil {
		return err
	}
	_, err = o.c.UpdateOne(ctx, bson.M{"_id": owner}, bson.M{"$push": bson.M{"savedIds": id}})
	return err
}

func (o owners) keep(ctx context.Context, owner, shop bson.ObjectID) error {
	_, err := o.c.UpdateOne(ctx, bson.M{"_id": owner}, bson.M{"$push": bson.M{"keptIds": shop}})
	return err
}

// found adds the id of a shop that it declares, with the owner.
func (o owners) found(ctx context.Context, owner bson.ObjectID) error {
	var (
		at   = bson.M{"_id": owner}
		shop = bson.NewObjectID()
	)
	_, err := o.c.UpdateOne(ctx, at, bson.M{"$push": bson.M{"shopIds": shop}})
	return err
}

// start keeps a shop that it makes.
func (s service) start(ctx context.Context, owner bson.ObjectID, name string) error {
	shop, err := s.shops.Create(ctx, name)
	if err != nil {
		return err
	}
	return s.owners.keep(ctx, owner, shop)
}

// resume keeps any shop, unless it is there.
func (s service) resume(ctx context.Context, owner, shop bson.ObjectID) error {
	var known Owner
	if err := s.owners.c.FindOne(ctx, bson.M{"_id": owner}).Decode(&known); err != nil || slices.Contains(known.KeptIDs, shop) {
		return err
	}
	return s.owners.keep(ctx, owner, shop)
}

type service struct {
	shops
	owners
}

func (s service) open(ctx context.Context, owner bson.ObjectID, name string) error {
	shop, err := s.shops.Create(ctx, name)
	if err != nil {
		return err
	}
	if err := s.owners.save(ctx, owner, shop.Hex()); err != nil {
		return err
	}
	return s.owners.attach(ctx, owner, shop)
}

// remember is called with any shop.
func (s service) remember(ctx context.Context, owner bson.ObjectID, shop string) error {
	return s.owners.save(ctx, owner, shop)
}
