package served

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
)

type Noted struct {
	Owner string `bson:"owner"`
	Lines []Line `bson:"lines"` // want `^lines grows without bound: each call of note adds to the list in Noted`
}

type Line struct {
	Text string `bson:"text"`
	At   int64  `bson:"at"`
}

func note(ctx context.Context, c client, to, owner, text string, at int64) error {
	return c.push(ctx, to, "lines", bson.M{"owner": owner}, bson.M{"text": text, "at": at})
}

func noted(ctx context.Context, c client, from, owner string) (found Noted, err error) {
	err = c.get(ctx, from, bson.M{"owner": owner}, &found)
	return found, err
}
