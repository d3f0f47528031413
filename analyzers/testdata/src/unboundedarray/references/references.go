package references

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Key [16]byte

// Publisher owns its books: they are made where they are added.
type Publisher struct {
	ID bson.ObjectID `bson:"_id"`
	// Books are what it has printed.
	Books []string `bson:"books"` // want `books grows without bound`
}

type Book struct {
	ID    string `bson:"_id"`
	Title string `bson:"title"`
}

// Reader has favourites that others have too.
type Reader struct {
	ID            string   `bson:"_id"`
	FavoriteBooks []string `bson:"favoriteBooks"` // want `favoriteBooks grows without bound`
}

// Course has students who are in other courses too, for all that shows here.
type Course struct {
	ID         string   `bson:"_id"`
	StudentIDs []string `bson:"studentIds"` // want `studentIds grows without bound`
}

type Student struct {
	ID   string `bson:"_id"`
	Name string `bson:"name"`
}

// Device has ids that are stored even if they are empty.
type Device struct {
	ID     Key      `bson:"_id"`
	Events []string `bson:"events"` // want `events grows without bound`
}

type Event struct {
	ID string    `bson:"_id"`
	At time.Time `bson:"at"`
}

// Forum keeps whole threads, which are documents too.
type Forum struct {
	ID      string   `bson:"_id"`
	Threads []Thread `bson:"threads"` // want `threads grows without bound`
}

type Thread struct {
	ID    string    `bson:"_id"`
	Title string    `bson:"title"`
	At    time.Time `bson:"at"`
}

func save(ctx context.Context, c *mongo.Collection, p Publisher, b Book, r Reader, d Device, e Event, f Forum, t Thread, s Student, course Course) {
	c.InsertOne(ctx, p)
	c.InsertOne(ctx, b)
	c.InsertOne(ctx, r)
	c.InsertOne(ctx, d)
	c.InsertOne(ctx, e)
	c.InsertOne(ctx, f)
	c.InsertOne(ctx, t)
	c.InsertOne(ctx, s)
	c.InsertOne(ctx, course)
}

func grow(ctx context.Context, c *mongo.Collection, id any, other string) {
	c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$addToSet": bson.M{"favoriteBooks": other}})
	c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$addToSet": bson.M{"studentIds": other}})
	c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$addToSet": bson.M{"events": other}})
	c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"threads": Thread{ID: other}}})
}

func publish(ctx context.Context, c *mongo.Collection, publisher bson.ObjectID, id, title string) {
	book := Book{ID: id, Title: title}
	c.InsertOne(ctx, book)
	c.UpdateOne(ctx, bson.M{"_id": publisher}, bson.M{"$addToSet": bson.M{"books": book.ID}})
}
