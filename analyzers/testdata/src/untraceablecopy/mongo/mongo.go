package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Author struct {
	ID      bson.ObjectID `bson:"_id"`
	Name    string        `bson:"name"`
	Website string        `bson:"website"`
	Address Address       `bson:"address"`
	Bio     string        `bson:"bio"`
}

type Address struct {
	Street string `bson:"street"`
	City   string `bson:"city"`
}

type Book struct {
	ID        bson.ObjectID `bson:"_id"`
	Title     string        `bson:"title"`
	Author    Byline        `bson:"author"`    // want `author repeats name, website of Author, but not its _id: nothing says which Author it is a copy of`
	CoAuthors []Byline      `bson:"coAuthors"` // want `coAuthors repeats name, website of Author`
}

type Byline struct {
	Name    string `bson:"name"`
	Website string `bson:"website"`
	Note    string `bson:"note"`
}

// Article says beside the copy whose it is.
type Article struct {
	ID       bson.ObjectID `bson:"_id"`
	AuthorID bson.ObjectID `bson:"authorId"`
	Author   Byline        `bson:"author"`
}

// Talk has the id in the copy.
type Talk struct {
	ID     bson.ObjectID `bson:"_id"`
	Author struct {
		Name    string `bson:"name"`
		Website string `bson:"website"`
	} `bson:"speaker"`
	Authors []Credit `bson:"authors"`
}

type Credit struct {
	AuthorID bson.ObjectID `bson:"authorId"`
	Name     string        `bson:"name"`
	Website  string        `bson:"website"`
}

// Invoice records what was true.
type Invoice struct {
	ID     bson.ObjectID `bson:"_id"`
	Author Payee         `bson:"author"`
}

type Payee struct {
	Name    string `bson:"name"`
	Website string `bson:"website"`
}

// Sighting is not made from a Place, although both describe one: this is a guess.
type Sighting struct {
	ID    bson.ObjectID `bson:"_id"`
	Place Spot          `bson:"place"`
}

type Spot struct {
	Label    string  `bson:"label"`
	Accuracy float64 `bson:"accuracy"`
}

// Place is where a user is.
type Place struct {
	ID       bson.ObjectID `bson:"_id"`
	UserID   bson.ObjectID `bson:"userId"`
	Label    string        `bson:"label"`
	Accuracy float64       `bson:"accuracy"`
}

// Depot has parts of the address of a warehouse, which say nothing about a copy.
type Depot struct {
	ID        bson.ObjectID `bson:"_id"`
	Warehouse Spread        `bson:"warehouse"`
}

type Spread struct {
	City    string `bson:"city"`
	Country string `bson:"country"`
}

type Warehouse struct {
	ID      bson.ObjectID `bson:"_id"`
	City    string        `bson:"city"`
	Country string        `bson:"country"`
	Manager string        `bson:"manager"`
}

func report(ctx context.Context, c *mongo.Collection, label string, at Place, w Warehouse) {
	c.InsertOne(ctx, at)
	c.InsertOne(ctx, Sighting{Place: Spot{Label: label, Accuracy: 3}})
	c.InsertOne(ctx, w)
	c.InsertOne(ctx, Depot{Warehouse: Spread{City: w.City, Country: w.Country}})
}

func byline(name string, a Author) Byline { return Byline{Name: name, Website: a.Website} }

func publish(ctx context.Context, c *mongo.Collection, a Author) {
	c.InsertOne(ctx, Book{Author: byline(a.Name, a), CoAuthors: []Byline{byline(a.Name, a)}})
}

func store(ctx context.Context, c *mongo.Collection, a Author, b Book, article Article, t Talk, i Invoice) {
	c.InsertOne(ctx, a)
	c.InsertOne(ctx, b)
	c.InsertOne(ctx, article)
	c.InsertOne(ctx, t)
	c.InsertOne(ctx, i)
}
