package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Book struct {
	ID    string `bson:"_id"`
	Type  string `bson:"type"` // want `type is set to "book" and to "Book": a reader that knows one of them skips the others`
	Title string `bson:"title"`
	Pages int    `bson:"pages"`
}

func books(ctx context.Context, c *mongo.Collection) {
	c.InsertOne(ctx, Book{ID: "1", Type: "book", Title: "A"})
	c.InsertOne(ctx, Book{ID: "2", Type: "book", Title: "B"})
	c.InsertOne(ctx, Book{ID: "3", Type: "Book", Title: "C"})
}

type Dog struct {
	ID   string `bson:"_id"`
	Type string `bson:"type"` // want `Dog says what it is in type, Cat in kind: readers of pets must look at both`
	Bark string `bson:"bark"`
}

type Cat struct {
	ID   string `bson:"_id"`
	Kind string `bson:"kind"` // want `Cat says what it is in kind, Dog in type`
	Meow string `bson:"meow"`
}

func pets(ctx context.Context, db *mongo.Database) {
	db.Collection("pets").InsertOne(ctx, Dog{ID: "1", Type: "dog", Bark: "wuff"})
	db.Collection("pets").InsertOne(ctx, Cat{ID: "2", Kind: "cat", Meow: "purr"})
}

const invoice = "invoice"

type Invoice struct {
	ID     string `bson:"_id"`
	Type   string `bson:"type"` // want `Invoice and Receipt share the collection papers, and both say that they are "invoice"`
	Amount int    `bson:"amount"`
}

type Receipt struct {
	ID   string `bson:"_id"`
	Type string `bson:"type"` // want `Receipt and Invoice share the collection papers`
	Paid bool   `bson:"paid"`
}

func papers(ctx context.Context, db *mongo.Database) {
	db.Collection("papers").InsertOne(ctx, Invoice{ID: "1", Type: invoice, Amount: 1})
	r := Receipt{ID: "2", Paid: true}
	r.Type = invoice
	db.Collection("papers").InsertOne(ctx, r)
}

type Post struct {
	ID    string `bson:"_id"`
	Type  string `bson:"type"`
	Title string `bson:"title"`
}

type Comment struct {
	ID   string `bson:"_id"`
	Type string `bson:"type"` // want `type is never set: every Comment is stored in blog without a kind, next to a Post that says "post"`
	Text string `bson:"text"`
}

// Reaction comes from elsewhere with whatever it says.
type Reaction struct {
	ID    string `bson:"_id"`
	Type  string `bson:"type"`
	Emoji string `bson:"emoji"`
}

func blog(ctx context.Context, db *mongo.Database, r Reaction) {
	db.Collection("blog").InsertOne(ctx, Post{ID: "1", Type: "post", Title: "A"})
	db.Collection("blog").InsertOne(ctx, Comment{ID: "2", Text: "B"})
	db.Collection("blog").InsertOne(ctx, r)
}

// Ticket has a type that is no kind.
type Ticket struct {
	ID   string `bson:"_id"`
	Type string `bson:"type"`
}

func tickets(ctx context.Context, db *mongo.Database, t Ticket, kind string) {
	t.Type = kind
	db.Collection("tickets").InsertOne(ctx, t)
	db.Collection("tickets").InsertOne(ctx, Ticket{ID: "1", Type: "bug"})
	db.Collection("tickets").InsertOne(ctx, Ticket{ID: "2", Type: "feature"})
}
