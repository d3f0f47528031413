package uses

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type User struct {
	ID bson.ObjectID `bson:"_id"`
}

// Post sets its reference to a string.
type Post struct {
	ID     bson.ObjectID `bson:"_id"`
	UserID string        `bson:"userId"` // want `userId is stored as string`
}

// Draft copies its reference around, which any type allows.
type Draft struct {
	ID      bson.ObjectID `bson:"_id"`
	UserID  string        `bson:"userId"`  // want `userId is stored as string`
	UserIDs []*string     `bson:"userIds"` // want `userIds is stored as string`
	// A validator looks at the text.
	OwnerUserID string `bson:"ownerUserId" validate:"hexadecimal"` // want `ownerUserId is stored as string`
}

func save(ctx context.Context, db *mongo.Database, u User, d Draft) {
	db.Collection("users").InsertOne(ctx, u)
	db.Collection("posts").InsertOne(ctx, Post{UserID: "u1"})
	d.UserID = Draft{}.UserID
	db.Collection("drafts").InsertOne(ctx, d)
}
