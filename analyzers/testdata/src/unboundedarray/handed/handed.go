// Package handed has stores that set a list which their callers put together.
package handed

import (
	"context"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Tree struct {
	ID    string          `bson:"_id"`
	Finds []bson.ObjectID `bson:"finds"` // want `^finds grows without bound: each call of note adds to the list in Tree \(return s\.setFinds`
	Marks []bson.ObjectID `bson:"marks"`
	Kinds []bson.ObjectID `bson:"kinds"`
	Homes []bson.ObjectID `bson:"homes"`
	Views []bson.ObjectID `bson:"views"` // want `views grows without bound`
	Lasts []bson.ObjectID `bson:"lasts"`
	Paths []bson.ObjectID `bson:"paths"` // want `paths grows without bound: each call of walk adds to the list in Tree`
}

type store struct{ trees *mongo.Collection }

func open(db *mongo.Database) store { return store{db.Collection("trees")} }

func (s store) tree(ctx context.Context, id string) (t Tree, err error) {
	err = s.trees.FindOne(ctx, bson.M{"_id": id}).Decode(&t)
	return t, err
}

func (s store) setFinds(ctx context.Context, id string, finds []bson.ObjectID) error {
	_, err := s.trees.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$set": bson.M{"finds": finds}})
	return err
}

func note(ctx context.Context, s store, id string, find bson.ObjectID) error {
	t, err := s.tree(ctx, id)
	if err != nil {
		return err
	}
	var finds []bson.ObjectID
	if t.Finds == nil {
		finds = []bson.ObjectID{find}
	} else {
		finds = append(t.Finds, find)
	}
	return s.setFinds(ctx, t.ID, finds)
}

// setMarks is given what somebody chose.
func (s store) setMarks(ctx context.Context, id string, marks []bson.ObjectID) error {
	_, err := s.trees.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$set": bson.M{"marks": marks}})
	return err
}

func choose(ctx context.Context, s store, id string, chosen []bson.ObjectID) error {
	return s.setMarks(ctx, id, chosen)
}

// setKinds is given another list with one more.
func (s store) setKinds(ctx context.Context, id string, kinds []bson.ObjectID) error {
	_, err := s.trees.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$set": bson.M{"kinds": kinds}})
	return err
}

func classify(ctx context.Context, s store, t Tree, kind bson.ObjectID) error {
	return s.setKinds(ctx, t.ID, append(t.Marks, kind))
}

// prune takes nothing out: the second part begins where the first ends.
func prune(ctx context.Context, s store, t Tree, gone func(bson.ObjectID) bool) {
	for i, find := range t.Finds {
		if gone(find) {
			t.Finds = append(t.Finds[:i], t.Finds[i:]...)
			s.setFinds(ctx, t.ID, t.Finds)
		}
	}
}

func (s store) setHomes(ctx context.Context, id string, homes []bson.ObjectID) error {
	_, err := s.trees.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$set": bson.M{"homes": homes}})
	return err
}

// settle looks first whether a tree is at home there.
func settle(ctx context.Context, s store, t Tree, home bson.ObjectID) error {
	if slices.Contains(t.Homes, home) {
		return nil
	}
	return s.setHomes(ctx, t.ID, append(t.Homes, home))
}

// setPaths is given what another function was given.
func (s store) setPaths(ctx context.Context, id string, paths []bson.ObjectID) error {
	_, err := s.trees.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$set": bson.M{"paths": paths}})
	return err
}

func (s store) lead(ctx context.Context, id string, paths []bson.ObjectID) error {
	return s.setPaths(ctx, id, paths)
}

func walk(ctx context.Context, s store, t Tree, path bson.ObjectID) error {
	return s.lead(ctx, t.ID, append(t.Paths, path))
}

// push and keep are told the list; keep cuts it.
func (s store) push(ctx context.Context, id, list string, v bson.ObjectID) error {
	_, err := s.trees.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{list: bson.M{"$each": bson.A{v}}}})
	return err
}

func (s store) keep(ctx context.Context, id, list string, v bson.ObjectID, most int) error {
	_, err := s.trees.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{list: bson.M{"$each": bson.A{v}, "$slice": -most}}})
	return err
}

func look(ctx context.Context, s store, id string, viewed bson.ObjectID) error {
	if err := s.push(ctx, id, "views", viewed); err != nil {
		return err
	}
	return s.keep(ctx, id, "lasts", viewed, 9)
}
