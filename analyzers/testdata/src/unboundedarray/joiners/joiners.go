// Package joiners has lists that elements are taken out of. Users who add
// themselves are as many as there are; what an owner adds is tended.
package joiners

import (
	"context"
	"net/http"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Comment struct {
	ID       string   `bson:"_id"`
	FanIDs   []string `bson:"fanIds"` // want `fanIds grows without bound`
	TeamIDs  []string `bson:"teamIds"`
	History  []string `bson:"history"`
	RulerIDs []string `bson:"rulerIds"`
	Alerts   []Alert  `bson:"alerts"` // want `alerts grows without bound`
}

// Alert says when it came, so no two are one.
type Alert struct {
	Text string    `bson:"text"`
	At   time.Time `bson:"at"`
}

var keep = 10

type store struct{ comments *mongo.Collection }

type key struct{}

// current is who makes the request.
func current(r *http.Request) string { return r.Context().Value(key{}).(string) }

func (s *store) like(w http.ResponseWriter, r *http.Request) {
	s.add(r.Context(), r.FormValue("id"), current(r))
}

func (s *store) add(ctx context.Context, id, user string) {
	s.comments.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$addToSet": bson.M{"fanIds": user}})
}

func (s *store) unlike(ctx context.Context, id, user string) {
	s.comments.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$pull": bson.M{"fanIds": user}})
}

func (s *store) assign(w http.ResponseWriter, r *http.Request) {
	s.comments.UpdateOne(r.Context(), bson.M{"_id": "c"}, bson.M{"$addToSet": bson.M{"teamIds": r.FormValue("team")}})
	s.comments.UpdateOne(r.Context(), bson.M{"_id": "c"}, bson.M{"$addToSet": bson.M{"alerts": Alert{At: time.Now()}}})
}

func (s *store) withdraw(ctx context.Context, id, team string) {
	s.comments.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$pull": bson.M{"teamIds": team}})
	s.comments.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$pull": bson.M{"alerts": bson.M{"text": team}}})
}

// note puts the newest first and cuts the rest.
func (s *store) note(ctx context.Context, text string) {
	var c Comment
	s.comments.FindOne(ctx, bson.M{"_id": "c"}).Decode(&c)
	if n := len(c.History); n >= keep {
		c.History = c.History[:keep]
	}
	c.History = append([]string{text}, c.History...)
	s.comments.ReplaceOne(ctx, bson.M{"_id": "c"}, c)
}

// appoint adds an id that is not there yet.
func (s *store) appoint(w http.ResponseWriter, r *http.Request) {
	var c Comment
	s.comments.FindOne(r.Context(), bson.M{"_id": "c"}).Decode(&c)
	there := map[string]bool{}
	for _, id := range c.RulerIDs {
		there[id] = true
	}
	if id := r.FormValue("ruler"); !there[id] {
		c.RulerIDs = append(c.RulerIDs, id)
	}
	s.comments.ReplaceOne(r.Context(), bson.M{"_id": "c"}, c)
}

// Account has keys that its owner makes and takes back. They have an id and a
// time, but no name of things that keep coming.
type Account struct {
	ID       string    `bson:"_id"`
	Passkeys []Passkey `bson:"passkeys"`
}

type Passkey struct {
	ID      string    `bson:"id"`
	Created time.Time `bson:"created"`
}

func (s *store) register(w http.ResponseWriter, r *http.Request) {
	s.comments.InsertOne(r.Context(), Account{ID: r.FormValue("id")})
	k := Passkey{ID: r.FormValue("key"), Created: time.Now()}
	s.comments.UpdateOne(r.Context(), bson.M{"_id": "a"}, bson.M{"$push": bson.M{"passkeys": k}})
}

func (s *store) revoke(ctx context.Context, id, key string) {
	s.comments.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$pull": bson.M{"passkeys": bson.M{"id": key}}})
}

// Poll is made without ballots, which the validator sees to, and gets them one
// by one. There are few stewards.
type Poll struct {
	ID       string   `bson:"_id"`
	Ballots  []Ballot `bson:"ballots,omitempty" validate:"max=0"` // want `ballots grows without bound`
	Stewards []Ballot `bson:"stewards,omitempty" validate:"max=20"`
}

type Ballot struct {
	Choice int       `bson:"choice"`
	Cast   time.Time `bson:"created"`
}

func (s *store) vote(w http.ResponseWriter, r *http.Request) {
	s.comments.InsertOne(r.Context(), Poll{ID: r.FormValue("id")})
	b := Ballot{Choice: 1, Cast: time.Now()}
	s.comments.UpdateOne(r.Context(), bson.M{"_id": "p"}, bson.M{"$push": bson.M{"ballots": b}})
	s.comments.UpdateOne(r.Context(), bson.M{"_id": "p"}, bson.M{"$push": bson.M{"stewards": b}})
}
