// Package voters has a list to which each user adds an element under the id of the
// user that the session holds, and takes it out again.
package voters

import (
	"context"
	"net/http"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Post struct {
	ID    string `bson:"_id"`
	Hands []Hand `bson:"hands"` // want `hands grows without bound`
	Links []Link `bson:"links"`
}

type Hand struct {
	UserID string `bson:"user"`
	Score  int    `bson:"score"`
}

type Link struct {
	SiteID string `bson:"site"`
	Text   string `bson:"text"`
}

type User struct{ ID, Name string }

type key struct{}

type posts struct{ posts *mongo.Collection }

func (s *posts) vote(w http.ResponseWriter, r *http.Request) {
	user := r.Context().Value(key{}).(*User)
	v := &Hand{UserID: user.ID, Score: 1}
	s.add(r.Context(), r.FormValue("id"), v)
	s.link(r.Context(), r.FormValue("id"), &Link{SiteID: r.FormValue("site"), Text: user.Name})
}

func (s *posts) add(ctx context.Context, id string, v *Hand) {
	s.posts.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"hands": v}})
}

func (s *posts) unvote(ctx context.Context, id, user string) {
	s.posts.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$pull": bson.M{"hands": bson.M{"user": user}}})
}

// link adds what the author of the post tends.
func (s *posts) link(ctx context.Context, id string, l *Link) {
	s.posts.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"links": l}})
}

func (s *posts) unlink(ctx context.Context, id, site string) {
	s.posts.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$pull": bson.M{"links": bson.M{"site": site}}})
}
