package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Book struct { // want `Book shares the collection library with Review, and no field says which is which`
	ID    string `bson:"_id"`
	Title string `bson:"title"`
	Pages int    `bson:"pages"`
}

type Review struct { // want `Review shares the collection library with Book`
	ID      string `bson:"_id"`
	Content string `bson:"content"`
	Stars   int    `bson:"stars"`
}

type Dog struct {
	ID   string `bson:"_id"`
	Type string `bson:"type"`
	Bark string `bson:"bark"`
}

type Cat struct {
	ID   string `bson:"_id"`
	Type string `bson:"type"`
	Meow string `bson:"meow"`
}

type Shape interface{ Area() float64 }

type Drawing struct {
	ID     string  `bson:"_id"`
	Shapes []Shape `bson:"shapes"` // want `shapes holds an interface`
	Extra  any     `bson:"extra"`
	Style  bson.M  `bson:"style"` // a map with methods is no interface
}

// Sketch is read by another program.
type Sketch struct {
	ID     string  `bson:"_id"`
	Shapes []Shape `bson:"shapes"`
}

// Album holds pages that are read into documents without a type.
type Album struct {
	ID   string `bson:"_id"`
	Page any    `bson:"page"`
}

type Page struct {
	Shapes []Shape `bson:"shapes"`
}

// Plan reads its shapes itself.
type Plan struct {
	ID     string  `bson:"_id"`
	Shapes []Shape `bson:"shapes"`
}

func (p *Plan) UnmarshalBSON(data []byte) error { return nil }

type repository struct{ library *mongo.Collection }

func open(db *mongo.Database) repository { return repository{library: db.Collection("library")} }

func (r repository) add(ctx context.Context, b Book, review Review) {
	r.library.InsertOne(ctx, b)
	r.library.ReplaceOne(ctx, bson.M{"_id": review.ID}, review)
}

func (r repository) list(ctx context.Context, title string) {
	r.library.Find(ctx, bson.M{})
}

func collection(db *mongo.Database, name string) *mongo.Collection { return db.Collection(name) }

func others(ctx context.Context, db *mongo.Database, d Dog, c Cat, drawing Drawing, p Plan, sketch Sketch, page Page) {
	collection(db, "sketches").InsertOne(ctx, sketch)
	collection(db, "albums").InsertOne(ctx, Album{Page: page})
	var album Album
	collection(db, "albums").FindOne(ctx, bson.M{}).Decode(&album)
	collection(db, "drawings").FindOne(ctx, bson.M{}).Decode(&drawing)
	collection(db, "pets").InsertOne(ctx, d)
	collection(db, "pets").InsertOne(ctx, c)
	collection(db, "drawings").InsertOne(ctx, drawing)
	collection(db, "plans").InsertOne(ctx, p)
	db.Collection("pets").Find(ctx, bson.M{})
}
