package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Person struct { // want `Person has json tags but is stored by bson, which does not read them: FirstName is stored as "firstname", not "firstName" \(tag-codec-mismatch\)`
	Email     string `json:"email"`
	FirstName string `json:"firstName"`
	Password  string `json:"-"`
}

// Known is queried by the names that are stored.
type Known struct {
	Email    string `json:"email"`
	LastName string `json:"lastName"`
}

// Same has names that do not differ.
type Same struct {
	Email string `json:"email"`
	Name  string `json:"name"`
}

// Tagged has tags of its own.
type Tagged struct {
	Email    string `json:"email" bson:"email"`
	NickName string `json:"nickName"`
}

func store(ctx context.Context, c *mongo.Collection, p Person, k Known, s Same, t Tagged) {
	c.InsertOne(ctx, p)
	c.InsertOne(ctx, k)
	c.InsertOne(ctx, s)
	c.InsertOne(ctx, t)
	c.FindOne(ctx, bson.M{"lastname": "x"})
}
