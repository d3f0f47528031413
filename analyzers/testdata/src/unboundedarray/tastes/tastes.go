// Package tastes keeps what people gave a song once and may take back. Whoever tends
// the links of a song keeps them few.
package tastes

import (
	"net/http"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Song struct {
	ID    string `bson:"_id"`
	Votes []Vote `bson:"votes"` // want `votes grows without bound`
	Links []Link `bson:"links"`
}

type Vote struct {
	PersonID string `bson:"person"`
	Up       bool   `bson:"up"`
}

type Link struct {
	SiteID string `bson:"site"`
	Text   string `bson:"text"`
}

type songs struct{ all *mongo.Collection }

func (s *songs) vote(w http.ResponseWriter, r *http.Request) {
	v := Vote{PersonID: r.FormValue("person"), Up: true}
	var song Song
	s.all.FindOne(r.Context(), bson.M{"_id": r.FormValue("song")}).Decode(&song)
	for _, known := range song.Votes {
		if known.PersonID == v.PersonID {
			return
		}
	}
	s.all.UpdateOne(r.Context(), bson.M{"_id": r.FormValue("song")}, bson.M{"$push": bson.M{"votes": v}})
}

func (s *songs) unvote(w http.ResponseWriter, r *http.Request) {
	gone := bson.M{"person": r.FormValue("person")}
	s.all.UpdateOne(r.Context(), bson.M{"_id": r.FormValue("song")}, bson.M{"$pull": bson.M{"votes": gone}})
}

func (s *songs) link(w http.ResponseWriter, r *http.Request) {
	l := Link{SiteID: r.FormValue("site"), Text: r.FormValue("text")}
	s.all.UpdateOne(r.Context(), bson.M{"_id": r.FormValue("song")}, bson.M{"$push": bson.M{"links": l}})
}

func (s *songs) unlink(w http.ResponseWriter, r *http.Request) {
	gone := bson.M{"site": r.FormValue("site")}
	s.all.UpdateOne(r.Context(), bson.M{"_id": r.FormValue("song")}, bson.M{"$pull": bson.M{"links": gone}})
}
