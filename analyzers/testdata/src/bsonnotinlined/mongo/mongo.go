package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Base struct {
	ID bson.ObjectID `bson:"_id,omitempty" json:"id"`
}

type Audit struct {
	CreatedAt time.Time `bson:"createdAt"`
}

type Trail struct {
	SeenAt time.Time `bson:"seenAt"`
}

type Page struct {
	Number int `bson:"number"`
}

type Post struct {
	Base         // want `Base is embedded without inline: ID is stored as base._id, and the document gets another _id \(bson-not-inlined\)`
	Audit        // want `Audit is embedded without inline: bson stores its fields below "audit", not next to the others`
	Title string `bson:"title"`
}

type secret struct {
	Hash string `bson:"hash"`
}

type User struct {
	Base   `bson:",inline"`
	Audit  `bson:"inline"`
	secret `bson:",inline"` // want `secret is embedded and unexported: bson stores none of its fields \(Hash\), with or without inline`
	Page   `bson:"page"`
	Name   string `bson:"name"`
	time.Time
}

// Order is queried by the path below the embedded struct.
type Order struct {
	Base `bson:",inline"`
	Trail
	Total int `bson:"total"`
}

// Sent is not stored.
type Sent struct {
	Base
	Audit
}

func store(ctx context.Context, c *mongo.Collection, p Post, u *User) {
	c.InsertOne(ctx, p)
	c.InsertOne(ctx, u)
}

func orders(ctx context.Context, c *mongo.Collection, o Order) {
	c.InsertOne(ctx, o)
	c.Find(ctx, bson.M{"trail.seenAt": bson.M{"$gt": 0}})
}
