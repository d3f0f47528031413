// Package states has elements with a state of their own, and lists to which code
// that answers adds.
package states

import (
	"context"
	"net/http"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type State uint8

const (
	Shown State = iota + 1
	Hidden
)

type Post struct {
	ID      bson.ObjectID `bson:"_id"`
	State   State         `bson:"state"`
	Comment []*Comment    `bson:"comment"` // want `comment grows `
	Changes []Change      `bson:"changes"`
}

// Comment is hidden or shown like a post.
type Comment struct {
	ID    bson.ObjectID `bson:"_id"`
	By    string        `bson:"by"`
	At    time.Time     `bson:"at"`
	State State         `bson:"state"`
}

// Change is a state that the post had.
type Change struct {
	At    time.Time `bson:"at"`
	State State     `bson:"state"`
}

type Account struct {
	ID      string   `bson:"_id"`
	Secrets []Secret `bson:"secrets"` // want `secrets grows .* each request to GET /login adds`
	Proofs  []Secret `bson:"proofs"`
}

type Secret struct {
	Text string `bson:"text"`
	Back string `bson:"back"`
}

type Server struct{ posts, accounts *mongo.Collection }

func (s Server) open(ctx context.Context, p Post, a Account) {
	s.posts.InsertOne(ctx, p)
	s.accounts.InsertOne(ctx, a)
}

func (s Server) Comment(ctx context.Context, post bson.ObjectID, by string) {
	c := Comment{bson.NewObjectID(), by, time.Now(), Shown}
	s.posts.UpdateOne(ctx, bson.M{"_id": post}, bson.M{"$push": bson.M{"comment": c}})
}

func (s Server) hide(w http.ResponseWriter, r *http.Request) {
	s.posts.UpdateOne(r.Context(), bson.M{"_id": r.FormValue("post")}, bson.M{
		"$set": bson.M{"state": Hidden}, "$push": bson.M{"changes": Change{time.Now(), Hidden}},
	})
}

func (s Server) login(w http.ResponseWriter, r *http.Request) {
	secret := Secret{r.FormValue("text"), r.FormValue("back")}
	s.accounts.UpdateOne(r.Context(), bson.M{"_id": r.FormValue("account")}, bson.M{"$push": bson.M{"secrets": secret}})
}

func (s Server) prove(w http.ResponseWriter, r *http.Request) {
	proof := Secret{r.FormValue("text"), r.FormValue("back")}
	s.accounts.UpdateOne(r.Context(), bson.M{"_id": r.FormValue("account")}, bson.M{"$push": bson.M{"proofs": proof}})
}

func (s Server) Routes(mux *http.ServeMux) {
	mux.HandleFunc("POST /hide", s.hide)
	mux.HandleFunc("GET /login", s.login)
	mux.HandleFunc("POST /proofs", s.prove)
}

// Parcel keeps the texts of its own states, and those of places.
type Parcel struct {
	ID     string   `bson:"_id"`
	Status string   `bson:"status"`
	Place  string   `bson:"place"`
	Past   []string `bson:"status_history"`
	Places []string `bson:"place_history"` // want `place_history grows `
	Notes  []string `bson:"note_history"`  // want `note_history grows `
}

func (s Server) deliver(ctx context.Context, p *Parcel, place string) {
	p.Past = append(p.Past, "handed over", p.Status)
	p.Place = place
	p.Places = append(p.Places, p.Place)
	p.Notes = append(p.Notes, "handed over", p.Status, place)
	s.posts.ReplaceOne(ctx, bson.M{"_id": p.ID}, p)
}
