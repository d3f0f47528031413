// Package looks changes a count only if the list changes.
package looks

import (
	"context"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Post struct {
	ID        string   `bson:"_id"`
	LikeCount int      `bson:"likeCount"`
	Likes     []string `bson:"likes"`
	FanCount  int      `bson:"fanCount"` // want `fanCount drifts from fans`
	Fans      []string `bson:"fans"`
	VoteCount int      `bson:"voteCount"` // want `voteCount drifts from votes: vote .*sets the voteCount to the number it read plus one`
	Votes     []string `bson:"votes"`
	SeenCount int      `bson:"seenCount"`
	SeenIDs   []string `bson:"seenIds"`
}

func create(ctx context.Context, c *mongo.Collection, p Post) { c.InsertOne(ctx, p) }

func unlike(ctx context.Context, c *mongo.Collection, p *Post, user string) {
	if !slices.Contains(p.Likes, user) {
		return
	}
	c.UpdateOne(ctx, bson.M{"_id": p.ID}, bson.M{"$inc": bson.M{"likeCount": -1}, "$pull": bson.M{"likes": user}})
}

func leave(ctx context.Context, c *mongo.Collection, p *Post, user string) {
	c.UpdateOne(ctx, bson.M{"_id": p.ID}, bson.M{"$inc": bson.M{"fanCount": -1}, "$pull": bson.M{"fans": user}})
}

func vote(ctx context.Context, c *mongo.Collection, p *Post, user string) {
	if slices.Contains(p.Votes, user) {
		return
	}
	next := p.VoteCount + 1
	c.UpdateOne(ctx, bson.M{"_id": p.ID}, bson.M{"$set": bson.M{"voteCount": next}, "$push": bson.M{"votes": user}})
}

// see changes nothing if somebody else has changed the count meanwhile.
func see(ctx context.Context, c *mongo.Collection, p *Post, user string) {
	c.UpdateOne(ctx, bson.M{"_id": p.ID, "seenCount": p.SeenCount}, bson.M{"$set": bson.M{"seenCount": p.SeenCount + 1}, "$push": bson.M{"seenIds": user}})
}
