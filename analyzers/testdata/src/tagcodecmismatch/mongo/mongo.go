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

// Guest has one tag of the wrong kind, and an update uses the name in it.
type Guest struct { // want `RoomName is stored as "roomname", not "room_name"`
	Email    string `bson:"email"`
	NickName string `bson:"nick_name"`
	RoomName string `json:"room_name"`
}

// Tenant is asked for by a name in a tag, and by a stored one. No fix says which is right.
type Tenant struct { // want `Tenant has json tags but is stored by bson, which does not read them: RentDue is stored as "rentdue", not "rent_due"; code uses names of both kinds`
	LastName string `json:"last_name"`
	RentDue  string `json:"rent_due"`
}

func move(ctx context.Context, db *mongo.Database, c *mongo.Collection, g Guest, t Tenant) {
	c.InsertOne(ctx, g)
	c.UpdateOne(ctx, bson.M{"email": g.Email}, bson.M{"$set": bson.M{"room_name": g.RoomName}})
	tenants := db.Collection("tenants")
	tenants.InsertOne(ctx, t)
	tenants.FindOne(ctx, bson.M{"lastname": t.LastName})
	tenants.FindOne(ctx, bson.M{"rent_due": t.RentDue})
}

// Ticket has another type with a field of the name in its tag beside it, but the index is on tickets.
type Ticket struct { // want `ValidTo is stored as "validto", not "valid_to"`
	Seat    string `json:"seat"`
	ValidTo int64  `json:"valid_to"`
}

// Pass has the index that it needs.
type Pass struct {
	Seat    string `bson:"seat"`
	ValidTo int64  `bson:"valid_to"`
}

func index(ctx context.Context, db *mongo.Database, t Ticket, p Pass) {
	tickets, passes := db.Collection("tickets"), db.Collection("passes")
	tickets.InsertOne(ctx, t)
	tickets.Indexes().CreateMany(ctx, []mongo.IndexModel{{Keys: bson.D{{Key: "valid_to", Value: 1}}}})
	passes.InsertOne(ctx, p)
	passes.Indexes().CreateMany(ctx, []mongo.IndexModel{{Keys: bson.D{{Key: "valid_to", Value: 1}}}})
}
