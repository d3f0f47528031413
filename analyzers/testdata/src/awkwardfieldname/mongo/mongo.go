package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Host struct {
	ID    bson.ObjectID `bson:"_id"`
	OS    string        `bson:"os.name"` // want `the name "os.name" contains a character that MongoDB reads as part of a path or an operator \(awkward-field-name\)`
	Zone  string        `bson:" zone"`   // want `the name " zone" begins or ends with white space`
	Ref   string        `bson:"$ref"`
	Disks []Disk        `bson:"disks"`
	Size  int           `bson:"disk-size"` // quoted, as all names of updates are
}

type Disk struct {
	Used  int `bson:"used.bytes"` // want `the names "used.bytes" and 1 more of Disk have one fault: each contains a character`
	Total int `bson:"total.bytes"`
}

// Filter is not stored: its names are paths.
type Filter struct {
	OS string `bson:"os.name"`
}

func save(ctx context.Context, c *mongo.Collection, h Host, f Filter) {
	c.InsertOne(ctx, h)
	c.FindOne(ctx, f)
}
