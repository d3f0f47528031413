// Package workers hands out work through channels.
package workers

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Machine struct {
	ID     bson.ObjectID `bson:"_id"`
	Owners []Owner       `bson:"owners"` // want `owners grows .*each call of Grant`
	Faults []Owner       `bson:"faults"` // want `faults grows .*every run of Watch`
}

type Owner struct {
	ID   bson.ObjectID `bson:"id"`
	Sudo bool          `bson:"sudo"`
}

// Grant gives a machine to some people, and ends.
func Grant(ctx context.Context, c *mongo.Collection, machine bson.ObjectID, people []Owner) {
	jobs := make(chan Owner)
	go func() {
		for _, p := range people {
			jobs <- p
		}
		close(jobs)
	}()
	for p := range jobs {
		c.UpdateOne(ctx, bson.M{"_id": machine}, bson.M{"$push": bson.M{"owners": p}})
	}
}

// log has methods that are named like functions of the language.
type log interface {
	close()
	append() bson.D
}

// Watch waits for faults as long as the program runs.
func Watch(ctx context.Context, c *mongo.Collection, machine bson.ObjectID, faults <-chan Owner, l log) {
	defer l.close()
	kept := bson.D{}
	kept = l.append()
	c.UpdateOne(ctx, kept, bson.M{"$set": bson.M{"owners": nil}})
	for f := range faults {
		c.UpdateOne(ctx, bson.M{"_id": machine}, bson.M{"$push": bson.M{"faults": f}})
	}
}

func Read(ctx context.Context, c *mongo.Collection, id bson.ObjectID) (m Machine, err error) {
	err = c.FindOne(ctx, bson.M{"_id": id}).Decode(&m)
	return m, err
}
