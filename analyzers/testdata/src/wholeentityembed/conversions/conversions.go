// Package conversions reads what it stores back into another type: a list that
// was stored with a document before was not taken from other documents.
package conversions

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

// Permission has documents of its own.
type Permission struct {
	ID          string `bson:"_id"`
	Name        string `bson:"name"`
	Description string `bson:"description"`
	Scope       string `bson:"scope"`
	Service     string `bson:"service"`
	Assigner    string `bson:"assigner"`
}

type Account struct {
	ID          string
	Name        string
	Permissions []Permission
}

type accountDocument struct {
	ID          string       `bson:"_id"`
	Name        string       `bson:"name"`
	Permissions []Permission `bson:"permissions"`
}

func toAccount(d accountDocument) Account {
	return Account{ID: d.ID, Name: d.Name, Permissions: d.Permissions}
}

func fromAccount(a Account) accountDocument {
	return accountDocument{ID: a.ID, Name: a.Name, Permissions: a.Permissions}
}

type store struct{ accounts, permissions *mongo.Collection }

func (s store) find(ctx context.Context, id string) (Account, error) {
	var d accountDocument
	err := s.accounts.FindOne(ctx, bson.M{"_id": id}).Decode(&d)
	return toAccount(d), err
}

func (s store) rename(ctx context.Context, id, name string) error {
	a, err := s.find(ctx, id)
	if err != nil {
		return err
	}
	a.Name = name
	_, err = s.accounts.ReplaceOne(ctx, bson.M{"_id": id}, fromAccount(a))
	return err
}

func (s store) permit(ctx context.Context, p Permission) error {
	if _, err := s.permissions.InsertOne(ctx, p); err != nil {
		return err
	}
	_, err := s.permissions.ReplaceOne(ctx, bson.M{"_id": p.ID}, p)
	return err
}
