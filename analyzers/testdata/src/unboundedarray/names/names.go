// Package names holds the stored names of fields in variables.
package names

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type File struct {
	ID string    `bson:"id"`
	At time.Time `bson:"at"`
}

type Entry struct {
	ID    string `bson:"_id"`
	Files []File `bson:"files"` // want `files grows without bound: each call of add adds to the list in Entry`
	Inner struct {
		Logs []File `bson:"logs"` // want `logs grows without bound`
	} `bson:"inner"`
	Alerts []File `bson:"alerts"`
	Outer  struct {
		Notes []File `bson:"notes"` // want `notes grows without bound: each call of list adds to the list in Entry`
		Lines []File `bson:"lines"` // want `lines grows without bound: each call of list adds to the list in Entry`
	} `bson:"outer"`
}

var (
	PathKey  = dotted(InnerKey, LogsKey)
	FilesKey = tagOf(Entry{}, "Files")
	InnerKey = tagOf(Entry{}, "Inner")
	LogsKey  = "logs"
)

func tagOf(v any, field string) string {
	f, _ := reflect.TypeOf(v).FieldByName(field)
	return f.Tag.Get("bson")
}

func dotted(names ...string) string { return strings.Join(names, ".") }

func store(ctx context.Context, db *mongo.Database, e Entry) {
	db.Collection("entries").InsertOne(ctx, e)
}

func add(ctx context.Context, db *mongo.Database, f File) {
	db.Collection("entries").UpdateOne(ctx, bson.M{"_id": "e"}, bson.M{"$push": bson.M{FilesKey: f}})
	db.Collection("entries").UpdateOne(ctx, bson.M{"_id": "e"}, bson.M{"$push": bson.M{PathKey: f}})
}

// elsewhere adds to alerts of another collection.
func elsewhere(ctx context.Context, db *mongo.Database, f File) {
	path := fmt.Sprintf("%s", "alerts")
	db.Collection("others").UpdateOne(ctx, bson.M{"_id": "e"}, bson.M{"$push": bson.M{path: f}})
	db.Collection("others").UpdateOne(ctx, bson.M{"_id": "e"}, bson.M{"$push": bson.M{"alerts": f}})
}

// path joins names that it is given in a list.
func path(names []string) (joined string) {
	for i, name := range names {
		if i > 0 {
			joined += "."
		}
		joined += name
	}
	return joined
}

// labelled joins nothing, and is called without the second of its parameters.
func labelled(names []string, prefixes ...string) string { return "label" }

func list(ctx context.Context, db *mongo.Database, f File) {
	const outer = "outer"
	_ = labelled([]string{outer, "notes"})
	db.Collection("entries").UpdateOne(ctx, bson.M{"_id": "e"}, bson.M{"$push": bson.M{path([]string{outer, "notes"}): f}})
	db.Collection("entries").UpdateOne(ctx, bson.M{"_id": "e"}, bson.M{"$push": bson.M{strings.Join([]string{outer, "lines"}, "."): f}})
}
