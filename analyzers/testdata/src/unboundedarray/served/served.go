// Package served has stores of several collections that share one function for
// updates. Which list an update adds to is known where a store calls it.
package served

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type client struct{ db *mongo.Database }

func (c client) push(ctx context.Context, collection, list string, filter, value bson.M) error {
	_, err := c.db.Collection(collection).UpdateOne(ctx, filter, bson.M{"$push": bson.M{list: value}})
	return err
}

func (c client) pushFew(ctx context.Context, collection, list string, filter, value bson.M) error {
	_, err := c.db.Collection(collection).UpdateOne(ctx, filter, bson.M{"$push": bson.M{list: bson.M{"$each": bson.A{value}, "$slice": -10}}})
	return err
}

func (c client) get(ctx context.Context, collection string, filter bson.M, result any) error {
	return c.db.Collection(collection).FindOne(ctx, filter).Decode(result)
}

type Liked struct {
	Owner string `bson:"owner"`
	Items []Like `bson:"items"` // want `^items grows without bound: each call of likes.add adds to the list in Liked`
}

type Like struct {
	Page string `bson:"page"`
	At   int64  `bson:"at"`
}

type Recent struct {
	Owner string `bson:"owner"`
	Items []Seen `bson:"items"`
	Until int64  `bson:"until"`
}

type Seen struct {
	Page string `bson:"page"`
	At   int64  `bson:"at"`
}

type likes struct {
	client
	collection string
}

func (l likes) add(ctx context.Context, owner, page string, at int64) error {
	return l.push(ctx, l.collection, "items", bson.M{"owner": owner}, bson.M{"page": page, "at": at})
}

func (l likes) of(ctx context.Context, owner string) (found Liked, err error) {
	err = l.get(ctx, l.collection, bson.M{"owner": owner}, &found)
	return found, err
}

type recents struct {
	client
	collection string
}

func (r recents) add(ctx context.Context, owner, page string, at int64) error {
	return r.pushFew(ctx, r.collection, "items", bson.M{"owner": owner}, bson.M{"page": page, "at": at})
}

func (r recents) of(ctx context.Context, owner string) (found Recent, err error) {
	err = r.get(ctx, r.collection, bson.M{"owner": owner}, &found)
	return found, err
}

func open(db *mongo.Database, names map[string]string) (likes, recents) {
	return likes{client{db}, names["likes"]}, recents{client{db}, names["recents"]}
}

// A Route and a Tour are stored by one type. The collection is known by its name.
type Route struct {
	Name  string `bson:"name"`
	Marks []Mark `bson:"marks"` // want `^marks grows without bound: each call of trips.walk adds to the list in Route`
}

type Tour struct {
	Name  string `bson:"name"`
	Marks []Mark `bson:"marks"`
}

type Mark struct {
	Place string `bson:"place"`
	At    int64  `bson:"at"`
}

type trips struct{ client }

func (t trips) plan(ctx context.Context, r Route, u Tour) error {
	if _, err := t.db.Collection("routes").InsertOne(ctx, r); err != nil {
		return err
	}
	_, err := t.db.Collection("tours").InsertOne(ctx, u)
	return err
}

func (t trips) walk(ctx context.Context, name, place string, at int64) error {
	return t.push(ctx, "routes", "marks", bson.M{"name": name}, bson.M{"place": place, "at": at})
}

// Saved is a set: its store looks for the page first.
type Saved struct {
	Owner string `bson:"owner"`
	Items []Like `bson:"items"`
}

type saves struct {
	client
	collection string
}

func (s saves) add(ctx context.Context, owner, page string, at int64) error {
	var found Saved
	if err := s.get(ctx, s.collection, bson.M{"owner": owner}, &found); err != nil {
		return err
	}
	for _, item := range found.Items {
		if item.Page == page {
			return nil
		}
	}
	return s.push(ctx, s.collection, "items", bson.M{"owner": owner}, bson.M{"page": page, "at": at})
}
