// Package looks changes a count only if the list changes.
package looks

import (
	"context"
	"errors"
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
	FlagCount int      `bson:"flagCount"`
	Flags     []string `bson:"flags"`
	PinCount  int      `bson:"pinCount"` // want `pinCount drifts from pins: pin .*adds nothing when the list holds the value`
	Pins      []string `bson:"pins"`
}

var errNone = errors.New("none")

// flag and unflag ask the database first whether the post has the flag.
func flag(ctx context.Context, c *mongo.Collection, id, user string) error {
	var p Post
	err := c.FindOne(ctx, bson.M{"_id": id, "flags": user}).Decode(&p)
	if err == nil {
		return nil
	}
	if err != errNone {
		return err
	}
	_, err = c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$inc": bson.M{"flagCount": 1}, "$addToSet": bson.M{"flags": user}})
	return err
}

func unflag(ctx context.Context, c *mongo.Collection, id, user string) error {
	var p Post
	err := c.FindOne(ctx, bson.M{"_id": id, "flags": user}).Decode(&p)
	if err == errNone {
		return nil
	}
	_, err = c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$inc": bson.M{"flagCount": -1}, "$pull": bson.M{"flags": user}})
	return err
}

// pin only asks whether the query failed.
func pin(ctx context.Context, c *mongo.Collection, id, user string) error {
	var p Post
	if err := c.FindOne(ctx, bson.M{"_id": id, "pins": user}).Decode(&p); err != nil {
		return err
	}
	_, err := c.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$inc": bson.M{"pinCount": 1}, "$addToSet": bson.M{"pins": user}})
	return err
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
