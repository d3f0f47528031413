// Package whole inserts a type with less than what it reads: updates add the
// rest.
package whole

import (
	"context"
	"net/http"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type NewPost struct {
	UserID string `bson:"userId"`
	Title  string `bson:"title"`
	Text   string `bson:"text"`
	Topic  string `bson:"topic"`
}

// Post is more than what is inserted.
type Post struct {
	ID       string          `bson:"_id"`
	UserID   string          `bson:"userId"`
	Title    string          `bson:"title"`
	Text     string          `bson:"text"`
	Topic    string          `bson:"topic"`
	Comments []bson.ObjectID `bson:"comments"` // want `comments grows without bound: each request to /comment`
	Drafts   []bson.ObjectID `bson:"drafts"`   // those that are done are taken out together
}

// Shown is a Post with what another query finds.
type Shown struct {
	UserID   string   `bson:"userId"`
	Title    string   `bson:"title"`
	Text     string   `bson:"text"`
	Topic    string   `bson:"topic"`
	Messages []string `bson:"messages"`
}

type posts struct{ c *mongo.Collection }

func (p posts) routes(mux *http.ServeMux) {
	mux.HandleFunc("/add", p.add)
	mux.HandleFunc("/comment", p.comment)
	mux.HandleFunc("/remove", p.remove)
	mux.HandleFunc("/show", p.show)
}

func (p posts) add(w http.ResponseWriter, r *http.Request) {
	p.c.InsertOne(r.Context(), NewPost{Title: r.FormValue("title")})
}

func (p posts) comment(w http.ResponseWriter, r *http.Request) {
	id := r.FormValue("id")
	comment, _ := bson.ObjectIDFromHex(r.FormValue("comment"))
	p.c.UpdateOne(r.Context(), bson.M{"_id": id}, bson.M{"$push": bson.M{"comments": comment}})
	p.c.UpdateOne(r.Context(), bson.M{"_id": id}, bson.M{"$push": bson.M{"drafts": comment}})
}

func (p posts) remove(w http.ResponseWriter, r *http.Request) {
	id := r.FormValue("id")
	comment, _ := bson.ObjectIDFromHex(r.FormValue("comment"))
	p.c.UpdateOne(r.Context(), bson.M{"_id": id}, bson.M{"$pull": bson.M{"comments": bson.M{"$in": bson.A{comment}}}})
	p.c.UpdateOne(r.Context(), bson.M{"_id": id}, bson.M{"$pull": bson.M{"drafts": bson.M{"$in": r.Form["done"]}}})
}

func (p posts) show(w http.ResponseWriter, r *http.Request) {
	var post Post
	p.c.FindOne(context.Background(), bson.M{"_id": r.FormValue("id")}).Decode(&post)
	var shown Shown
	p.c.FindOne(context.Background(), bson.M{"_id": r.FormValue("id")}).Decode(&shown)
}
