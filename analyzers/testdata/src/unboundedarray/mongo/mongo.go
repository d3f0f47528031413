package mongo

import (
	"context"
	"net/http"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Post struct {
	ID       bson.ObjectID `bson:"_id"`
	Title    string        `bson:"title"`
	Comments []Comment     `bson:"comments"` // want `comments grows without bound.*\(unbounded-array\)`
	Recent   []Comment     `bson:"recentComments"`
	Latest   []Comment     `bson:"latest"`
	Tags     []string      `bson:"tags"`
	Secret   []Comment     `bson:"-"`
}

type Comment struct {
	ID     bson.ObjectID `bson:"_id"`
	At     time.Time     `bson:"at"`
	Text   string        `bson:"text"`
	Scores []float64     `bson:"scores"`
}

// Publisher grows by references.
type Publisher struct {
	ID    string   `bson:"_id"`
	Books []string `bson:"books"` // want `books grows without bound`
}

type Book struct {
	ID          string `bson:"_id"`
	PublisherID string `bson:"publisherId"`
}

// Thread bounds its messages in code, and says so for its events.
type Thread struct {
	ID       string    `bson:"_id"`
	Messages []Comment `bson:"messages"`
	//shapevet:bounded max=50
	Events []Comment `bson:"events"`
	//shapevet:ignore unbounded-array archived every night
	History []Comment `bson:"history"`
}

// Page is sent, not stored.
type Page struct {
	Total int    `json:"total"`
	Posts []Post `json:"posts"`
}

type store struct{ posts, publishers, books, threads *mongo.Collection }

func newStore(db *mongo.Database) *store {
	return &store{
		posts: db.Collection("posts"), publishers: db.Collection("publishers"),
		books: db.Collection("books"), threads: db.Collection("threads"),
	}
}

func (s *store) create(ctx context.Context, p Post, pub Publisher, b Book, t *Thread) {
	s.posts.InsertOne(ctx, p)
	s.publishers.InsertOne(ctx, pub)
	s.books.InsertMany(ctx, []Book{b})
	s.save(ctx, s.threads, t)
}

func (s *store) save(ctx context.Context, c *mongo.Collection, document any) {
	c.ReplaceOne(ctx, bson.M{}, document)
}

func (s *store) comment(w http.ResponseWriter, r *http.Request, id bson.ObjectID, c Comment) {
	s.posts.UpdateOne(r.Context(), bson.M{"_id": id}, bson.M{
		"$push": bson.M{
			"comments":       c,
			"recentComments": bson.M{"$each": bson.A{c}, "$slice": -3},
		},
	})
}

func (s *store) publish(ctx context.Context, id, book string) {
	s.publishers.UpdateOne(ctx, bson.D{{"_id", id}}, bson.D{{"$addToSet", bson.D{{"books", book}}}})
}

const maxMessages = 100

func (t *Thread) Add(c Comment) {
	t.Messages = append(t.Messages, c)
	if len(t.Messages) > maxMessages {
		t.Messages = t.Messages[1:]
	}
}
