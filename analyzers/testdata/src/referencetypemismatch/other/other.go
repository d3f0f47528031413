// Package other refers to a document by a value that is not its id, and reads a
// selection of what it stores.
package other

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type User struct {
	ID    uint64 `bson:"_id"`
	Email string `bson:"email"`
}

type File struct {
	ID     string `bson:"_id"`
	UserID string `bson:"userId"`
	Size   int    `bson:"size"`
}

type Guest struct {
	ID    uint64 `bson:"_id"`
	Email string `bson:"email"`
}

type Visit struct {
	ID      string `bson:"_id"`
	GuestID string `bson:"guestId"` // want `guestId is stored as string, but the _id of Guest`
	Page    string `bson:"page"`
	Port    int    `bson:"port"`
}

// Note is joined with its author by another value than the id.
type Note struct {
	ID     string `bson:"_id"`
	UserID string `bson:"authorUserId"`
}

func notes(ctx context.Context, c *mongo.Collection, n Note) {
	c.InsertOne(ctx, n)
	c.Aggregate(ctx, []bson.M{{"$lookup": bson.M{"from": "users", "localField": "authorUserId", "foreignField": "email", "as": "author"}}})
}

// row is what is needed of a visit.
type row struct {
	GuestID string `bson:"guestId"`
	Page    string `bson:"page"`
}

func upload(ctx context.Context, c *mongo.Collection, u *User) { put(ctx, c, "a", u.Email) }

func put(ctx context.Context, c *mongo.Collection, id, user string) {
	c.InsertOne(ctx, File{ID: id, UserID: user})
}

func visit(ctx context.Context, c *mongo.Collection, u User, g Guest, v Visit) {
	c.InsertOne(ctx, u)
	c.InsertOne(ctx, g)
	c.InsertOne(ctx, v)
}

func rows(ctx context.Context, c *mongo.Collection) (found []row) {
	r, _ := c.Find(ctx, bson.M{})
	r.All(ctx, &found)
	return found
}

// Doctor is looked up by the account of a doctor wherever a doctorID is meant.
type Doctor struct {
	ID      bson.ObjectID `bson:"_id"`
	Account string        `bson:"account"`
	Ward    string        `bson:"ward"`
}

type Nurse struct {
	ID      bson.ObjectID `bson:"_id"`
	Account string        `bson:"account"`
}

type Review struct {
	ID       string `bson:"_id"`
	DoctorID string `bson:"doctorId"`
	NurseID  string `bson:"nurseId"` // want `nurseId is stored as string, but the _id of Nurse that it refers to as ObjectID`
}

func review(ctx context.Context, db *mongo.Database, doctorID string, r Review, n Nurse) {
	var d Doctor
	db.Collection("doctors").FindOne(ctx, bson.M{"account": doctorID}).Decode(&d)
	db.Collection("doctors").InsertOne(ctx, d)
	db.Collection("nurses").InsertOne(ctx, n)
	db.Collection("reviews").InsertOne(ctx, r)
}

// Trade and Offer write themselves, so that the types of their fields do not
// tell what is stored.
type Trade struct {
	ID bson.ObjectID `bson:"_id"`
}

func (t Trade) MarshalBSON() ([]byte, error) { return bson.Marshal(bson.M{"_id": t.ID.Hex()}) }

type Offer struct {
	ID      string `bson:"_id"`
	TradeID string `bson:"tradeId"`
}

type Plea struct {
	ID      bson.ObjectID `bson:"_id"`
	NurseID string        `bson:"nurseId"`
}

func (p Plea) MarshalBSON() ([]byte, error) { return bson.Marshal(bson.M{"_id": p.ID}) }

// Lot hands itself to an encoder, which writes its fields as they are.
type Lot struct {
	ID bson.ObjectID `bson:"_id"`
}

func (l *Lot) MarshalBSON() ([]byte, error) { return bson.Marshal(l) }

type Bid struct {
	ID    string `bson:"_id"`
	LotID string `bson:"lotId"` // want `lotId is stored as string, but the _id of Lot that it refers to as ObjectID`
}

func trade(ctx context.Context, c *mongo.Collection) {
	c.InsertOne(ctx, Trade{})
	c.InsertOne(ctx, Offer{})
	c.InsertOne(ctx, Plea{})
	c.InsertOne(ctx, &Lot{})
	c.InsertOne(ctx, Bid{})
}
