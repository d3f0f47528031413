// Package configured has a client that may read json tags, so that a tag with the
// name of today could change it.
package configured

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

type Lodger struct {
	Email    string `bson:"email"`
	NickName string `bson:"nick_name"`
	HomeTown string `json:"home_town"` // want `HomeTown has a json tag where all other fields of Lodger have bson tags`
}

func client(byJSON bool) *options.ClientOptions {
	return options.Client().SetBSONOptions(&options.BSONOptions{UseJSONStructTags: byJSON})
}

func store(ctx context.Context, c *mongo.Collection, l Lodger) { c.InsertOne(ctx, l) }
