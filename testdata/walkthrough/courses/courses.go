// Package courses keeps the members of a pottery studio, its courses and what
// is fired there, in MongoDB.
package courses

import (
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// Member is a person who takes courses.
type Member struct {
	ID     bson.ObjectID `bson:"_id"`
	Name   string        `bson:"name"`
	Email  string        `bson:"email"`
	Phone  string        `bson:"phone"`
	Joined time.Time     `bson:"joined"`
}

// Course is a course and the wall on which its people write to each other.
type Course struct {
	ID       bson.ObjectID `bson:"_id"`
	Title    string        `bson:"title"`
	Teacher  string        `bson:"teacher"`
	StartsAt time.Time     `bson:"startsAt"`
	Seats    int           `bson:"seats"`
	Messages []Message     `bson:"messages"`
}

// Message is what somebody wrote on the wall of a course.
type Message struct {
	ID     bson.ObjectID `bson:"_id"`
	Author string        `bson:"author"`
	Text   string        `bson:"text"`
	SentAt time.Time     `bson:"sentAt"`
}

// Booking is a seat of a member in a course.
type Booking struct {
	ID       bson.ObjectID `bson:"_id"`
	CourseID bson.ObjectID `bson:"courseId"`
	MemberID bson.ObjectID `bson:"memberId"`
	Price    int           `bson:"price"`
	Paid     bool          `bson:"paid"`
	BookedAt time.Time     `bson:"bookedAt"`
	Note     string        `bson:"note"`
}

// Piece is something that was made, and each time that it was fired.
type Piece struct {
	ID      bson.ObjectID `bson:"_id"`
	Title   string        `bson:"title"`
	Clay    string        `bson:"clay"`
	Glaze   string        `bson:"glaze"`
	Firings []Firing      `bson:"firings"`
}

// Firing is one time in the kiln.
type Firing struct {
	At     time.Time `bson:"at"`
	Kiln   string    `bson:"kiln"`
	Cone   string    `bson:"cone"`
	Result string    `bson:"result"`
}

// Session is a member who is logged in.
type Session struct {
	ID        string        `bson:"_id"`
	MemberID  bson.ObjectID `bson:"memberId"`
	Device    string        `bson:"device"`
	ExpiresAt int64         `bson:"expiresAt"`
}
