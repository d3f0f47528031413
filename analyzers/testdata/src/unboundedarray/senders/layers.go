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

type jwt struct{ read func(string) (*userClaims, error) }

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
