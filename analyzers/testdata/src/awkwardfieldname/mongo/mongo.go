package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
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
	Used  int `bson:"used.bytes"` // want `the names "used.bytes" and 1 more of Disk have the same fault: each contains a character`
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

// Claims are made by an update that inserts where none matches.
type Claims struct {
	ID     string `bson:"_id"`
	Tenant string `bson:"app.tenant"` // want `the name "app.tenant" contains a character that MongoDB reads as part of a path`
}

// Grant is made so too: the option is in the call.
type Grant struct {
	ID    string `bson:"_id"`
	Scope string `bson:"app.scope"` // want `the name "app.scope" contains a character that MongoDB reads as part of a path`
}

// Change only changes what is there: its names are paths.
type Change struct {
	Tenant string `bson:"app.tenant"`
}

func upsert(ctx context.Context, c *mongo.Collection, claims *Claims, grant Grant, change Change) {
	opts := options.UpdateOne()
	opts.SetUpsert(true)
	c.UpdateOne(ctx, bson.M{"_id": claims.ID}, bson.M{"$set": claims}, opts)
	c.UpdateOne(ctx, bson.M{"_id": grant.ID}, bson.M{"$set": grant}, options.UpdateOne().SetUpsert(true))
	never := options.UpdateOne().SetUpsert(false)
	c.UpdateOne(ctx, bson.M{"_id": claims.ID}, bson.M{"$set": change}, never)
}
