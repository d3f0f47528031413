// Package places has jobs that machines keep a copy of: code adds to a job
// where jobs are stored. What it looks for first, or what only names other
// documents, does not come one by one.
package places

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Visit struct {
	ID   string    `bson:"id"`
	At   time.Time `bson:"at"`
	Text string    `bson:"text"`
}

// App is who changed a job last.
type App struct {
	Slug string    `bson:"slug"`
	Date time.Time `bson:"date"`
}

type Need struct {
	JobID  string `bson:"job_id"`
	Status string `bson:"status"`
}

type Job struct {
	ID     string  `bson:"_id"`
	Visits []Visit `bson:"visits"` // want `^visits grows without bound: each call of stores.visit adds to the list in Job \(collection jobs\)`
	Apps   []App   `bson:"apps"`
	Needs  []Need  `bson:"needs"`
}

// Receipt is called by what is complete when it is written, and is not.
type Receipt struct {
	ID     string  `bson:"_id"`
	Visits []Visit `bson:"visits"` // want `^visits grows without bound: each call of stores.extend`
}

func (s stores) extend(ctx context.Context, id string, v Visit) {
	s.receipts.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"visits": v}})
}

// Fair is told of by clubs too. Code changes it where it is part of a town.
type Fair struct {
	Calls []string `bson:"calls"`
	Songs []Visit  `bson:"songs"` // want `^fair.songs grows without bound: each call of stores.sing adds to the list in Town \(collection towns\)`
}

type Club struct {
	ID   string `bson:"_id"`
	Fair *Fair  `bson:"fair"`
}

type Town struct {
	ID   string `bson:"_id"`
	Fair *Fair  `bson:"fair"`
}

func (s stores) sing(ctx context.Context, id string, v Visit) {
	s.towns.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"fair.songs": v}})
}

type Machine struct {
	ID  string `bson:"_id"`
	Job Job    `bson:"job"`
}

type stores struct{ jobs, machines, receipts, clubs, towns *mongo.Collection }

func open(db *mongo.Database) stores {
	return stores{db.Collection("jobs"), db.Collection("machines"), db.Collection("receipts"), db.Collection("clubs"), db.Collection("towns")}
}

func (s stores) create(ctx context.Context, j Job, m Machine, r Receipt, c Club, t Town) {
	s.jobs.InsertOne(ctx, j)
	s.machines.InsertOne(ctx, m)
	s.receipts.InsertOne(ctx, r)
	s.clubs.InsertOne(ctx, c)
	s.towns.InsertOne(ctx, t)
}

func (s stores) visit(ctx context.Context, id string, v Visit) {
	s.jobs.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"visits": v}})
}

func (s stores) touch(ctx context.Context, j *Job, slug string) {
	for i := range j.Apps {
		if j.Apps[i].Slug == slug {
			j.Apps[i].Date = time.Now()
			return
		}
	}
	s.jobs.UpdateOne(ctx, bson.M{"_id": j.ID}, bson.M{"$push": bson.M{"apps": App{slug, time.Now()}}})
}

func (s stores) need(ctx context.Context, j *Job, n Need) {
	for _, known := range j.Needs {
		if known.JobID == n.JobID {
			return
		}
	}
	s.jobs.UpdateOne(ctx, bson.M{"_id": j.ID}, bson.M{"$push": bson.M{"needs": n}})
}
