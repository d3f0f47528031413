// Package onward has a list from which each element moves on to another list.
package onward

import (
	"context"
	"net/http"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type desk struct {
	ID     bson.ObjectID   `bson:"_id"`
	Active []bson.ObjectID `bson:"activeTickets"`
	Closed []bson.ObjectID `bson:"closedTickets"` // want `closedTickets grows without bound`
}

type ticket struct {
	ID   bson.ObjectID `bson:"_id"`
	Text string        `bson:"text"`
}

type desks struct{ coll, tickets *mongo.Collection }

func (d *desks) open(ctx context.Context, id bson.ObjectID) {
	d.coll.InsertOne(ctx, desk{ID: id})
}

func (d *desks) take(w http.ResponseWriter, r *http.Request) {
	t := ticket{ID: bson.NewObjectID(), Text: r.FormValue("text")}
	d.tickets.InsertOne(r.Context(), t)
	d.coll.UpdateOne(r.Context(), bson.M{"_id": r.FormValue("desk")}, bson.M{"$push": bson.M{"activeTickets": t.ID}})
}

func (d *desks) finish(w http.ResponseWriter, r *http.Request) {
	id, _ := bson.ObjectIDFromHex(r.FormValue("ticket"))
	d.coll.UpdateOne(r.Context(), bson.M{"_id": r.FormValue("desk")}, bson.M{
		"$pull": bson.M{"activeTickets": id},
		"$push": bson.M{"closedTickets": id},
	})
}
