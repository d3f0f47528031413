// Package offers has bookings to which two parties add offers while they negotiate, and
// others to which they add while they are open. The first list ends with an answer.
package offers

import (
	"context"
	"errors"
	"net/http"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Offer struct {
	Price int       `bson:"price"`
	At    time.Time `bson:"at"`
}

type Booking struct {
	ID     string  `bson:"_id"`
	Status string  `bson:"status"`
	Kind   string  `bson:"kind"`
	Rounds []Offer `bson:"rounds"`
	Turns  []Offer `bson:"turns"` // want `turns grows without bound`
	Lines  []Offer `bson:"lines"` // want `lines grows without bound`
	Bids   []Offer `bson:"bids"`  // want `bids grows without bound`
	Marks  []Offer `bson:"marks"` // want `marks grows without bound`
	Hints  []Offer `bson:"hints"`
	Extras []Offer `bson:"extras"` // want `extras grows without bound`
	Pleas  []Offer `bson:"pleas"`  // want `pleas grows without bound`
}

var errState = errors.New("another state")

type bookings struct{ bookings *mongo.Collection }

func (s *bookings) read(ctx context.Context, id string) (b Booking) {
	s.bookings.FindOne(ctx, bson.M{"_id": id}).Decode(&b)
	return b
}

// counter is refused when the booking is agreed.
func (s *bookings) counter(w http.ResponseWriter, r *http.Request) {
	b := s.read(r.Context(), r.FormValue("id"))
	if b.Status != "pending" && b.Status != "awaiting_answer" {
		return
	}
	b.Rounds = append(b.Rounds, Offer{At: time.Now()})
	s.bookings.ReplaceOne(r.Context(), bson.M{"_id": b.ID}, b)
}

// logged is refused when the booking is no longer valid, or is new.
func (s *bookings) logged(w http.ResponseWriter, r *http.Request) {
	b := s.read(r.Context(), r.FormValue("id"))
	if b.Status != "pending" && b.Status != "active" {
		return
	}
	b.Turns = append(b.Turns, Offer{At: time.Now()})
	s.bookings.ReplaceOne(r.Context(), bson.M{"_id": b.ID}, b)
}

// say is refused afterwards.
func (s *bookings) say(w http.ResponseWriter, r *http.Request) {
	b := s.read(r.Context(), r.FormValue("id"))
	b.Lines = append(b.Lines, Offer{At: time.Now()})
	if b.Status != "pending" {
		return
	}
	s.bookings.ReplaceOne(r.Context(), bson.M{"_id": b.ID}, b)
}

// comment only looks at the state.
func (s *bookings) comment(w http.ResponseWriter, r *http.Request) {
	b := s.read(r.Context(), r.FormValue("id"))
	if b.Status != "pending" {
		b.Kind = "late"
	}
	b.Bids = append(b.Bids, Offer{At: time.Now()})
	s.bookings.ReplaceOne(r.Context(), bson.M{"_id": b.ID}, b)
}

// audit is told by the request what to do.
func (s *bookings) audit(w http.ResponseWriter, r *http.Request) {
	if r.Method != "pending" {
		return
	}
	b := s.read(r.Context(), r.FormValue("id"))
	b.Marks = append(b.Marks, Offer{At: time.Now()})
	s.bookings.ReplaceOne(r.Context(), bson.M{"_id": b.ID}, b)
}

// force adds in any state if the request says so.
func (s *bookings) force(w http.ResponseWriter, r *http.Request) {
	b := s.read(r.Context(), r.FormValue("id"))
	if b.Status != "pending" && r.FormValue("force") == "" {
		return
	}
	b.Extras = append(b.Extras, Offer{At: time.Now()})
	s.bookings.ReplaceOne(r.Context(), bson.M{"_id": b.ID}, b)
}

func (s *bookings) happen(w http.ResponseWriter, r *http.Request) {
	s.check(r.Context(), r.FormValue("id"))
}

// check asks for the state before another function adds.
func (s *bookings) check(ctx context.Context, id string) error {
	b := s.read(ctx, id)
	if b.Status != "draft" {
		return errState
	}
	return s.push(ctx, id)
}

func (s *bookings) push(ctx context.Context, id string) error {
	_, err := s.bookings.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"hints": Offer{At: time.Now()}}})
	return err
}

// warn asks for the state, remind does not.
func (s *bookings) warn(ctx context.Context, id string) error {
	b := s.read(ctx, id)
	if b.Status != "draft" {
		return errState
	}
	return s.note(ctx, id)
}

func (s *bookings) remind(w http.ResponseWriter, r *http.Request) {
	s.note(r.Context(), r.FormValue("id"))
}

func (s *bookings) note(ctx context.Context, id string) error {
	_, err := s.bookings.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"pleas": Offer{At: time.Now()}}})
	return err
}

func (s *bookings) create(ctx context.Context, b Booking) {
	s.bookings.InsertOne(ctx, b)
}
