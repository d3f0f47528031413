// Package tenants keeps people and their groups in one document.
package tenants

import (
	"context"
	"net/http"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Company struct {
	ID    bson.ObjectID `bson:"_id"`
	Seats []Seat        `bson:"seats"`
	Users []User        `bson:"users"`
	Doors []Door        `bson:"doors"`
	Roles []Role        `bson:"roles"`
}

type User struct {
	ID    bson.ObjectID   `bson:"_id"`
	Roles []bson.ObjectID `bson:"roles"` // few
}

type Door struct {
	ID    bson.ObjectID   `bson:"_id"`
	Roles []bson.ObjectID `bson:"roles"`
}

type Role struct {
	ID    bson.ObjectID   `bson:"_id"`
	Users []bson.ObjectID `bson:"users"` // want `roles\[\]\.users grows without bound`
	Doors []bson.ObjectID `bson:"doors"` // not people
}

// Seat is not listed by its users.
type Seat struct {
	ID    bson.ObjectID   `bson:"_id"`
	Users []bson.ObjectID `bson:"users"`
}

type store struct{ companies *mongo.Collection }

func (s *store) found(ctx context.Context, c Company) { s.companies.InsertOne(ctx, c) }

func (s *store) give(w http.ResponseWriter, r *http.Request) {
	user := bson.ObjectID{1}
	role := bson.M{"_id": "c", "roles._id": r.FormValue("role")}
	s.companies.UpdateOne(r.Context(), role, bson.M{"$push": bson.M{"roles.$.users": user}})
	s.companies.UpdateOne(r.Context(), role, bson.M{"$push": bson.M{"roles.$.doors": user}})
	s.companies.UpdateOne(r.Context(), bson.M{"users._id": user}, bson.M{"$push": bson.M{"users.$.roles": user}})
	s.companies.UpdateOne(r.Context(), bson.M{"doors._id": user}, bson.M{"$push": bson.M{"doors.$.roles": user}})
	s.companies.UpdateOne(r.Context(), bson.M{"seats._id": user}, bson.M{"$push": bson.M{"seats.$.users": user}})
}

func (s *store) take(ctx context.Context, user bson.ObjectID) {
	all := bson.M{"_id": "c"}
	s.companies.UpdateOne(ctx, all, bson.M{"$pull": bson.M{"roles.$[].users": user}})
	s.companies.UpdateOne(ctx, all, bson.M{"$pull": bson.M{"roles.$[].doors": user}})
	s.companies.UpdateOne(ctx, all, bson.M{"$pull": bson.M{"users.$[].roles": user}})
	s.companies.UpdateOne(ctx, all, bson.M{"$pull": bson.M{"doors.$[].roles": user}})
	s.companies.UpdateOne(ctx, all, bson.M{"$pull": bson.M{"seats.$[].users": user}})
}
