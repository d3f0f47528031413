// Package chosen adds to lists whose names, or whose operator, stand in a
// variable.
package chosen

import (
	"context"
	"net/http"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Motion struct {
	ID      bson.ObjectID `bson:"_id"`
	For     []string      `bson:"for"`     // want `for grows without bound`
	Against []string      `bson:"against"` // want `against grows without bound`
	Absent  []string      `bson:"absent"`
	Watched []Watch       `bson:"watched"`
}

type Watch struct {
	UserID string    `bson:"userId"`
	Level  int       `bson:"level"`
	Since  time.Time `bson:"since"`
}

type motions struct{ c *mongo.Collection }

func (m motions) store(ctx context.Context, motion Motion) { m.c.InsertOne(ctx, motion) }

func (m motions) vote(ctx context.Context, id bson.ObjectID, yes bool, who string) {
	list := "against"
	if yes {
		list = "for"
	}
	m.c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{list: who}})
}

func (m motions) watch(ctx context.Context, id bson.ObjectID, on bool, who Watch) {
	op := "$pull" // who watches tends the list
	if on {
		op = "$push"
	}
	m.c.UpdateOne(ctx, bson.M{"_id": id}, bson.D{{Key: op, Value: bson.D{{Key: "watched", Value: who}}}})
}

func (m motions) Vote(w http.ResponseWriter, r *http.Request) {
	id, _ := bson.ObjectIDFromHex(r.PathValue("id"))
	m.vote(r.Context(), id, r.FormValue("yes") != "", r.Context().Value("user").(string))
	m.watch(r.Context(), id, r.FormValue("watch") != "", Watch{UserID: r.FormValue("who"), Since: time.Now()})
}
