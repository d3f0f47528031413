// Command idle has a method that adds to a list and that nothing calls.
package main

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Use struct {
	ID string    `bson:"id"`
	At time.Time `bson:"at"`
}

type File struct {
	ID   string `bson:"_id"`
	Uses []Use  `bson:"uses"`
	Runs []Use  `bson:"runs"` // want `runs may grow without bound|runs grows without bound`
}

func (f *File) addUse(u Use) { f.Uses = append(f.Uses, u) }

func (f *File) addRun(u Use) { f.Runs = append(f.Runs, u) }

var added = (*File).addRun // who calls it is not seen

func main() {
	var c *mongo.Collection
	var f File
	c.FindOne(context.Background(), bson.M{"_id": "f"}).Decode(&f)
	c.ReplaceOne(context.Background(), bson.M{"_id": "f"}, f)
}
