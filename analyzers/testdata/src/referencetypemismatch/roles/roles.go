// Package roles has documents that say what somebody takes part in.
package roles

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Person struct {
	ID   int64  `bson:"_id"`
	Name string `bson:"name"`
}

// Runner is a person in a race: ids of runners may be those of persons.
type Runner struct {
	ID     string        `bson:"_id"`
	RaceID bson.ObjectID `bson:"raceId"`
	Person Person        `bson:"person"`
}

type Sponsor struct {
	ID   string `bson:"_id"`
	Name string `bson:"name"`
	Logo string `bson:"logo"`
	Seat Seat   `bson:"seat"` // no document
}

type Seat struct {
	Handle int64 `bson:"handle"`
	Row    int   `bson:"row"`
}

// Course has an author, but a course is no member.
type Course struct {
	ID     bson.ObjectID `bson:"_id"`
	Title  string        `bson:"title"`
	Author *Member       `bson:"author"`
}

type Member struct {
	ID   string `bson:"id"`
	Name string `bson:"name"`
}

type Lesson struct {
	ID       bson.ObjectID `bson:"_id"`
	CourseID string        `bson:"courseId"` // want `courseId is stored as string, but the _id of Course`
}

type Race struct {
	ID         bson.ObjectID `bson:"_id"`
	RunnerIDs  []int64       `bson:"runnerIds"`
	SponsorIDs []int64       `bson:"sponsorIds"` // want `sponsorIds is stored as number, but the _id of Sponsor`
}

func store(ctx context.Context, db *mongo.Database, r Race, runner Runner, s Sponsor, c Course, l Lesson) {
	db.Collection("races").InsertOne(ctx, r)
	db.Collection("runners").InsertOne(ctx, runner)
	db.Collection("sponsors").InsertOne(ctx, s)
	db.Collection("courses").InsertOne(ctx, c)
	db.Collection("lessons").InsertOne(ctx, l)
}
