// Package ownpart has forms whose answers refer to the questions of the form. Questions
// of a forum are other documents.
package ownpart

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Question struct {
	ID   bson.ObjectID `bson:"_id"`
	Text string        `bson:"text"`
}

type Form struct {
	ID        bson.ObjectID  `bson:"_id"`
	Questions []FormQuestion `bson:"questions"`
	Answers   []Answer       `bson:"answers"`
}

type FormQuestion struct {
	ID    string `bson:"id"`
	Label string `bson:"label"`
}

type Answer struct {
	QuestionID string `bson:"questionId"`
	Value      string `bson:"value"`
}

// Quiz has copies of questions of the forum, and parts with numbers.
type Quiz struct {
	ID        bson.ObjectID `bson:"_id"`
	Questions []Question    `bson:"questions"`
	Answers   []Reply       `bson:"answers"`
}

type Reply struct {
	QuestionID string `bson:"questionId"` // want `answers\[\].questionId is stored as string`
}

type Survey struct {
	ID        bson.ObjectID `bson:"_id"`
	Questions []Item        `bson:"questions"`
	Answers   []Remark      `bson:"answers"`
}

type Item struct {
	ID    int    `bson:"id"`
	Label string `bson:"label"`
}

type Remark struct {
	QuestionID string `bson:"questionId"` // want `answers\[\].questionId is stored as string`
}

// Vote holds one question, with its text as a key.
type Vote struct {
	ID         bson.ObjectID `bson:"_id"`
	QuestionID string        `bson:"questionId"` // want `questionId is stored as string`
	Question   FormQuestion  `bson:"question"`
}

// Sheet has parts with another name.
type Sheet struct {
	ID         bson.ObjectID  `bson:"_id"`
	QuestionID string         `bson:"questionId"` // want `questionId is stored as string`
	Columns    []FormQuestion `bson:"columns"`
}

// Exam has parts that are found by the reference itself.
type Exam struct {
	ID        bson.ObjectID  `bson:"_id"`
	Questions []ExamQuestion `bson:"questions"`
}

type ExamQuestion struct {
	QuestionID string `bson:"questionId"` // want `questions\[\].questionId is stored as string`
	Points     int    `bson:"points"`
}

func store(ctx context.Context, c *mongo.Collection, q Question, f Form, z Quiz, s Survey, v Vote, t Sheet, e Exam) {
	c.InsertOne(ctx, q)
	c.InsertOne(ctx, f)
	c.InsertOne(ctx, z)
	c.InsertOne(ctx, s)
	c.InsertOne(ctx, v)
	c.InsertOne(ctx, t)
	c.InsertOne(ctx, e)
}
