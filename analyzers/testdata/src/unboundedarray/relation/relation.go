// Package relation keeps a list of ids beside documents that say the same.
package relation

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

// Rollout lists every device, though a document is stored for each.
type Rollout struct {
	ID          bson.ObjectID `bson:"_id"`
	DeviceList  []string      `bson:"device_list"` // want `device_list grows without bound: each Rollout keeps all its references in one document`
	DeviceCount int           `bson:"device_count"`
	NodeList    []string      `bson:"node_list"` // a task is no relation: there may be many for a node, or none
	NodeCount   int           `bson:"node_count"`
}

// DeviceRollout is what happened on one device. It says much, but its name says
// that it is one for each device.
type DeviceRollout struct {
	ID        bson.ObjectID `bson:"_id"`
	DeviceID  string        `bson:"device_id"`
	RolloutID bson.ObjectID `bson:"rollout_id"`
	Status    string        `bson:"status"`
	Substate  string        `bson:"substate"`
	Attempts  int           `bson:"attempts"`
	Created   int64         `bson:"created"`
	Started   int64         `bson:"started"`
	Finished  int64         `bson:"finished"`
	Log       string        `bson:"log"`
}

// Task is a run on a node.
type Task struct {
	ID        bson.ObjectID `bson:"_id"`
	NodeID    string        `bson:"node_id"`
	RolloutID bson.ObjectID `bson:"rollout_id"`
	Command   string        `bson:"command"`
}

// Team and User list each other: anybody may join, and nobody is in many.
type Team struct {
	ID    string   `bson:"_id"`
	Users []string `bson:"users"` // want `users grows without bound: each Team keeps all its references in one document`
	Sites []string `bson:"sites"` // who lists teams is no person
}

type User struct {
	ID    string   `bson:"_id"`
	Teams []string `bson:"teams"`
}

type Site struct {
	ID    string   `bson:"_id"`
	Teams []string `bson:"teams"`
}

// Club has members of whom none lists clubs.
type Club struct {
	ID      string   `bson:"_id"`
	Members []string `bson:"members"`
}

type Member struct {
	ID    string   `bson:"_id"`
	Names []string `bson:"names"`
}

func insertTeam(ctx context.Context, c *mongo.Collection, t Team, u User, s Site, k Club, m Member) {
	c.InsertOne(ctx, t)
	c.InsertOne(ctx, u)
	c.InsertOne(ctx, s)
	c.InsertOne(ctx, k)
	c.InsertOne(ctx, m)
}

func insertRollout(ctx context.Context, c *mongo.Collection, r *Rollout, d *DeviceRollout, t *Task) error {
	if _, err := c.InsertOne(ctx, r); err != nil {
		return err
	}
	if _, err := c.InsertOne(ctx, t); err != nil {
		return err
	}
	_, err := c.InsertOne(ctx, d)
	return err
}

// Party lists guests of whom each has a ticket, which does little more than tie
// the two together.
type Party struct {
	ID       string   `bson:"_id"`
	GuestIDs []string `bson:"guest_ids"` // want `guest_ids grows without bound`
}

type Ticket struct {
	ID      string `bson:"_id"`
	GuestID string `bson:"guest_id"`
	PartyID string `bson:"party_id"`
	Kind    string `bson:"kind"`
}

// Crew lists workers. A shift is more than who worked for whom.
type Crew struct {
	ID        string   `bson:"_id"`
	WorkerIDs []string `bson:"worker_ids"`
}

type Shift struct {
	ID       string `bson:"_id"`
	WorkerID string `bson:"worker_id"`
	CrewID   string `bson:"crew_id"`
	Place    string `bson:"place"`
	Begin    int64  `bson:"begin"`
	End      int64  `bson:"end"`
	Paid     int64  `bson:"paid"`
	Report   string `bson:"report"`
	Approved bool   `bson:"approved"`
}

func invite(ctx context.Context, db *mongo.Database, p Party, t Ticket, c Crew, s Shift) {
	for _, d := range []any{t, s, p, c} {
		db.Collection("all").InsertOne(ctx, d)
	}
	db.Collection("all").UpdateOne(ctx, bson.M{"_id": p.ID}, bson.M{"$addToSet": bson.M{"guest_ids": t.GuestID}})
	db.Collection("all").UpdateOne(ctx, bson.M{"_id": c.ID}, bson.M{"$addToSet": bson.M{"worker_ids": s.WorkerID}})
}

// leave takes one user out of a team, which others join.
func leave(ctx context.Context, c *mongo.Collection, team, user string) {
	c.UpdateOne(ctx, bson.M{"_id": team}, bson.M{"$pull": bson.M{"users": user}})
}
