// Package envelopes stores each thing in an envelope of its own type.
package envelopes

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Envelope[T any] struct {
	ID      string    `bson:"_id"`
	Changed time.Time `bson:"changed"`
	Data    T         `bson:"data"`
}

type Post struct {
	Title    string    `bson:"title"`
	Comments []Comment `bson:"comments"` // want `data.comments grows without bound`
}

type Comment struct {
	ID   string    `bson:"id"`
	Text string    `bson:"text"`
	At   time.Time `bson:"at"`
}

type Shop struct {
	Name  string `bson:"name"`
	Sales []Sale `bson:"sales"` // want `data.sales grows without bound`
}

type Sale struct {
	ID  string    `bson:"id"`
	Sum float64   `bson:"sum"`
	At  time.Time `bson:"at"`
}

type Store[T any] struct{ c *mongo.Collection }

func (s Store[T]) Load(ctx context.Context, id string) (e Envelope[T], err error) {
	err = s.c.FindOne(ctx, bson.M{"_id": id}).Decode(&e)
	return e, err
}

func (s Store[T]) Save(ctx context.Context, e Envelope[T]) error {
	_, err := s.c.ReplaceOne(ctx, bson.M{"_id": e.ID}, e)
	return err
}

func comment(ctx context.Context, posts Store[Post], id string, c Comment) error {
	e, err := posts.Load(ctx, id)
	if err != nil {
		return err
	}
	e.Data.Comments = append(e.Data.Comments, c)
	return posts.Save(ctx, e)
}

func sell(ctx context.Context, shops Store[Shop], id string, s Sale) error {
	e, err := shops.Load(ctx, id)
	if err != nil {
		return err
	}
	e.Data.Sales = append(e.Data.Sales, s)
	return shops.Save(ctx, e)
}
