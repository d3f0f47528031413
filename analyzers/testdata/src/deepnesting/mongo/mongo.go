package mongo

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Folder struct {
	ID      bson.ObjectID `bson:"_id"`
	Name    string        `bson:"name"`
	Folders []Folder      `bson:"folders"` // want `folders contains its own type Folder: the whole tree is stored in one document, however deep it gets \(deep-nesting\)`
}

type Thread struct {
	ID      string `bson:"_id"`
	Replies []Note `bson:"replies"`
}

type Note struct {
	ID      string    `bson:"id"`
	At      time.Time `bson:"at"`
	Text    string    `bson:"text"`
	Replies []*Note   `bson:"replies,omitempty"` // want `replies\[\]\.replies contains its own type Note`
}

// Unit and Site contain each other: one cycle, one finding.
type Unit struct {
	ID    string `bson:"_id"`
	Sites []Site `bson:"sites"`
}

type Site struct {
	ID    string `bson:"id"`
	Units []Unit `bson:"units"` // want `sites\[\]\.units contains its own type Unit`
}

// Condition contains itself by nature.
type Condition struct {
	ID  string      `bson:"_id"`
	All []Condition `bson:"all"`
}

// Failure has details of details, which nobody looks for one by one.
type Failure struct {
	Code    string    `bson:"code"`
	Details []Failure `bson:"details"`
}

// Stage has no id, and the name of the next one is no time.
type Stage struct {
	StartAt  string  `bson:"startAt"`
	Branches []Stage `bson:"branches"`
}

// Job holds the one it replaced.
type Job struct {
	ID       string `bson:"_id"`
	Failure  Failure
	Stage    Stage
	Previous *Job `bson:"previous,omitempty"`
}

// Category knows its parent only.
type Category struct {
	ID       string      `bson:"_id"`
	ParentID string      `bson:"parentId"`
	Children []*Category `bson:"-"`
}

// Wish holds anything, such as another.
type Wish struct {
	ID   string `bson:"_id"`
	More any    `bson:"more"`
}

// Remark shows the last two answers to it. Each answer is a remark of its own.
type Remark struct {
	ID      string    `bson:"_id"`
	At      time.Time `bson:"at"`
	Answers []Remark  `bson:"answers"`
}

func answer(ctx context.Context, remarks *mongo.Collection, to string, r Remark) {
	remarks.InsertOne(ctx, r)
	last := bson.M{"$each": []Remark{r}, "$sort": bson.M{"at": -1}, "$slice": 2}
	remarks.UpdateOne(ctx, bson.M{"_id": to}, bson.M{"$push": bson.M{"answers": last}})
}

func save(ctx context.Context, db *mongo.Database, f Folder, t Thread, u Unit, c Condition, j Job, k Category) {
	db.Collection("folders").InsertOne(ctx, f)
	db.Collection("threads").InsertOne(ctx, t)
	db.Collection("units").InsertOne(ctx, u)
	db.Collection("conditions").InsertOne(ctx, c)
	db.Collection("jobs").InsertOne(ctx, j)
	db.Collection("categories").InsertOne(ctx, k)
	db.Collection("wishes").InsertOne(ctx, Wish{More: Wish{}})
}
