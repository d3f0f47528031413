// Package filled has ids that are texts in Go and ObjectIDs in the database, which makes
// them when documents come without.
package filled

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Doctor struct {
	ID   string `bson:"_id,omitempty"`
	Name string `bson:"name"`
}

// Clinic has an id that code makes.
type Clinic struct {
	ID   string `bson:"_id"`
	Name string `bson:"name"`
}

// Ward is only found by text.
type Ward struct {
	ID   string `bson:"_id,omitempty"`
	Name string `bson:"name"`
}

type Report struct {
	ID       bson.ObjectID `bson:"_id,omitempty"`
	DoctorID [16]byte      `bson:"doctorId"` // want `doctorId is stored as UUID`
}

type Visit struct {
	ID       bson.ObjectID `bson:"_id,omitempty"`
	DoctorID bson.ObjectID `bson:"doctorId"`
	ClinicID bson.ObjectID `bson:"clinicId"` // want `clinicId is stored as ObjectID`
	WardID   bson.ObjectID `bson:"wardId"`   // want `wardId is stored as ObjectID`
}

type hospital struct{ db *mongo.Database }

func (h hospital) create(ctx context.Context, d Doctor, c Clinic, w Ward, v Visit, r Report) {
	h.db.Collection("doctors").InsertOne(ctx, d)
	h.db.Collection("clinics").InsertOne(ctx, c)
	h.db.Collection("wards").InsertOne(ctx, w)
	h.db.Collection("visits").InsertOne(ctx, v)
	h.db.Collection("reports").InsertOne(ctx, r)
}

func (h hospital) find(ctx context.Context, id string) (d Doctor, c Clinic, w Ward) {
	oid, err := bson.ObjectIDFromHex(id)
	if err != nil {
		return d, c, w
	}
	h.db.Collection("doctors").FindOne(ctx, bson.M{"_id": oid}).Decode(&d)
	h.db.Collection("clinics").FindOne(ctx, bson.M{"_id": oid}).Decode(&c)
	h.db.Collection("wards").FindOne(ctx, bson.M{"_id": id}).Decode(&w)
	return d, c, w
}

// look takes any collection.
func look(ctx context.Context, c *mongo.Collection, id bson.ObjectID) {
	c.FindOne(ctx, bson.M{"_id": id})
}
