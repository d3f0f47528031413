// Package seasons adds what a user asks for, but not one element for each user.
package seasons

import (
	"context"
	"net/http"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

// Band has one tour in a season, whoever plans it.
type Band struct {
	ID    string   `bson:"_id"`
	Tours []Tour   `bson:"tours"`
	Works []string `bson:"works"`
}

type Tour struct {
	Season string `bson:"season"`
	By     string `bson:"by"`
}

// LessonSession is an hour of lessons, and not that of who makes a request.
type LessonSession struct {
	ID string `bson:"_id"`
}

type User struct{ ID string }

type key struct{}

type bands struct{ bands, lessons *mongo.Collection }

func (s *bands) found(ctx context.Context, b Band) { s.bands.InsertOne(ctx, b) }

func (s *bands) plan(w http.ResponseWriter, r *http.Request) {
	user := r.Context().Value(key{}).(*User)
	season := r.FormValue("season")
	s.bands.UpdateOne(r.Context(), bson.M{"_id": r.FormValue("id"), "tours.season": bson.M{"$ne": season}},
		bson.M{"$push": bson.M{"tours": Tour{Season: season, By: user.ID}}})
}

func (s *bands) planned(ctx context.Context, by string) *mongo.SingleResult {
	return s.bands.FindOne(ctx, bson.M{"tours.by": by})
}

func (s *bands) teach(w http.ResponseWriter, r *http.Request) {
	lesson := LessonSession{ID: r.FormValue("lesson")}
	s.lessons.InsertOne(r.Context(), lesson)
	s.bands.UpdateOne(r.Context(), bson.M{"_id": r.FormValue("id")}, bson.M{"$push": bson.M{"works": lesson.ID}})
}

func (s *bands) cancel(ctx context.Context, id, work string) {
	s.bands.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$pull": bson.M{"works": work}})
}
