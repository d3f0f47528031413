// Package added has lists of texts. What is added to them tells ids from words.
package added

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

// Course lists who is in it: whoever enrols is added, by an id.
type Course struct {
	ID       string   `bson:"_id"`
	Title    string   `bson:"title"`
	Enrolled []string `bson:"enrolled"` // want `enrolled grows without bound`
	Colours  []string `bson:"colours"`
}

// ConcertLog and VisitorLog say the same, each from its side.
type ConcertLog struct {
	ConcertID string   `bson:"concertId"`
	Crowd     []string `bson:"crowd"` // want `crowd grows without bound`
	Moods     []string `bson:"moods"`
}

type VisitorLog struct {
	VisitorID string   `bson:"visitorId"`
	Seen      []string `bson:"seen"` // want `seen grows without bound`
}

type store struct{ courses, concerts, visitors *mongo.Collection }

func (s *store) enrol(ctx context.Context, course, studentID string) error {
	_, err := s.courses.UpdateOne(ctx, bson.M{"_id": course}, bson.M{"$push": bson.M{"enrolled": studentID}})
	return err
}

func (s *store) paint(ctx context.Context, course, colour string) error {
	_, err := s.courses.UpdateOne(ctx, bson.M{"_id": course}, bson.M{"$push": bson.M{"colours": colour}})
	return err
}

func (s *store) enter(ctx context.Context, concertID, visitorID, mood string) {
	s.concerts.UpdateOne(ctx, bson.M{"concertId": concertID}, bson.M{"$addToSet": bson.M{"crowd": visitorID}})
	s.visitors.UpdateOne(ctx, bson.M{"visitorId": visitorID}, bson.M{"$addToSet": bson.M{"seen": concertID}})
	s.concerts.UpdateOne(ctx, bson.M{"concertId": concertID}, bson.M{"$addToSet": bson.M{"moods": mood}})
}

func (s *store) load(ctx context.Context) (c Course, l ConcertLog, v VisitorLog) {
	s.courses.FindOne(ctx, bson.M{}).Decode(&c)
	s.concerts.FindOne(ctx, bson.M{}).Decode(&l)
	s.visitors.FindOne(ctx, bson.M{}).Decode(&v)
	return
}

func (s *store) save(ctx context.Context, c Course, l ConcertLog, v VisitorLog) {
	s.courses.InsertOne(ctx, c)
	s.concerts.InsertOne(ctx, l)
	s.visitors.InsertOne(ctx, v)
}
