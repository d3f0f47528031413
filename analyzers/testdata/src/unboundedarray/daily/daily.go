// Package daily adds to lists what they do not have yet.
package daily

import (
	"errors"
	"net/http"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Patient struct {
	ID    string `bson:"_id"`
	Doses []Dose `bson:"doses"` // want `each request handled by ward.give`
	Plans []Plan `bson:"plans"`
}

type Dose struct {
	ID   string    `bson:"id"`
	Day  time.Time `bson:"day"`
	Drug string    `bson:"drug"`
}

type Plan struct {
	ID   string `bson:"id"`
	Drug string `bson:"drug"`
}

type ward struct{ c *mongo.Collection }

func (w ward) admit(r *http.Request, p Patient) { w.c.InsertOne(r.Context(), p) }

// give adds one dose a day.
func (w ward) give(_ http.ResponseWriter, r *http.Request) error {
	var p Patient
	w.c.FindOne(r.Context(), bson.M{"_id": "a"}).Decode(&p)
	today := time.Now().Truncate(24 * time.Hour)
	for _, dose := range p.Doses {
		if dose.Day.Truncate(24 * time.Hour).Equal(today) {
			return errors.New("given today")
		}
	}
	w.c.UpdateOne(r.Context(), bson.M{"_id": "a"}, bson.M{"$push": bson.M{"doses": Dose{ID: r.FormValue("id"), Day: today}}})
	return nil
}

// plan adds one plan for each drug.
func (w ward) plan(_ http.ResponseWriter, r *http.Request) error {
	var p Patient
	w.c.FindOne(r.Context(), bson.M{"_id": "a"}).Decode(&p)
	for _, plan := range p.Plans {
		if plan.Drug == r.FormValue("drug") {
			return errors.New("planned")
		}
	}
	w.c.UpdateOne(r.Context(), bson.M{"_id": "a"}, bson.M{"$push": bson.M{"plans": Plan{ID: r.FormValue("id"), Drug: r.FormValue("drug")}}})
	return nil
}
