// Package ownkey refers to documents by a key of their own, called by the last
// word of their type.
package ownkey

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type BuildTask struct {
	ID     bson.ObjectID `bson:"_id"`
	TaskID string        `bson:"taskId"`
	Name   string        `bson:"name"`
}

type Step struct {
	ID          bson.ObjectID `bson:"_id"`
	BuildTaskID string        `bson:"buildTaskId"`
	PrintJobID  string        `bson:"printJobId"` // want `printJobId is stored as string`
}

// PrintJob has the id of a Job, which is another thing.
type PrintJob struct {
	ID    bson.ObjectID `bson:"_id"`
	JobID string        `bson:"jobId"`
}

type Job struct {
	ID   string `bson:"_id"`
	Name string `bson:"name"`
}

func store(ctx context.Context, c *mongo.Collection, t BuildTask, s Step, p PrintJob, j Job) {
	c.InsertOne(ctx, t)
	c.InsertOne(ctx, s)
	c.InsertOne(ctx, p)
	c.InsertOne(ctx, j)
}

// Coin has a symbol and no id. What is called a coin id is another thing.
type Coin struct {
	Symbol string `bson:"symbol"`
	Name   string `bson:"name"`
}

// Chip has an id of its own under another name.
type Chip struct {
	UUID string `bson:"uuid"`
}

type Like struct {
	ID     bson.ObjectID `bson:"_id"`
	CoinID int32         `bson:"coinId"`
	ChipID int32         `bson:"chipId"` // want `chipId is stored as number, but the uuid of Chip`
}

func like(ctx context.Context, c *mongo.Collection, coin Coin, chip Chip, l Like) {
	c.InsertOne(ctx, coin)
	c.InsertOne(ctx, chip)
	c.InsertOne(ctx, l)
}

// Host has a key of its own among its metadata.
type Host struct {
	ID       bson.ObjectID `bson:"_id"`
	Metadata HostMetadata  `bson:"metadata"`
}

type HostMetadata struct {
	UID  string `bson:"uid"`
	Name string `bson:"name"`
}

// Room holds the id of a Floor, which is another thing.
type Room struct {
	ID    bson.ObjectID `bson:"_id"`
	Floor RoomFloor     `bson:"floor"`
}

type RoomFloor struct {
	ID   string `bson:"id"`
	Name string `bson:"name"`
}

type Floor struct {
	ID   string `bson:"_id"`
	Name string `bson:"name"`
}

type Plug struct {
	ID     bson.ObjectID `bson:"_id"`
	HostID string        `bson:"hostId"`
	RoomID string        `bson:"roomId"` // want `roomId is stored as string`
}

func plug(ctx context.Context, c *mongo.Collection, h Host, r Room, f Floor, p Plug) {
	c.InsertOne(ctx, h)
	c.InsertOne(ctx, r)
	c.InsertOne(ctx, f)
	c.InsertOne(ctx, p)
}
