package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Customer struct { // want `Customer has no field for vip \(in 119\) and referrer \(in 40\) of 120 documents: ReplaceOne drops them \(struct-drift\)`
	ID       bson.ObjectID `bson:"_id"`
	Name     string        `bson:"name"`
	Given    string        `bson:"given_name"` // want `given_name occurs in none of 120 documents, but givenName in 120, which Customer has no field for \(struct-drift\)`
	Age      int           `bson:"age"`        // want `age is a string in 3 of 120 documents, which bson cannot decode into int \(struct-drift\)`
	Score    int           `bson:"score"`      // want `score is a number with a fraction in 60 of 120 documents, which bson cannot decode into int`
	Seen     int32         `bson:"seen"`       // want `seen is a number out of range in at least 1 of 120 documents, which bson cannot decode into int32`
	Since    time.Time     `bson:"since"`
	Sponsor  string        `bson:"sponsor,omitempty"`
	Adress   string        `bson:"adress"`   // want `adress occurs in none of 120 documents, but address in 120, which Customer has no field for`
	Nickname string        `bson:"nickname"` // want `nickname occurs in none of 120 documents`
	Hint     string        `bson:"hint,omitempty"`
	Balance  float64       `bson:"balance"` // want `balance is a decimal in 120 of 120 documents, which bson cannot decode into float64`
	Owner    string        `bson:"owner"`   // want `owner is an ObjectId in 120 of 120 documents, which bson cannot decode into string`
	Flag     bool          `bson:"flag"`
	//shapevet:bounded max=5
	Labels []string `bson:"labels"` // want `labels is declared to hold at most 5 elements, but 20 of 120 lists hold more, up to 6`
	Homes  []Home   `bson:"homes"`  // want `Home has no field for area \(in 120\), door \(in 120\) and floor \(in 120\) of 120 objects: ReplaceOne drops them`
	Phones Phones   `bson:"phones"` // reads itself
	Rest   Extra    `bson:",inline"`
}

type Home struct {
	Zip  string  `bson:"zip"` // want `homes\[\]\.zip is an int in 120 of 120 documents, which bson cannot decode into string`
	City *string `bson:"city"`
}

type Extra struct {
	Source string `bson:"source"`
}

type Phones struct{ Numbers []string }

func (p *Phones) UnmarshalBSONValue(t byte, data []byte) error { return nil }

func Rename(ctx context.Context, db *mongo.Database, id bson.ObjectID, name string) error {
	customers := db.Collection("customers")
	var c Customer
	if err := customers.FindOne(ctx, bson.M{"_id": id}).Decode(&c); err != nil {
		return err
	}
	c.Name = name
	_, err := customers.ReplaceOne(ctx, bson.M{"_id": id}, c)
	return err
}

// Account takes whatever it has no field for.
type Account struct {
	ID    bson.ObjectID  `bson:"_id"`
	Name  string         `bson:"name"`
	Other map[string]any `bson:",inline"`
}

func Store(ctx context.Context, db *mongo.Database, a Account) error {
	_, err := db.Collection("accounts").ReplaceOne(ctx, bson.M{"_id": a.ID}, a)
	return err
}

// Order is changed field by field: nothing is lost.
type Order struct {
	ID    bson.ObjectID `bson:"_id"`
	Total float64       `bson:"total"`
	Kind  string        `bson:"kind"`
}

func Create(ctx context.Context, db *mongo.Database, o Order) error {
	_, err := db.Collection("orders").InsertOne(ctx, o)
	return err
}

// Profile is tagged for nothing: names are in lower case, and found in any.
type Profile struct {
	ID        bson.ObjectID `bson:"_id"`
	FirstName string        // want `FirstName is read from firstName, but ReplaceOne writes it back as firstname: queries for firstName no longer find it`
	Email     string
}

func Save(ctx context.Context, db *mongo.Database, p Profile) error {
	_, err := db.Collection("profiles").ReplaceOne(ctx, bson.M{"_id": p.ID}, p)
	return err
}
