// Package shop stores documents well; tests break it.
package shop

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Stock struct {
	ID     bson.ObjectID `bson:"_id,omitempty"`
	Symbol string        `bson:"symbol"`
	Open   float64       `bson:"open"`
	Low    float64       `bson:"low"`
	High   float64       `bson:"high"`
}

type Holding struct {
	Held    int           `bson:"held"`
	StockID bson.ObjectID `bson:"stockId"`
}

type Person struct {
	ID       bson.ObjectID `bson:"_id,omitempty"`
	Name     string        `bson:"name"`
	Holdings []Holding     `bson:"holdings"`
	//shapevet:bounded max=50
	Books     []string  `bson:"books,omitempty"`
	BookCount int       `bson:"bookCount"`
	Recent    []Message `bson:"recentMessages"`
	Messages  []Message `bson:"messages,omitempty"`
	Remarks   []Message `bson:"remarks,omitempty"`
}

type Message struct {
	ID   bson.ObjectID `bson:"id"`
	Text string        `bson:"text"`
}

func SaveStock(ctx context.Context, db *mongo.Database, symbol string) error {
	_, err := db.Collection("stocks").InsertOne(ctx, Stock{Symbol: symbol})
	return err
}

func SavePerson(ctx context.Context, db *mongo.Database, name string) error {
	_, err := db.Collection("persons").InsertOne(ctx, Person{Name: name})
	return err
}

func Push(ctx context.Context, db *mongo.Database, id bson.ObjectID, m Message) error {
	_, err := db.Collection("persons").UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"messages": bson.M{"$each": bson.A{m}, "$slice": -20}}})
	return err
}

func Read(ctx context.Context, db *mongo.Database, id bson.ObjectID, m Message) error {
	var p Person
	if err := db.Collection("persons").FindOne(ctx, bson.M{"_id": id}).Decode(&p); err != nil {
		return err
	}
	p.Remarks = append(p.Remarks, m)
	if len(p.Remarks) > 20 {
		p.Remarks = p.Remarks[1:]
	}
	_, err := db.Collection("persons").ReplaceOne(ctx, bson.M{"_id": id}, p)
	return err
}

func AddBook(ctx context.Context, db *mongo.Database, id bson.ObjectID, added string) error {
	_, err := db.Collection("persons").UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"books": added}, "$inc": bson.M{"bookCount": 1}})
	return err
}
