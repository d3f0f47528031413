// Package waiting has lists of what waits to be done, and of what is tended:
// code takes elements out when they are over.
package waiting

import (
	"context"
	"net/http"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

// Message is due at a time; nothing says when it came.
type Message struct {
	ID           string    `bson:"id"`
	ScheduledFor time.Time `bson:"scheduledFor"`
}

type Said struct {
	ID   string    `bson:"id"`
	Sent time.Time `bson:"sent"`
}

type Contact struct {
	ID                 string    `bson:"id"`
	ConfirmedAt        time.Time `bson:"confirmedAt"`
	ConfirmationSentAt time.Time `bson:"confirmationSentAt"`
}

type Person struct {
	ID       string          `bson:"_id"`
	Messages []Message       `bson:"messages"`
	Chat     []Said          `bson:"chatMessages"` // want `chatMessages grows without bound`
	Contacts []Contact       `bson:"contacts"`
	Doctors  []bson.ObjectID `bson:"doctors"`
	Guides   []bson.ObjectID `bson:"guides"` // want `guides grows without bound`
}

// Run gets steps for as long as it takes.
type Run struct {
	ID     string `bson:"_id"`
	Steps  []Step `bson:"visits"`
	Status Status `bson:"status"`
}

type Status struct {
	Started *time.Time `bson:"started"`
	Ended   *time.Time `bson:"ended"`
}

type Step struct {
	Name string    `bson:"name"`
	At   time.Time `bson:"at"`
}

// Draft runs once, too.
type Draft struct {
	ID                 string     `bson:"_id"`
	Steps              []Step     `bson:"events"`
	ExecutionStartTime *time.Time `bson:"executionStartTime"`
	ExecutionEndTime   *time.Time `bson:"executionEndTime"`
}

// Watch has a beginning alone.
type Watch struct {
	ID      string    `bson:"_id"`
	Started time.Time `bson:"started"`
	Steps   []Step    `bson:"visits"` // want `visits grows without bound`
}

// Old is the form that documents had; it is only read and put away as it is.
type Old struct {
	ID      string `bson:"_id"`
	History []Said `bson:"history"`
}

func (s store) putAway(ctx context.Context) {
	var old Old
	s.people.FindOne(ctx, bson.M{"current": bson.M{"$exists": true}}).Decode(&old)
	s.doctors.InsertOne(ctx, old)
}

// Parcel is only read: its log came with it.
type Parcel struct {
	ID   string `bson:"_id"`
	Meta Meta   `bson:"meta"`
}

type Meta struct {
	Logs []Line `bson:"logs"`
}

type Line struct {
	Text string `bson:"text"`
}

func (s store) parcel(ctx context.Context) (p Parcel) {
	s.people.FindOne(ctx, bson.M{}).Decode(&p)
	return p
}

// Desk is only read, too, but each of its rooms has a talk of its own.
type Desk struct {
	ID    string `bson:"_id"`
	Rooms []Room `bson:"rooms"`
}

type Room struct {
	Name     string `bson:"name"`
	Messages []Line `bson:"messages"` // want `rooms\[\].messages grows without bound`
}

func (s store) desk(ctx context.Context) (d Desk) {
	s.people.FindOne(ctx, bson.M{}).Decode(&d)
	return d
}

type Doctor struct {
	ID bson.ObjectID `bson:"_id"`
}

type Guide struct {
	ID bson.ObjectID `bson:"_id"`
}

type store struct{ people, doctors, guides, runs, watches, drafts *mongo.Collection }

func (s store) routes(mux *http.ServeMux) {
	mux.HandleFunc("POST /people", s.create)
	mux.HandleFunc("POST /messages", s.add)
}

func (s store) create(w http.ResponseWriter, r *http.Request) {
	s.people.InsertOne(r.Context(), Person{ID: r.FormValue("id")})
	s.doctors.InsertOne(r.Context(), Doctor{})
	s.guides.InsertOne(r.Context(), Guide{})
	s.runs.InsertOne(r.Context(), Run{})
	s.watches.InsertOne(r.Context(), Watch{})
	s.drafts.InsertOne(r.Context(), Draft{})
	s.unite(r.Context(), Person{})
}

func (s store) add(w http.ResponseWriter, r *http.Request) {
	id, ctx := r.FormValue("id"), r.Context()
	s.people.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"messages": Message{}}})
	s.people.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"chatMessages": Said{}}})
	s.people.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"contacts": Contact{}}})
	s.people.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$addToSet": bson.M{"guides": bson.NewObjectID()}})
	s.runs.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"visits": Step{}}})
	s.watches.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"visits": Step{}}})
	s.drafts.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"events": Step{}}})
}

func (s store) done(ctx context.Context, id string, sent []string) {
	s.people.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$pull": bson.M{"messages": bson.M{"id": bson.M{"$in": sent}}}})
	s.people.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$pull": bson.M{"chatMessages": bson.M{"id": sent[0]}}})
	s.people.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$pull": bson.M{"contacts": bson.M{"id": sent[0]}}})
}

// unite adds what another value has.
func (s store) unite(ctx context.Context, p Person) {
	s.people.UpdateOne(ctx, bson.M{"_id": p.ID}, bson.M{"$addToSet": bson.M{"doctors": bson.M{"$each": p.Doctors}}})
}

type CrateState string

const (
	Packed    CrateState = "packed"
	Delivered CrateState = "delivered"
)

// Crate keeps each state that it had.
type Crate struct {
	ID    string     `bson:"_id"`
	State CrateState `bson:"state"`
	Moves []Move     `bson:"moves"`
	Scans []Scan     `bson:"scans"` // want `scans grows without bound`
}

type Move struct {
	To CrateState `bson:"to"`
	At time.Time  `bson:"at"`
}

// Scan holds a state of another thing.
type Scan struct {
	By Gate      `bson:"by"`
	At time.Time `bson:"at"`
}

type Gate string

const North Gate = "north"

func moved(ctx context.Context, c *mongo.Collection, id string, m Move, s Scan) error {
	if err := c.FindOne(ctx, bson.M{"_id": id}).Decode(&Crate{}); err != nil {
		return err
	}
	if _, err := c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"scans": s}}); err != nil {
		return err
	}
	_, err := c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$set": bson.M{"state": m.To}, "$push": bson.M{"moves": m}})
	return err
}
