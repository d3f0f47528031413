package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Person struct {
	ID       string    `bson:"_id"`
	Holdings []Holding `bson:"holdings"`
	Cart     []Line    `bson:"cart"` // want `cart copies Product into Person`
	Home     Address   `bson:"home"`
}

type Holding struct {
	NumberHeld int   `bson:"numberHeld"`
	Stock      Stock `bson:"stock"` // want `holdings\[\]\.stock copies Stock into Person`
}

type Stock struct {
	Symbol string  `bson:"symbol"`
	Open   float64 `bson:"open"`
	High   float64 `bson:"high"`
	Low    float64 `bson:"low"`
	Volume int     `bson:"volume"`
}

type Product struct {
	ID    bson.ObjectID `bson:"_id"`
	Name  string        `bson:"name"`
	Price float64       `bson:"price"`
	Stock int           `bson:"stock"`
}

type Line struct {
	ProductID bson.ObjectID `bson:"productId"`
	Name      string        `bson:"name"`
	Price     float64       `bson:"price"`
	Quantity  int           `bson:"quantity"`
}

// Order records what was bought at which price.
type Order struct {
	ID    bson.ObjectID `bson:"_id"`
	At    time.Time     `bson:"at"`
	Lines []Line2       `bson:"lines"`
}

type Line2 struct {
	Product Product `bson:"product"`
}

type Address struct {
	Street string `bson:"street"`
	City   string `bson:"city"`
}

// PersonUpdate is an envelope around the person it is about.
type PersonUpdate struct {
	ID      string  `bson:"_id"`
	Current *Person `bson:"current"`
}

func save(ctx context.Context, db *mongo.Database, p Person, s Stock, o Order, u PersonUpdate, product *Product) {
	db.Collection("persons").InsertOne(ctx, p)
	db.Collection("stocks").InsertOne(ctx, s)
	db.Collection("orders").InsertOne(ctx, o)
	db.Collection("updates").InsertOne(ctx, u)
	db.Collection("products").InsertOne(ctx, product)
}

// Sheet copies what nothing changes: a rating alone does not say that it does.
type Sheet struct {
	ID        string    `bson:"_id"`
	UpdatedAt time.Time `bson:"updatedAt"`
	Books     []Book    `bson:"books"`
	Films     []Film    `bson:"films"` // want `films copies Film into Sheet`
}

type Book struct {
	ID        bson.ObjectID `bson:"_id"`
	Name      string        `bson:"name"`
	Rating    float64       `bson:"rating"`
	UpdatedAt time.Time     `bson:"updatedAt"`
}

type Film struct {
	ID        bson.ObjectID `bson:"_id"`
	Name      string        `bson:"name"`
	Rating    float64       `bson:"rating"`
	UpdatedAt time.Time     `bson:"updatedAt"`
}

func books(ctx context.Context, db *mongo.Database, s Sheet, b Book, f Film) {
	db.Collection("sheets").InsertOne(ctx, s)
	db.Collection("books").InsertOne(ctx, b)
	db.Collection("films").InsertOne(ctx, f)
	db.Collection("films").UpdateOne(ctx, bson.M{"_id": f.ID}, bson.M{"$set": bson.M{"rating": f.Rating}})
}

func tick(ctx context.Context, db *mongo.Database, s *Stock, price float64) {
	s.High = price
	db.Collection("stocks").ReplaceOne(ctx, bson.M{"symbol": s.Symbol}, s)
}
