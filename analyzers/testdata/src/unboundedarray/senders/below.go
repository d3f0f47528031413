package senders

import (
	"net/http"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// Board has a list of posts for each day, a list of notes for each day that are
// also taken away, and lists that only the response needs.
type Board struct {
	ID    string            `bson:"_id"`
	Posts map[string][]Post `bson:"posts"` // want `posts grows without bound: .* adds to the list in Board`
	Notes map[string][]Note `bson:"notes"`
	Shown map[string][]Post `bson:"shown"`
}

type Post struct {
	Text string    `bson:"text"`
	At   time.Time `bson:"at"`
}

type Note struct {
	Text string `bson:"text"`
}

func (s store) post(w http.ResponseWriter, r *http.Request) {
	var b Board
	s.polls.FindOne(r.Context(), bson.M{"_id": "b"}).Decode(&b)
	b.Posts[r.FormValue("day")] = append(b.Posts[r.FormValue("day")], Post{Text: r.FormValue("text"), At: time.Now()})
	b.Notes[r.FormValue("day")] = append(b.Notes[r.FormValue("day")], Note{Text: r.FormValue("text")})
	s.polls.ReplaceOne(r.Context(), bson.M{"_id": "b"}, b)
}

func (s store) clear(w http.ResponseWriter, r *http.Request) {
	var b Board
	s.polls.FindOne(r.Context(), bson.M{"_id": "b"}).Decode(&b)
	day := r.FormValue("day")
	for i, n := range b.Notes[day] {
		if n.Text == r.FormValue("text") {
			b.Notes[day] = append(b.Notes[day][:i], b.Notes[day][i+1:]...)
			break
		}
	}
	s.polls.ReplaceOne(r.Context(), bson.M{"_id": "b"}, b)
}

func (s store) show(w http.ResponseWriter, r *http.Request, all []Post) Board {
	var b Board
	s.polls.FindOne(r.Context(), bson.M{"_id": "b"}).Decode(&b)
	for _, p := range all {
		b.Shown[p.Text] = append(b.Shown[p.Text], p)
	}
	return b
}
