package senders

import (
	"context"
	"net/http"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// userClaims is what a token says.
type userClaims struct{ ID, Field string }

type tokens interface {
	Parse(token string) (identity, error)
}

type identity struct{ User, Field string }

type jwt struct {
	read func(string) (*userClaims, error)
}

func (j jwt) Parse(token string) (identity, error) {
	claims, err := j.read(token)
	if err != nil {
		return identity{}, err
	}
	return identity{User: claims.ID}, nil
}

type input struct{ Poll, User, Field string }

type handler struct {
	tokens
	store
}

// cheer passes who makes the request through several layers.
func (h handler) cheer(w http.ResponseWriter, r *http.Request) {
	who, err := h.Parse(r.FormValue("token"))
	if err != nil {
		return
	}
	h.addFan(r.Context(), &input{Poll: r.FormValue("poll"), User: who.User, Field: r.FormValue("field")})
}

func (s store) addFan(ctx context.Context, in *input) {
	s.polls.UpdateOne(ctx, bson.M{"_id": in.Poll}, bson.M{"$addToSet": bson.M{"fans": in.User}})
	s.polls.UpdateOne(ctx, bson.M{"_id": in.Poll}, bson.M{"$addToSet": bson.M{"fields": in.Field}})
}

func (s store) removeFan(ctx context.Context, in input) {
	s.polls.UpdateOne(ctx, bson.M{"_id": in.Poll}, bson.M{"$pull": bson.M{"fans": in.User}})
	s.polls.UpdateOne(ctx, bson.M{"_id": in.Poll}, bson.M{"$pull": bson.M{"fields": in.Field}})
}

// Profile belongs to a user, who adds to it and takes away.
type Profile struct {
	ID      string   `bson:"_id"`
	Devices []Member `bson:"devices"`
	Places  []Member `bson:"places"`
}

func (h handler) settle(w http.ResponseWriter, r *http.Request) {
	h.polls.InsertOne(r.Context(), Profile{ID: "u"})
	who, err := h.Parse(r.FormValue("token"))
	if err != nil {
		return
	}
	mine := bson.D{{Key: "_id", Value: who.User}}
	h.polls.UpdateOne(r.Context(), mine, bson.M{"$addToSet": bson.M{"devices": Member{UserID: who.User, Place: r.FormValue("place")}}})
	p, err := h.profile(r.Context(), who.User)
	if err != nil {
		return
	}
	p.move(Member{UserID: who.User})
	h.polls.ReplaceOne(r.Context(), mine, p)
}

func (p *Profile) move(m Member) { p.Places = append(p.Places, m) }

func (s store) profile(ctx context.Context, id string) (p *Profile, err error) {
	return p, s.polls.FindOne(ctx, bson.M{"_id": id}).Decode(&p)
}

func (s store) unsettle(ctx context.Context, id, user string) {
	s.polls.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$pull": bson.M{"devices": bson.M{"userId": user}}})
	s.polls.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$pull": bson.M{"places": bson.M{"userId": user}}})
}
