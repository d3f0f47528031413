package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Customer struct {
	ID        bson.ObjectID `bson:"_id"`
	Phone     int64         `bson:"phone"`     // want `phone is an identifier stored as a number: leading zeros, plus signs and letters are lost \(numeric-identifier\)`
	Extension int           `bson:"extension"` // want `extension is a phone extension`
	Address   Address       `bson:"address"`
	Phones    int           `bson:"phones"` // how many
	CardsNum  int           `bson:"cards_num"`
	PhoneCode int           `bson:"phone_code"`
	Faxes     []int64       `bson:"fax_numbers"` // want `fax_numbers is an identifier stored as a number`
	Card      Card          `bson:"card"`
	Serial    int64         `bson:"serial"`
	Mobile    bool          `bson:"mobile"`
	Passport  string        `bson:"passport"`
	Year      int           `bson:"year"`

	AccountNumber int64  `bson:"accountNumber"`      // want `accountNumber is an identifier stored as a number`
	ChainNumber   uint64 `bson:"chainAccountNumber"` // counted up by a machine
}

type Address struct {
	Street      string `bson:"street"`
	HouseNumber int    `bson:"houseNumber"`
	Zip         int    `bson:"zip"` // want `address\.zip is an identifier stored as a number`
	City        string `bson:"city"`
}

// Card is one of a few kinds.
type Card int

const (
	Debit Card = iota + 1
	Credit
)

type Book struct {
	ISBN  *int64 `bson:"isbn"` // want `isbn is an identifier stored as a number`
	Pages int    `bson:"pages"`
}

func save(ctx context.Context, db *mongo.Database, c Customer, b Book) {
	db.Collection("customers").InsertOne(ctx, c)
	db.Collection("books").InsertOne(ctx, b)
}
