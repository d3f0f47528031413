package courses

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// Repository keeps the types of this package in a database.
type Repository struct {
	members, courses, bookings, pieces, sessions *mongo.Collection
}

// NewRepository makes the indexes that the repository relies on.
func NewRepository(ctx context.Context, db *mongo.Database) (*Repository, error) {
	r := &Repository{
		members:  db.Collection("members"),
		courses:  db.Collection("courses"),
		bookings: db.Collection("bookings"),
		pieces:   db.Collection("pieces"),
		sessions: db.Collection("sessions"),
	}
	_, err := r.sessions.Indexes().CreateOne(ctx, mongo.IndexModel{
		Keys:    bson.M{"expiresAt": 1},
		Options: options.Index().SetExpireAfterSeconds(0),
	})
	return r, err
}

// Join adds a member.
func (r *Repository) Join(ctx context.Context, m Member) error {
	m.ID, m.Joined = bson.NewObjectID(), time.Now()
	_, err := r.members.InsertOne(ctx, m)
	return err
}

// Rename changes the name of a member.
func (r *Repository) Rename(ctx context.Context, id bson.ObjectID, name string) error {
	var m Member
	if err := r.members.FindOne(ctx, bson.M{"_id": id}).Decode(&m); err != nil {
		return err
	}
	m.Name = name
	_, err := r.members.ReplaceOne(ctx, bson.M{"_id": id}, m)
	return err
}

// Leave removes a member.
func (r *Repository) Leave(ctx context.Context, id bson.ObjectID) error {
	_, err := r.members.DeleteOne(ctx, bson.M{"_id": id})
	return err
}

// Announce adds a course.
func (r *Repository) Announce(ctx context.Context, c Course) error {
	c.ID, c.Messages = bson.NewObjectID(), []Message{}
	_, err := r.courses.InsertOne(ctx, c)
	return err
}

// Write puts a message on the wall of a course.
func (r *Repository) Write(ctx context.Context, course bson.ObjectID, m Message) error {
	m.ID, m.SentAt = bson.NewObjectID(), time.Now()
	_, err := r.courses.UpdateOne(ctx, bson.M{"_id": course}, bson.M{"$push": bson.M{"messages": m}})
	return err
}

// Book takes a seat.
func (r *Repository) Book(ctx context.Context, b Booking) error {
	b.ID, b.BookedAt = bson.NewObjectID(), time.Now()
	_, err := r.bookings.InsertOne(ctx, b)
	return err
}

// Make adds a piece that has not been fired.
func (r *Repository) Make(ctx context.Context, p Piece) error {
	p.ID, p.Firings = bson.NewObjectID(), []Firing{}
	_, err := r.pieces.InsertOne(ctx, p)
	return err
}

// Fire notes that a piece was in the kiln.
func (r *Repository) Fire(ctx context.Context, piece bson.ObjectID, f Firing) error {
	_, err := r.pieces.UpdateOne(ctx, bson.M{"_id": piece}, bson.M{"$push": bson.M{"firings": f}})
	return err
}

// Login begins a session of two weeks.
func (r *Repository) Login(ctx context.Context, s Session) error {
	s.ExpiresAt = time.Now().Add(14 * 24 * time.Hour).Unix()
	_, err := r.sessions.InsertOne(ctx, s)
	return err
}
