// Package sessions keeps what expires, and what arrives as bytes.
package sessions

import (
	"context"
	"net/http"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

func user(r *http.Request) bson.ObjectID {
	id, _ := bson.ObjectIDFromHex(r.FormValue("user"))
	return id
}

// Upload has what somebody sends one by one, and two that it starts with.
type Upload struct {
	ID     bson.ObjectID `bson:"_id"`
	Events [][]byte      `bson:"events"` // want `events grows .*each request handled by AddPart`
	Seals  [][]byte      `bson:"seals"`
}

func StartUpload(ctx context.Context, uploads *mongo.Collection, seal, by []byte) {
	uploads.InsertOne(ctx, Upload{ID: bson.NewObjectID(), Seals: [][]byte{seal, by}})
}

func AddPart(uploads *mongo.Collection) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		uploads.UpdateOne(r.Context(), bson.M{"_id": user(r)}, bson.M{"$push": bson.M{"events": []byte(r.FormValue("part"))}})
	}
}

// Account has a session for each login. Few people log out. Vouchers are cleared when they
// have expired, and passes are taken out by hand.
type Account struct {
	ID       bson.ObjectID `bson:"_id"`
	Sessions []Session     `bson:"sessions"` // want `sessions grows .*each request handled by Login`
	Vouchers []Voucher     `bson:"vouchers"`
	Passes   []Pass        `bson:"passes"`
}

type Session struct {
	Token     string    `bson:"token"`
	IssuedAt  time.Time `bson:"issuedAt"`
	ExpiresAt time.Time `bson:"expiresAt"`
}

type Voucher struct {
	Token     string    `bson:"token"`
	IssuedAt  time.Time `bson:"issuedAt"`
	ExpiresAt time.Time `bson:"expiresAt"`
}

type Pass struct {
	Token    string    `bson:"token"`
	IssuedAt time.Time `bson:"issuedAt"`
}

func Open(ctx context.Context, accounts *mongo.Collection) {
	accounts.InsertOne(ctx, Account{ID: bson.NewObjectID()})
}

func Login(accounts *mongo.Collection) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		token, now := r.FormValue("token"), time.Now()
		accounts.UpdateOne(r.Context(), bson.M{"_id": user(r)}, bson.M{"$push": bson.M{"sessions": Session{token, now, now.Add(time.Hour)}}})
		accounts.UpdateOne(r.Context(), bson.M{"_id": user(r)}, bson.M{"$push": bson.M{"vouchers": Voucher{token, now, now.Add(time.Hour)}}})
		accounts.UpdateOne(r.Context(), bson.M{"_id": user(r)}, bson.M{"$push": bson.M{"passes": Pass{token, now}}})
	}
}

func Logout(accounts *mongo.Collection) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		token := r.FormValue("token")
		accounts.UpdateOne(r.Context(), bson.M{"_id": user(r)}, bson.M{"$pull": bson.M{"sessions": bson.M{"token": token}}})
		accounts.UpdateOne(r.Context(), bson.M{"_id": user(r)}, bson.M{"$pull": bson.M{"vouchers": bson.M{"token": token}}})
		accounts.UpdateOne(r.Context(), bson.M{"_id": user(r)}, bson.M{"$pull": bson.M{"passes": bson.M{"token": token}}})
	}
}

func Clear(ctx context.Context, accounts *mongo.Collection) {
	accounts.UpdateMany(ctx, bson.M{}, bson.M{"$pull": bson.M{"vouchers": bson.M{"expiresAt": bson.M{"$lt": time.Now()}}}})
}
