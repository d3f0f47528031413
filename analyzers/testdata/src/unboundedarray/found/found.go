// Package found looks for the element whose list it adds to.
package found

import (
	"context"
	"net/http"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Poll struct {
	ID      string   `bson:"_id"`
	Options []Option `bson:"options"`
	Names   []Voice  `bson:"names"`
}

type Option struct {
	Name   string  `bson:"name"`
	Voices []Voice `bson:"voices"` // want `voices grows without bound: each request handled by polls.vote adds to the list in Poll`
	Steps  []Voice `bson:"steps"`  // want `steps (may grow|grows) without bound: .* \("\$push": bson.M{"options.0.steps": Voice{ By: "somebody", }}\)`
}

type Voice struct {
	By string    `bson:"by"`
	At time.Time `bson:"at"`
}

type polls struct{ c *mongo.Collection }

func (p polls) open(ctx context.Context, poll Poll) { p.c.InsertOne(ctx, poll) }

func (p polls) vote(w http.ResponseWriter, r *http.Request) {
	var poll Poll
	p.c.FindOne(r.Context(), bson.M{"_id": "a"}).Decode(&poll)
	voice := Voice{By: r.FormValue("user"), At: time.Now()}
	for i, option := range poll.Options {
		if option.Name == r.FormValue("option") {
			poll.Options[i].Voices = append(poll.Options[i].Voices, voice)
		}
	}
	poll.Names = nil
	for _, option := range poll.Options {
		poll.Names = append(poll.Names, Voice{By: option.Name})
	}
	p.c.ReplaceOne(r.Context(), bson.M{"_id": "a"}, poll)
	p.c.UpdateOne(r.Context(), bson.M{"_id": "a"}, bson.M{"$push": bson.M{"options.0.steps": Voice{
		By: "somebody",
	}}})
}
