// Package referred has ties, of which others refer to one.
package referred

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Film struct {
	ID    bson.ObjectID `bson:"_id"`
	Title string        `bson:"title"`
}

type Hall struct {
	ID    bson.ObjectID `bson:"_id"`
	Seats int           `bson:"seats"`
}

// Screening is what tickets are sold for.
type Screening struct {
	ID        bson.ObjectID `bson:"_id"`
	FilmID    bson.ObjectID `bson:"filmId"`
	HallID    bson.ObjectID `bson:"hallId"`
	StartTime string        `bson:"startTime"`
}

// FilmHall is one that nothing refers to.
type FilmHall struct { // want `FilmHall only connects FilmID and HallID`
	ID        bson.ObjectID `bson:"_id"`
	FilmID    bson.ObjectID `bson:"filmId"`
	HallID    bson.ObjectID `bson:"hallId"`
	StartTime string        `bson:"startTime"`
}

type Ticket struct {
	ID          bson.ObjectID `bson:"_id"`
	ScreeningID bson.ObjectID `bson:"screeningId"`
	Price       float64       `bson:"price"`
	Buyer       string        `bson:"buyer"`
}

func store(ctx context.Context, db *mongo.Database, f Film, h Hall, s Screening, p FilmHall, t Ticket) {
	db.Collection("films").InsertOne(ctx, f)
	db.Collection("halls").InsertOne(ctx, h)
	db.Collection("screenings").InsertOne(ctx, s)
	db.Collection("filmHalls").InsertOne(ctx, p)
	db.Collection("tickets").InsertOne(ctx, t)
}
