package shared

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Venue struct {
	ID        bson.ObjectID `bson:"_id"`
	Name      string        `bson:"name"`
	City      string        `bson:"city"`
	Phone     *string       `bson:"phone,omitempty"`
	CreatedAt time.Time     `bson:"createdAt"`
	Website   string        `bson:"website"`
}

// Concert holds all there is to know of its venue.
type Concert struct {
	ID    bson.ObjectID `bson:"_id"`
	Venue Venue         `bson:"venue"` // want `venue holds a whole Venue`
}

type Comment struct {
	ID     bson.ObjectID `bson:"_id"`
	PostID bson.ObjectID `bson:"postId"`
	Author string        `bson:"author"`
	Text   string        `bson:"text"`
	Mood   string        `bson:"mood"`
}

// Post keeps some of its own comments.
type Post struct {
	ID       bson.ObjectID `bson:"_id"`
	Recent   []Comment     `bson:"recentComments"`
	Selected []Comment     `bson:"selected"`
}

func save(ctx context.Context, db *mongo.Database, v Venue, c Concert, comment Comment, p Post) {
	db.Collection("venues").InsertOne(ctx, v)
	db.Collection("venues").ReplaceOne(ctx, bson.M{"_id": v.ID}, v)
	db.Collection("comments").UpdateOne(ctx, bson.M{"_id": comment.ID}, bson.M{"$set": bson.M{"text": comment.Text}})
	var venue Venue
	db.Collection("venues").FindOne(ctx, c.ID).Decode(&venue)
	c.Venue = venue
	var chosen Comment
	db.Collection("comments").FindOne(ctx, p.ID).Decode(&chosen)
	p.Selected = append(p.Selected, chosen)
	db.Collection("concerts").InsertOne(ctx, c)
	db.Collection("comments").InsertOne(ctx, comment)
	db.Collection("posts").InsertOne(ctx, p)
}
