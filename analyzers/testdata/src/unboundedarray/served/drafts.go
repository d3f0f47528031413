package served

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"
)

type Drafted struct {
	Owner string `bson:"owner"`
	Lines []Line `bson:"lines"`
}

func drafted(ctx context.Context, c client, from, owner string) (found Drafted, err error) {
	err = c.get(ctx, from, bson.M{"owner": owner}, &found)
	return found, err
}
