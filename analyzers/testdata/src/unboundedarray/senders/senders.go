// Package senders has lists of objects that elements are taken out of. Each voter
// adds one that is found by the voter's id. What is found by another key is tended.
package senders

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/example/chat"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Poll struct {
	ID      string   `bson:"_id"`
	Options []Option `bson:"options"`
	Invited []Vote   `bson:"invited"`
	Members []Member `bson:"members"` // want `members grows without bound`
	Helpers []Member `bson:"helpers"`
	Fans    []string `bson:"fans"` // want `fans grows without bound`
	Fields  []string `bson:"fields"`
	Guests  []Member `bson:"guests"` // want `guests grows without bound`
}

type Option struct {
	Title string `bson:"title"`
	Voted []Vote `bson:"voted"` // want `options\[\]\.voted grows without bound`
}

type Vote struct {
	UserID string `bson:"userId"`
	Name   string `bson:"name"`
}

type Member struct {
	UserID string `bson:"userId"`
	Place  string `bson:"place"`
}

func (p *Poll) has(option string, v Vote) bool {
	for _, o := range p.Options {
		if o.Title == option {
			for _, vote := range o.Voted {
				if vote.UserID == v.UserID {
					return true
				}
			}
		}
	}
	return false
}

func (p *Poll) add(option string, v Vote) {
	for i, o := range p.Options {
		if o.Title == option {
			p.Options[i].Voted = append(p.Options[i].Voted, v)
		}
	}
}

func (p *Poll) remove(option string, v Vote) {
	for i, o := range p.Options {
		if o.Title == option {
			for j, vote := range o.Voted {
				if vote.UserID == v.UserID {
					p.Options[i].Voted = append(p.Options[i].Voted[:j], p.Options[i].Voted[j+1:]...)
				}
			}
		}
	}
}

func (p *Poll) invites(user string) bool {
	for _, vote := range p.Invited {
		if vote.UserID == user {
			return true
		}
	}
	return false
}

type store struct{ polls *mongo.Collection }

func (s store) open(ctx context.Context, p Poll) { s.polls.InsertOne(ctx, p) }

func (s store) toggle(w http.ResponseWriter, r *http.Request) {
	var call chat.Callback
	json.NewDecoder(r.Body).Decode(&call)
	var p Poll
	s.polls.FindOne(r.Context(), bson.M{"_id": r.FormValue("poll")}).Decode(&p)
	v := Vote{UserID: call.User.ID, Name: call.User.Name}
	if p.has(call.Value, v) {
		p.remove(call.Value, v)
	} else {
		p.add(call.Value, v)
	}
	s.polls.ReplaceOne(r.Context(), bson.M{"_id": p.ID}, p)
}

// invite adds whom the message mentions.
func (s store) invite(w http.ResponseWriter, r *http.Request) {
	var call chat.Callback
	json.NewDecoder(r.Body).Decode(&call)
	var p Poll
	s.polls.FindOne(r.Context(), bson.M{"_id": r.FormValue("poll")}).Decode(&p)
	if !p.invites(call.Mentions[0].ID) {
		p.Invited = append(p.Invited, Vote{UserID: call.Mentions[0].ID})
	}
	s.polls.ReplaceOne(r.Context(), bson.M{"_id": p.ID}, p)
}

func (s store) withdraw(ctx context.Context, id, user string) {
	s.polls.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$pull": bson.M{"invited": bson.M{"userId": user}}})
}

type key struct{}

// join adds the requester, and a place that the requester has.
func (s store) join(w http.ResponseWriter, r *http.Request) {
	user := r.Context().Value(key{}).(string)
	m := Member{UserID: user, Place: r.FormValue("place")}
	s.polls.UpdateOne(r.Context(), bson.M{"_id": "p"}, bson.M{"$addToSet": bson.M{"members": m}})
	s.polls.UpdateOne(r.Context(), bson.M{"_id": "p"}, bson.M{"$addToSet": bson.M{"helpers": Member{UserID: r.FormValue("user"), Place: user}}})
}

// visit adds a guest as a document, unless the requester is one.
func (s store) visit(w http.ResponseWriter, r *http.Request) {
	user := r.Context().Value(key{}).(string)
	var p Poll
	if s.polls.FindOne(r.Context(), bson.M{"_id": "p", "guests.userId": user}).Decode(&p) != nil {
		s.polls.UpdateOne(r.Context(), bson.M{"_id": "p"}, bson.M{"$push": bson.M{"guests": bson.M{"userId": user, "place": "door"}}})
	}
}

func (s store) part(ctx context.Context, id, place string) {
	s.polls.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$pull": bson.M{"guests": bson.M{"place": place}}})
}

func (s store) leave(ctx context.Context, id, user string) {
	s.polls.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$pull": bson.M{"members": bson.M{"userId": user}}})
	s.polls.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$pull": bson.M{"helpers": bson.M{"userId": user}}})
}
