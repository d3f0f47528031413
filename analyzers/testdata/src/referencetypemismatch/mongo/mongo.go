package mongo

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type User struct {
	ID bson.ObjectID `bson:"_id"`
}

type DeviceID string

type Device struct {
	ID DeviceID `bson:"_id"`
}

type Tag struct {
	ID bson.ObjectID `bson:"_id"`
}

type Post struct {
	ID          bson.ObjectID  `bson:"_id"`
	UserID      string         `bson:"userId"`      // want `userId is stored as string, but the _id of User that it refers to as ObjectID`
	OwnerUserID *string        `bson:"ownerUserId"` // want `ownerUserId is stored as string`
	EditorID    string         `bson:"editorId"`
	ReviewerID  bson.ObjectID  `bson:"reviewerId"`
	AuthorID    *bson.ObjectID `bson:"authorId"`
	DeviceID    *string        `bson:"deviceId"`
	StripeID    string         `bson:"stripeId"`
	UserIDs     []int          `bson:"userIds"` // of another service: no number becomes an ObjectID
	TagIDs      []int          `bson:"tagIds"`  // want `tagIds is stored as number`
	MakerID     int            `bson:"makerId"` //shapevet:ref User // want `makerId is stored as number`
}

func save(ctx context.Context, db *mongo.Database, u User, d Device, p Post) {
	db.Collection("users").InsertOne(ctx, u)
	db.Collection("devices").InsertOne(ctx, d)
	db.Collection("posts").InsertOne(ctx, p)
}

func tagged(ctx context.Context, db *mongo.Database, t Tag) {
	db.Collection("tags").InsertOne(ctx, t)
	db.Collection("posts").Aggregate(ctx, []bson.M{{"$lookup": bson.M{"from": "tags", "localField": "tagIds", "foreignField": "_id", "as": "tags"}}})
}
