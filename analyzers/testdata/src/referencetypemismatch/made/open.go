package made

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

// Event has an id of any type, which code sets to bytes.
type Event struct {
	ID   any    `bson:"_id,omitempty"`
	Name string `bson:"name"`
}

// Gift has an id of any type, which comes from elsewhere.
type Gift struct {
	ID   any    `bson:"_id,omitempty"`
	Name string `bson:"name"`
}

type Ticket struct {
	ID      string `bson:"_id"`
	EventID string `bson:"eventId"` // want `eventId is stored as string, but the _id of Event that it refers to as bytes: they never match`
	GiftID  string `bson:"giftId"`
}

// Part is what a list of bookings shows. The driver reads the reference as text.
type Part struct {
	ID      string `bson:"_id"`
	ExtraID string `bson:"extraId"`
}

type Outing struct {
	ID      string        `bson:"_id"`
	ExtraID bson.ObjectID `bson:"extraId"`
	Name    string        `bson:"name"`
}

type Extras struct {
	ID   bson.ObjectID `bson:"_id"`
	Name string        `bson:"name"`
}

func sell(ctx context.Context, db *mongo.Database, data []byte, gift any, event string) ([]Part, error) {
	db.Collection("events").InsertOne(ctx, Event{ID: data, Name: "fair"})
	db.Collection("gifts").InsertOne(ctx, Gift{ID: gift, Name: "cake"})
	db.Collection("tickets").InsertOne(ctx, Ticket{ID: "t", EventID: event})
	db.Collection("extras").InsertOne(ctx, Extras{ID: bson.NewObjectID()})
	db.Collection("outings").InsertOne(ctx, Outing{ID: "o"})
	var parts []Part
	cursor, err := db.Collection("outings").Find(ctx, bson.M{})
	if err != nil {
		return nil, err
	}
	return parts, cursor.All(ctx, &parts)
}
