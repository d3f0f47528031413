package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Author struct {
	ID   bson.ObjectID `bson:"_id"`
	Name string        `bson:"name"`
}

type Book struct {
	ID    bson.ObjectID `bson:"_id"`
	Title string        `bson:"title"`
}

type AuthorBook struct { // want `AuthorBook only connects AuthorID and BookID`
	ID        bson.ObjectID `bson:"_id"`
	AuthorID  bson.ObjectID `bson:"authorId"`
	BookID    bson.ObjectID `bson:"bookId"`
	CreatedAt time.Time     `bson:"createdAt"`
}

// base is what all documents begin with.
type base[T any] struct {
	ID bson.ObjectID `bson:"_id"`
}

type Follow struct { // want `Follow only connects`
	base[Follow] `bson:",inline"`
	FollowerID   string `bson:"followerId"`
	FollowedID   string `bson:"followedId"`
}

// Shelved selects two fields of documents that are stored elsewhere.
type Shelved struct {
	AuthorID bson.ObjectID `bson:"authorId"`
	BookID   bson.ObjectID `bson:"bookId"`
}

func shelved(ctx context.Context, c *mongo.Collection) (s Shelved, err error) {
	err = c.FindOne(ctx, bson.M{}).Decode(&s)
	return s, err
}

// Loan says when a book was taken and given back.
type Loan struct {
	ID       bson.ObjectID `bson:"_id"`
	AuthorID bson.ObjectID `bson:"authorId"`
	BookID   bson.ObjectID `bson:"bookId"`
	TakenAt  time.Time     `bson:"takenAt"`
	GivenAt  *time.Time    `bson:"givenAt"`
}

// Review is an entity of its own.
type Review struct {
	ID       bson.ObjectID `bson:"_id"`
	AuthorID bson.ObjectID `bson:"authorId"`
	BookID   bson.ObjectID `bson:"bookId"`
	Text     string        `bson:"text"`
}

// Setting says whose data it is with one of its two ids.
type Setting struct {
	ID       bson.ObjectID `bson:"_id"`
	TenantID string        `bson:"tenantId"`
	UserID   string        `bson:"userId"`
}

// Order has a key of its own beside its _id, by which its lines refer to it.
type Order struct {
	ID      bson.ObjectID `bson:"_id"`
	OrderID string        `bson:"orderId"`
	TableID string        `bson:"tableId"`
	Placed  time.Time     `bson:"placed"`
}

type Line struct {
	ID       bson.ObjectID `bson:"_id"`
	OrderID  string        `bson:"orderId"`
	Quantity int           `bson:"quantity"`
}

// Friend is called after one of its two references, which nothing else holds.
type Friend struct { // want `Friend only connects FriendID and BookID`
	ID       bson.ObjectID `bson:"_id"`
	FriendID string        `bson:"friendId"`
	BookID   bson.ObjectID `bson:"bookId"`
}

// Tracker has the number of a device, which is no document, and one reference.
type Tracker struct {
	ID       bson.ObjectID `bson:"_id"`
	DeviceID string        `bson:"deviceId"`
	BookID   bson.ObjectID `bson:"bookId"`
}

// PrintedBook says that a book of an author was printed, so that it is printed once.
type PrintedBook struct {
	ID       bson.ObjectID `bson:"_id"`
	AuthorID bson.ObjectID `bson:"authorId"`
	BookID   bson.ObjectID `bson:"bookId"`
}

// pair is part of a query.
type pair struct {
	AuthorID bson.ObjectID `bson:"authorId"`
	BookID   bson.ObjectID `bson:"bookId"`
}

func save(ctx context.Context, db *mongo.Database, documents ...any) {
	for _, d := range documents {
		db.Collection("all").InsertOne(ctx, d)
	}
}

func all(ctx context.Context, db *mongo.Database, a Author, b Book, ab AuthorBook, f *Follow, r Review, s Setting, o Order, l Line, n Friend, t Tracker, pb PrintedBook) {
	save(ctx, db, a, b, ab, f, r, s, o, l, n, t, pb)
}
