// Package layers hands documents through functions before it stores them.
package layers

import (
	"context"
	"encoding/json"
	"net/http"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type User struct {
	ID   bson.ObjectID `bson:"_id" json:"-"` // want `User.ID is not set before a User is inserted`
	Name string        `bson:"name" json:"name"`
}

type Order struct {
	ID  bson.ObjectID `bson:"_id" json:"-"`
	Sum int           `bson:"sum" json:"sum"`
}

type Invoice struct {
	ID  bson.ObjectID `bson:"_id" json:"-"`
	Sum int           `bson:"sum" json:"sum"`
}

type users interface {
	create(ctx context.Context, u *User) error
}

type repository struct{ c *mongo.Collection }

func (r repository) create(ctx context.Context, u *User) error {
	_, err := r.c.InsertOne(ctx, u)
	return err
}

func (r repository) order(ctx context.Context, o *Order) { r.c.InsertOne(ctx, o) }

func (r repository) invoice(ctx context.Context, i *Invoice) {
	i.ID = bson.NewObjectID()
	r.c.InsertOne(ctx, i)
}

type service struct {
	users users
	repository
}

func (s service) signUp(ctx context.Context, u *User) error { return s.users.create(ctx, u) }

func (s service) serve(w http.ResponseWriter, r *http.Request) {
	var u User
	if json.NewDecoder(r.Body).Decode(&u) == nil {
		s.signUp(r.Context(), &u)
	}
	var o Order
	if json.NewDecoder(r.Body).Decode(&o) == nil {
		o.ID = bson.NewObjectID()
		s.order(r.Context(), &o)
	}
	var i Invoice
	if json.NewDecoder(r.Body).Decode(&i) == nil {
		s.invoice(r.Context(), &i)
	}
}

// A store inserts whatever it is given.
type store[T any] struct{ c *mongo.Collection }

func (s *store[T]) create(ctx context.Context, v *T) { s.c.InsertOne(ctx, v) }

type Actor struct {
	ID   bson.ObjectID `bson:"_id"` // want `Actor.ID is not set before a Actor is inserted`
	Name string        `bson:"name"`
}

type Movie struct {
	ID   bson.ObjectID `bson:"_id"`
	Name string        `bson:"name"`
}

func play(ctx context.Context, actors *store[Actor], movies *store[Movie], name string) {
	actors.create(ctx, &Actor{Name: name})
	movies.create(ctx, &Movie{ID: bson.NewObjectID(), Name: name})
}
