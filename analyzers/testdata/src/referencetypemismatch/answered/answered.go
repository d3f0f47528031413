// Package answered stores ids that other services give to what has an id here
// too.
package answered

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/example/fetch"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Order struct {
	ID    string `bson:"_id"`
	Total int    `bson:"total"`
}

// Shipment has the number that the carrier gives to the order.
type Shipment struct {
	ID      string `bson:"_id"`
	OrderID int    `bson:"orderId"`
	Weight  int    `bson:"weight"`
}

type booked struct {
	Shipments []struct {
		OrderID int `json:"order_id"`
	} `json:"shipments"`
}

func book(ctx context.Context, c *mongo.Collection, o Order) error {
	response, err := http.Get("https://example.com/book")
	if err != nil {
		return err
	}
	var answer booked
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return err
	}
	c.InsertOne(ctx, o)
	_, err = c.InsertOne(ctx, Shipment{ID: o.ID, OrderID: answer.Shipments[0].OrderID})
	return err
}

// Track is stored as the carrier sends it.
type Track struct {
	ID      string `bson:"_id" json:"id"`
	OrderID int    `bson:"orderId" json:"order_id"`
}

func track(ctx context.Context, c *mongo.Collection, id string) error {
	url := "https://example.com/track/" + id
	_, body, err := fetch.Get(url)
	if err != nil {
		return err
	}
	var t Track
	if err := json.Unmarshal(body, &t); err != nil {
		return err
	}
	_, err = c.InsertOne(ctx, t)
	return err
}

// Refund refers to its order, and has the number of a bank for it.
type Refund struct {
	ID            string `bson:"_id"`
	OrderID       int    `bson:"orderId"`
	ParentOrderID string `bson:"parentOrderId"`
}

// Claim has a number that somebody types.
type Claim struct {
	ID      string `bson:"_id"`
	OrderID int    `bson:"orderId" json:"orderId"` // want `orderId is stored as number, but the _id of Order`
	Text    string `bson:"text" json:"text"`
}

func claim(ctx context.Context, c *mongo.Collection, r *http.Request, refund Refund) error {
	var claim Claim
	if err := json.NewDecoder(r.Body).Decode(&claim); err != nil {
		return err
	}
	c.InsertOne(ctx, refund)
	_, err := c.InsertOne(ctx, claim)
	return err
}
