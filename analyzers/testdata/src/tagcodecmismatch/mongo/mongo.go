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

// Unasked is read as it is written: nobody asks for the name in the tag.
type Unasked struct {
	Email    string `json:"email"`
	LastName string `json:"lastName"`
}

// Slip has one tag of the wrong kind.
type Slip struct {
	Email    string `bson:"email"`
	NickName string `bson:"nick_name"`
	HomeTown string `json:"home_town"` // want `HomeTown has a json tag where all other fields of Slip have bson tags: it is stored as "hometown", not "home_town"`
}

// Card shows a person. Code fills in whether it is a friend.
type Card struct {
	Email    string `bson:"email"`
	NickName string `bson:"nick_name"`
	IsFriend bool   `json:"is_friend"`
}

func cards(ctx context.Context, c *mongo.Collection, friends map[string]bool) (cards []Card, err error) {
	found, err := c.Find(ctx, bson.M{})
	if err == nil {
		err = found.All(ctx, &cards)
	}
	for i := range cards {
		if friends[cards[i].Email] {
			cards[i].IsFriend = true
		}
	}
	return cards, err
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

func store(ctx context.Context, c *mongo.Collection, p Person, u Unasked, l Slip, s Same, t Tagged) {
	c.InsertOne(ctx, p)
	c.FindOne(ctx, bson.M{"firstName": "x"})
	c.InsertOne(ctx, u)
	c.InsertOne(ctx, l)
	c.InsertOne(ctx, s)
	c.InsertOne(ctx, t)
}
