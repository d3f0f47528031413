package cart

import (
	"context"

	"cloud.google.com/go/firestore"
)

type Product struct {
	ID    string  `firestore:"id" json:"id"`
	Name  string  `firestore:"name" json:"name"`
	Price float64 `firestore:"price" json:"price"`
	Stock int     `firestore:"stock" json:"stock"`
}

type Cart struct {
	Owner    string    `firestore:"owner" json:"owner"`
	Products []Product `firestore:"products" json:"products"` // want `products copies Product into Cart`
}

// Shelf is made without the names of its fields, so that it cannot gain one.
type Shelf struct {
	Owner string   `firestore:"owner"`
	Best  *Product `firestore:"best"` // want `best copies Product into Shelf`
}

// Cache is made anew when it expires.
type Cache struct {
	Owner    string    `firestore:"owner"`
	Products []Product `firestore:"products"`
}

func keep(ctx context.Context, c *firestore.Client, cache *Cache) {
	c.Collection("caches").Doc(cache.Owner).Set(ctx, cache)
}

func save(ctx context.Context, c *firestore.Client, id string, p Product, cart *Cart) {
	c.Collection("products").Doc(p.ID).Set(ctx, p)
	c.Collection("carts").Doc(id).Set(ctx, cart)
	c.Collection("shelves").Doc(id).Set(ctx, Shelf{id, &p})
}
