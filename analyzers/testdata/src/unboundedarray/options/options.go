// Package options changes documents by functions that it gets as values.
package options

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Remark struct {
	Text string `bson:"text"`
}

type Ticket struct {
	ID      bson.ObjectID `bson:"_id"`
	Remarks []Remark      `bson:"remarks"` // want `remarks grows without bound`
	Notes   []Remark      `bson:"notes"`   // want `notes grows without bound`
	Moves   []Remark      `bson:"moves"`   // want `moves grows without bound`
	Replies []Remark      `bson:"replies"`
	Entries []Remark      `bson:"entries"`
}

func load(ctx context.Context, db *mongo.Database, id bson.ObjectID) (*Ticket, error) {
	var t Ticket
	err := db.Collection("tickets").FindOne(ctx, bson.M{"_id": id}).Decode(&t)
	return &t, err
}

func save(ctx context.Context, db *mongo.Database, t *Ticket) error {
	_, err := db.Collection("tickets").ReplaceOne(ctx, bson.M{"_id": t.ID}, t)
	return err
}

// An Option changes a stored ticket.
type Option func(*Ticket)

func WithRemark(text string) Option {
	return func(t *Ticket) { t.Remarks = append(t.Remarks, Remark{text}) }
}

func Change(ctx context.Context, db *mongo.Database, id bson.ObjectID, options ...Option) error {
	t, err := load(ctx, db, id)
	if err != nil {
		return err
	}
	for _, option := range options {
		option(t)
	}
	return save(ctx, db, t)
}

// A step is a named function that code passes on.
func note(t *Ticket, text string) error {
	t.Notes = append(t.Notes, Remark{text})
	return nil
}

func run(ctx context.Context, db *mongo.Database, id bson.ObjectID, text string, step func(*Ticket, string) error) error {
	t, err := load(ctx, db, id)
	if err != nil {
		return err
	}
	if err := step(t, text); err != nil {
		return err
	}
	return save(ctx, db, t)
}

func Note(ctx context.Context, db *mongo.Database, id bson.ObjectID, text string) error {
	return run(ctx, db, id, text, note)
}

// change is for documents of any type.
func change[T any](ctx context.Context, c *mongo.Collection, id bson.ObjectID, f func(*T) bool) error {
	var v T
	if err := c.FindOne(ctx, bson.M{"_id": id}).Decode(&v); err != nil || !f(&v) {
		return err
	}
	_, err := c.ReplaceOne(ctx, bson.M{"_id": id}, v)
	return err
}

func Answer(ctx context.Context, db *mongo.Database, id bson.ObjectID, text string) error {
	return change(ctx, db.Collection("tickets"), id, func(t *Ticket) bool {
		t.Moves = append(t.Moves, Remark{text})
		return true
	})
}

// A Setting changes a ticket only when it is made.
type Setting func(*Ticket) *Ticket

func WithReply(text string) Setting {
	return func(t *Ticket) *Ticket {
		t.Replies = append(t.Replies, Remark{text})
		return t
	}
}

func Open(ctx context.Context, db *mongo.Database, settings ...Setting) error {
	t := &Ticket{ID: bson.NewObjectID()}
	for _, set := range settings {
		set(t)
	}
	_, err := db.Collection("tickets").InsertOne(ctx, t)
	return err
}

// each shows all tickets, and stores only when that was.
func each(ctx context.Context, db *mongo.Database, show func(Ticket) error) error {
	cursor, err := db.Collection("tickets").Find(ctx, bson.M{})
	if err != nil {
		return err
	}
	for cursor.Next(ctx) {
		var t Ticket
		if err := cursor.Decode(&t); err != nil {
			return err
		}
		if err := show(t); err != nil {
			return err
		}
	}
	_, err = db.Collection("visits").InsertOne(ctx, bson.M{"what": "tickets"})
	return err
}

func Show(ctx context.Context, db *mongo.Database, print func(Ticket)) error {
	return each(ctx, db, func(t Ticket) error {
		t.Entries = append(t.Entries, Remark{"the end"})
		print(t)
		return nil
	})
}
