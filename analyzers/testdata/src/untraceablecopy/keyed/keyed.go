// Package keyed has documents with an id of their own besides _id.
package keyed

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/mongo"
)

type BankAccount struct {
	BankID string `bson:"bank_id"`
	Bank   string `bson:"bank"`
	Holder string `bson:"holder"`
	Number string `bson:"number"`
}

type AccountLine struct {
	Bank   string `bson:"bank"`
	Holder string `bson:"holder"`
	Number string `bson:"number"`
}

// Payable says which account it is by the id beside the copy.
type Payable struct {
	PayableID   string      `bson:"payable_id"`
	BankID      string      `bson:"bank_id"`
	BankAccount AccountLine `bson:"bank_account"`
}

// Receivable does not.
type Receivable struct {
	ReceivableID string      `bson:"receivable_id"`
	CustomerID   string      `bson:"customer_id"`
	BankAccount  AccountLine `bson:"bank_account"` // want `bank_account repeats bank, holder, number of BankAccount, but not its bank_id`
}

func store(ctx context.Context, db *mongo.Database, b BankAccount, p Payable, r Receivable) {
	db.Collection("accounts").InsertOne(ctx, b)
	db.Collection("payables").InsertOne(ctx, p)
	db.Collection("receivables").InsertOne(ctx, r)
}

func owed(ctx context.Context, db *mongo.Database, b BankAccount) {
	line := AccountLine{Bank: b.Bank, Holder: b.Holder, Number: b.Number}
	db.Collection("receivables").InsertOne(ctx, Receivable{BankAccount: line})
}
