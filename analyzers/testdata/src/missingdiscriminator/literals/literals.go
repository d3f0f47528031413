package literals

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Book struct { // want `Book shares the collection library with Review`
	ID    string `bson:"_id" json:"id"`
	Title string `bson:"title" json:"title"`
	Pages int    `bson:"pages" json:"pages"`
}

type Review struct { // want `Review shares the collection library with Book`
	ID      string `bson:"_id"`
	Content string `bson:"content"`
	Stars   int    `bson:"stars"`
}

// Invoice says what it is, Refund does not.
type Invoice struct {
	ID    string `bson:"_id"`
	Kind  string `bson:"kind"`
	Total int    `bson:"total"`
	Buyer string `bson:"buyer"`
}

type Refund struct { // want `Refund shares the collection ledger with Invoice`
	ID     string `bson:"_id"`
	Reason string `bson:"reason"`
}

// Voucher has a kind, but whoever makes one says which.
type Voucher struct { // want `Voucher shares the collection drawer with Stamp`
	ID   string `bson:"_id"`
	Kind string `bson:"kind"`
	Sum  int    `bson:"sum"`
}

type Stamp struct { // want `Stamp shares the collection drawer with Voucher`
	ID    string `bson:"_id"`
	Motif string `bson:"motif"`
}

// Car lists its fields without names, so that it cannot gain one.
type Car struct { // want `Car shares the collection things with Boat`
	ID    string `bson:"_id"`
	Doors int    `bson:"doors"`
}

// Boat is never made here.
type Boat struct { // want `Boat shares the collection things with Car`
	ID    string `bson:"_id"`
	Masts int    `bson:"masts"`
}

func add(ctx context.Context, db *mongo.Database, id, reason string, boat Boat) {
	library := db.Collection("library")
	library.InsertOne(ctx, Book{ID: id, Title: "Queries at Sea", Pages: 154})
	library.InsertOne(ctx, &Review{
		ID:      id,
		Content: "Made me seasick.",
		Stars:   2,
	})
	library.InsertMany(ctx, []Book{{ID: id, Title: "The Patient Index"}})
	ledger := db.Collection("ledger")
	ledger.InsertOne(ctx, Invoice{ID: id, Kind: "invoice", Total: 3, Buyer: "b"})
	ledger.InsertOne(ctx, Refund{ID: id, Reason: reason})
	drawer := db.Collection("drawer")
	drawer.InsertOne(ctx, Voucher{ID: id, Kind: reason, Sum: 3})
	drawer.InsertOne(ctx, Stamp{ID: id, Motif: reason})
	things := db.Collection("things")
	things.InsertOne(ctx, Car{id, 5})
	things.InsertOne(ctx, boat)
}

func find(ctx context.Context, db *mongo.Database, id string) (Book, error) {
	b := Book{}
	for _, name := range []*mongo.Collection{db.Collection("library"), db.Collection("ledger"), db.Collection("drawer"), db.Collection("things")} {
		name.Find(ctx, bson.M{})
	}
	err := db.Collection("library").FindOne(ctx, bson.M{"_id": id}).Decode(&b)
	return b, err
}
