package senders

import (
	"net/http"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// Account has a login with each provider that the code knows, and with each
// device that a request names.
type Account struct {
	ID           string  `bson:"_id"`
	SocialLogins []Login `bson:"socialLogins"`
	DeviceLogins []Login `bson:"deviceLogins"` // want `deviceLogins grows without bound`
}

type Login struct {
	Provider string `bson:"provider"`
	Email    string `bson:"email"`
}

func (s store) login(w http.ResponseWriter, r *http.Request) {
	s.polls.InsertOne(r.Context(), Account{ID: "a"})
	var a Account
	s.polls.FindOne(r.Context(), bson.M{"_id": "a"}).Decode(&a)
	found := false
	for _, l := range a.SocialLogins {
		if l.Provider == "paper" && l.Email == r.FormValue("email") {
			found = true
			break
		}
	}
	if !found {
		a.SocialLogins = append(a.SocialLogins, Login{Provider: "paper", Email: r.FormValue("email")})
	}
	for _, l := range a.DeviceLogins {
		if l.Provider == r.FormValue("device") {
			return
		}
	}
	a.DeviceLogins = append(a.DeviceLogins, Login{Provider: r.FormValue("device"), Email: r.FormValue("email")})
	s.polls.ReplaceOne(r.Context(), bson.M{"_id": "a"}, a)
}
