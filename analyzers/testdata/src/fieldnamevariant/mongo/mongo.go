package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Order struct {
	ID         bson.ObjectID `bson:"_id"`
	CustomerID string        `bson:"customer_id"`
	Customer   string        `bson:"customerId"` // want `customerId is stored next to customer_id: readers that ignore case or separators treat them as one field \(field-name-variant\)`
	Total      float64       `bson:"total"`
	UpdatedAt  time.Time     `bson:"updated_at"`
	// PostCode is read from documents of old.
	PostCode   string `bson:"post_code"`
	Code       string `bson:"postCode"`
	Type       string `bson:"type"`
	Kind       string `bson:"_type"`
	X          int    `bson:"xy"`
	Y          int    `bson:"XY"`
	Holder     string `bson:"card_holder"`
	CardHolder string `bson:"cardHolder"` // want `cardHolder is stored next to card_holder`
}

// Return shares the collection of the orders.
type Return struct {
	ID        bson.ObjectID `bson:"_id"`
	UpdatedAt time.Time     `bson:"updatedAt"` // want `Return.UpdatedAt is stored as updatedAt, and as updated_at by Order in the same collection`
	Total     string        `bson:"TOTAL"`
	Reason    string        `bson:"reason"`
}

// Parcel is stored elsewhere.
type Parcel struct {
	ID        bson.ObjectID `bson:"_id"`
	UpdatedAt time.Time     `bson:"updatedAt"`
	ShelfNo   int           `bson:"shelf_no"`
}

// Letter has tags that the codec cannot read.
type Letter struct {
	ID       bson.ObjectID `bson:"_id"`
	SentAt   time.Time     `bson: "sent_at"`
	OpenedAt time.Time     `bson: "opened"`
}

func save(ctx context.Context, db *mongo.Database, o Order, r Return, p Parcel, l Letter) {
	db.Collection("letters").InsertOne(ctx, l)
	db.Collection("orders").InsertOne(ctx, o)
	db.Collection("orders").InsertOne(ctx, r)
	db.Collection("parcels").InsertOne(ctx, p)
}

func touch(ctx context.Context, db *mongo.Database, id bson.ObjectID, now time.Time) {
	db.Collection("orders").UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$set": bson.M{"updated_at": now}})
	db.Collection("parcels").UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$set": bson.M{"updated_at": now}}) // want `\$set changes updated_at, which Parcel stores as updatedAt: documents get another field`
	db.Collection("parcels").UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$set": bson.M{"seen_at": now}})
	db.Collection("letters").UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$set": bson.M{"sent_at": now}})
	db.Collection("letters").UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$set": bson.M{"opened_at": now}}) // want `\$set changes opened_at, which Letter stores as openedat: documents get another field`
}

// shelve spells two fields in another way, in one update.
func shelve(ctx context.Context, db *mongo.Database, id bson.ObjectID, now time.Time) {
	db.Collection("parcels").UpdateOne(ctx, bson.M{"_id": id}, bson.M{
		"$setOnInsert": bson.M{"shelfNo": 1}, // want `\$setOnInsert changes shelfNo, which Parcel stores as shelf_no, and 1 more such field: documents get other fields`
		"$set":         bson.M{"updated_at": now},
	})
}

// migrateParcels writes the old spelling on purpose.
func migrateParcels(ctx context.Context, db *mongo.Database, now time.Time) {
	db.Collection("parcels").UpdateMany(ctx, bson.M{}, bson.M{"$set": bson.M{"updated_at": now}})
}

func forget(ctx context.Context, db *mongo.Database) {
	db.Collection("parcels").UpdateMany(ctx, bson.M{}, bson.M{"$unset": bson.M{"updated_at": ""}})
}
