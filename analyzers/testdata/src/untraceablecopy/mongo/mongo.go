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

func store(ctx context.Context, c *mongo.Collection, a Author, b Book, article Article, t Talk, i Invoice) {
	c.InsertOne(ctx, a)
	c.InsertOne(ctx, b)
	c.InsertOne(ctx, article)
	c.InsertOne(ctx, t)
	c.InsertOne(ctx, i)
}
