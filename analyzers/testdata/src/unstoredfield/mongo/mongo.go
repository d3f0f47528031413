package mongo

import (
	"context"
	"sync"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Address struct {
	Street string `bson:"street"`
	zip    string `bson:"zip"` // want `zip is unexported: it is never stored as zip and never read \(unstored-field\)`
}

type Customer struct {
	ID      string  `bson:"_id"`
	address Address `bson:"address,omitempty"` // want `address is unexported: it is never stored as address`
	Home    Address `bson:"home"`
	Work    Address `bson:"work"`

	before  string `bson:"_"` // nobody means to store it under such a name
	mu      sync.Mutex
	cache   map[string]string `bson:"-"`
	note    string            `json:"note"`
	checked bool              `validate:"required"`
}

// Money writes itself, with what it does not export.
type Money struct {
	cents int64 `bson:"cents"`
}

func (m Money) MarshalBSON() ([]byte, error) { return bson.Marshal(bson.M{"cents": m.cents}) }

type Order struct {
	ID    string `bson:"_id"`
	Total Money  `bson:"total"`
}

// Session is not stored.
type Session struct {
	token string `bson:"token"`
}

func store(ctx context.Context, c *mongo.Collection, customer *Customer, o Order) {
	c.InsertOne(ctx, customer)
	c.InsertOne(ctx, o)
}
