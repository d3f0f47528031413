// Package branches adds to a list in one branch, and takes it as it was in another.
package branches

import (
	"context"
	"net/http"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Product struct {
	ID    bson.ObjectID `bson:"_id"`
	Name  string        `bson:"name"`
	Price *Price        `bson:"price"`
	Cost  *Cost         `bson:"cost"`
}

type Change struct {
	Date  time.Time `bson:"date"`
	Price int       `bson:"price"`
}

type Price struct {
	Current int       `bson:"current"`
	History []*Change `bson:"history"` // want `price.history grows without bound: each request handled by Store.Quote`
}

// Cost starts a new list where it does not keep the old one.
type Cost struct {
	Current int       `bson:"current"`
	Changes []*Change `bson:"changes"`
}

func (p *Product) SetPrice(price int) {
	history := []*Change{{Date: time.Now(), Price: price}}
	if p.Price != nil {
		if p.Price.Current != price {
			history = append(p.Price.History, history...)
		} else {
			history = p.Price.History
		}
	}
	p.Price = &Price{Current: price, History: history}
}

func (p *Product) SetCost(cost int) {
	changes := []*Change{{Date: time.Now(), Price: cost}}
	if p.Cost != nil && p.Cost.Current == cost {
		changes = p.Cost.Changes
	}
	p.Cost = &Cost{Current: cost, Changes: changes}
}

type Store struct{ products *mongo.Collection }

func (s Store) Get(ctx context.Context, name string) (*Product, error) {
	var p *Product
	err := s.products.FindOne(ctx, bson.M{"name": name}).Decode(&p)
	return p, err
}

func (s Store) Quote(w http.ResponseWriter, r *http.Request) {
	p, err := s.Get(r.Context(), r.FormValue("name"))
	if err != nil {
		return
	}
	p.SetPrice(len(r.FormValue("price")))
	p.SetCost(len(r.FormValue("cost")))
	s.products.UpdateOne(r.Context(), bson.M{"_id": p.ID}, bson.M{"$set": p})
}
