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
	ID          string    `bson:"id"`
	ConfirmedAt time.Time `bson:"confirmedAt"`
}

type Person struct {
	ID       string          `bson:"_id"`
	Messages []Message       `bson:"messages"`
	Chat     []Said          `bson:"chatMessages"` // want `chatMessages grows without bound`
	Contacts []Contact       `bson:"contacts"`
	Doctors  []bson.ObjectID `bson:"doctors"`
	Guides   []bson.ObjectID `bson:"guides"` // want `guides grows without bound`
}

type Doctor struct {
	ID bson.ObjectID `bson:"_id"`
}

type Guide struct {
	ID bson.ObjectID `bson:"_id"`
}

type store struct{ people, doctors, guides *mongo.Collection }

func (s store) routes(mux *http.ServeMux) {
	mux.HandleFunc("POST /people", s.create)
	mux.HandleFunc("POST /messages", s.add)
}

func (s store) create(w http.ResponseWriter, r *http.Request) {
	s.people.InsertOne(r.Context(), Person{ID: r.FormValue("id")})
	s.doctors.InsertOne(r.Context(), Doctor{})
	s.guides.InsertOne(r.Context(), Guide{})
	s.unite(r.Context(), Person{})
}

func (s store) add(w http.ResponseWriter, r *http.Request) {
	id, ctx := r.FormValue("id"), r.Context()
	s.people.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"messages": Message{}}})
	s.people.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"chatMessages": Said{}}})
	s.people.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"contacts": Contact{}}})
	s.people.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$addToSet": bson.M{"guides": bson.NewObjectID()}})
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
