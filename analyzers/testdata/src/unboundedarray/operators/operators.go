// Package operators has functions for the operators of updates, as many programs do.
package operators

import (
	"context"
	"net/http"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type User struct {
	ID        bson.ObjectID   `bson:"_id"`
	Following []bson.ObjectID `bson:"following"` // want `following grows .*each request handled by Store.Follow`
	Friends   []bson.ObjectID `bson:"friends"`   // want `friends grows .*each request handled by Store.Befriend`
	Devices   []string        `bson:"devices"`   // who takes devices out keeps the list short
	Bookmarks []string        `bson:"bookmarks"` // want `bookmarks grows .*each request handled by Store.Bookmark`
	UpdatedAt time.Time       `bson:"updatedAt"`
}

func addToSet(what any) bson.E { return bson.E{Key: "$addToSet", Value: what} }

func pull(what any) bson.E { return bson.E{"$pull", what} }

func set(what any) bson.E { return bson.E{Key: "$set", Value: what} }

func named(operator string, what any) bson.E { return bson.E{Key: operator, Value: what} }

// later does more than that.
func later(what any) bson.E {
	time.Sleep(time.Second)
	return bson.E{Key: "$addToSet", Value: what}
}

type Store struct{ users *mongo.Collection }

func (s Store) User(ctx context.Context, id bson.ObjectID) (*User, error) {
	var u User
	err := s.users.FindOne(ctx, bson.M{"_id": id}).Decode(&u)
	return &u, err
}

func target(r *http.Request) bson.ObjectID {
	id, _ := bson.ObjectIDFromHex(r.FormValue("target"))
	return id
}

func user(r *http.Request) bson.ObjectID {
	id, _ := bson.ObjectIDFromHex(r.FormValue("user"))
	return id
}

func (s Store) Follow(w http.ResponseWriter, r *http.Request) {
	s.users.UpdateOne(r.Context(), bson.M{"_id": user(r)}, bson.D{
		addToSet(bson.M{"following": target(r)}),
		set(bson.M{"updatedAt": time.Now()}),
	})
}

func (s Store) Unfollow(w http.ResponseWriter, r *http.Request) {
	s.users.UpdateOne(r.Context(), bson.M{"_id": user(r)}, bson.D{pull(bson.M{"following": target(r)})})
}

func (s Store) Befriend(w http.ResponseWriter, r *http.Request) {
	s.users.UpdateOne(r.Context(), bson.M{"_id": user(r)}, bson.D{named("$addToSet", bson.M{"friends": target(r)})})
}

func (s Store) AddDevice(w http.ResponseWriter, r *http.Request) {
	s.users.UpdateOne(r.Context(), bson.M{"_id": user(r)}, bson.D{addToSet(bson.M{"devices": r.FormValue("device")})})
}

func (s Store) RemoveDevice(w http.ResponseWriter, r *http.Request) {
	s.users.UpdateOne(r.Context(), bson.M{"_id": user(r)}, bson.D{pull(bson.M{"devices": r.FormValue("device")})})
}

func (s Store) Bookmark(w http.ResponseWriter, r *http.Request) {
	s.users.UpdateOne(r.Context(), bson.M{"_id": user(r)}, bson.D{later(bson.M{"bookmarks": r.FormValue("page")})})
}
