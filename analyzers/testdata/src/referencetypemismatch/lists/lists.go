// Package lists makes ids of a list of texts in a helper.
package lists

import (
	"context"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Team struct {
	ID   bson.ObjectID `bson:"_id"`
	Name string        `bson:"name"`
}

type Cup struct {
	ID      bson.ObjectID `bson:"_id"`
	TeamIDs []string      `bson:"teamIds"` // want `teamIds is stored as string, but the _id of Team that it refers to as ObjectID: they match only where code converts them`
}

func ids(texts []string) (made []bson.ObjectID) {
	for _, text := range texts {
		if id, err := bson.ObjectIDFromHex(strings.TrimSpace(text)); err == nil {
			made = append(made, id)
		}
	}
	return made
}

func save(ctx context.Context, db *mongo.Database, t Team, c Cup) {
	db.Collection("teams").InsertOne(ctx, t)
	db.Collection("cups").InsertOne(ctx, c)
	db.Collection("teams").Find(ctx, bson.M{"_id": bson.M{"$in": ids(c.TeamIDs)}})
}
